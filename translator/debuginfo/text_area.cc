// SPDX-License-Identifier: GPL-2.0-or-later
// Areas of the text of the kernel and its modules, by the names of sections and by the symbols that bound them.
#include "debuginfo/text_area.h"

#include <algorithm>
#include <cstring>

namespace {

// include/asm-generic/sections.h and vmlinux.lds.h. A function belongs to the first range that holds it.
struct Bounds {
  const char *start, *end;
  TextArea area;
};
constexpr Bounds kernel_bounds[] = {
    {"__init_begin", "__init_end", TextArea::Init},
    {"_sinittext", "_einittext", TextArea::Init},
    {"__noinstr_text_start", "__noinstr_text_end", TextArea::Noinstr},
    {"__kprobes_text_start", "__kprobes_text_end", TextArea::Kprobes},
    {"__entry_text_start", "__entry_text_end", TextArea::Entry},
    {"__cpuidle_text_start", "__cpuidle_text_end", TextArea::CpuIdle},
};
constexpr const char *blacklist_start = "__start_kprobe_blacklist", *blacklist_stop = "__stop_kprobe_blacklist";
constexpr uint64_t largest_blacklist = 1 << 20;

}  // namespace

TextArea area_of_section(std::string_view section) {
  if (section.starts_with(".init.")) return TextArea::Init;
  if (section.starts_with(".exit.")) return TextArea::Exit;
  if (section == ".noinstr.text") return TextArea::Noinstr;
  if (section == ".kprobes.text") return TextArea::Kprobes;
  if (section == ".entry.text") return TextArea::Entry;
  return TextArea::Ordinary;
}

bool KernelAreas::needs_symbol(std::string_view symbol) {
  if (!symbol.starts_with('_')) return false;  // most symbols of a kernel
  return symbol == blacklist_start || symbol == blacklist_stop ||
         std::any_of(std::begin(kernel_bounds), std::end(kernel_bounds),
                     [&](const Bounds &bounds) { return symbol == bounds.start || symbol == bounds.end; });
}

void KernelAreas::read(const std::function<uint64_t(std::string_view symbol)> &address_of,
                       const std::function<std::string_view(uint64_t address, uint64_t size)> &memory) {
  for (const Bounds &bounds : kernel_bounds) {
    const uint64_t start = address_of(bounds.start), end = address_of(bounds.end);
    if (start && end > start) ranges_.push_back({start, end, bounds.area});
  }
  const uint64_t start = address_of(blacklist_start), stop = address_of(blacklist_stop);
  if (!start || stop <= start || stop - start > largest_blacklist) return;
  for (std::string_view table = memory(start, stop - start); table.size() >= sizeof(uint64_t);) {
    uint64_t address;
    memcpy(&address, table.data(), sizeof address);
    blacklist_.insert(address);
    table.remove_prefix(sizeof address);
  }
}

TextArea KernelAreas::at(uint64_t address) const {
  for (const Range &range : ranges_)
    if (address >= range.start && address < range.end) return range.area;
  return is_blacklisted(address) ? TextArea::Blacklisted : TextArea::Ordinary;
}
