// SPDX-License-Identifier: GPL-2.0-or-later
// Reading the groups out of the kernel's image, or a module's file, where BTF and kallsyms don't have them.
//
// Between __start_ftrace_events and __stop_ftrace_events lie the addresses of the trace events that are compiled in. A
// struct trace_event_call (include/linux/trace_events.h) is
//
//   0   struct list_head list
//   16  struct trace_event_class *class, whose first member is `const char *system`
//   24  struct tracepoint *tp, whose first member is `const char *name`; or the event's own name, which system calls
//   have
//
// in every kernel since 3.15. A module has those addresses in its section _ftrace_events, as relocations.
#include "debuginfo/tracepoint_groups.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>

namespace {

constexpr uint64_t class_offset = 16, tracepoint_offset = 24, longest_name = 100;

// A place in the image: in a module's file, whose sections have no addresses yet, an offset in one of them.
struct ImagePlace {
  uint32_t section = 0;  // 0 in the kernel's image
  uint64_t offset = 0;   // there an address; 0 is none
  ImagePlace operator+(uint64_t more) const { return {section, offset + more}; }
};

class Reader {
 public:
  explicit Reader(const ElfImage &image) : image_(image) {}

  // What the pointer at a place points to; none when the image does not hold it.
  ImagePlace pointer(ImagePlace at) {
    if (at.section) return relocated(at);
    ImagePlace to;
    const std::string_view bytes = image_.memory(at.offset, sizeof to.offset);
    if (bytes.size() == sizeof to.offset) memcpy(&to.offset, bytes.data(), sizeof to.offset);
    return to;
  }

  // "" when no identifier stands there.
  std::string identifier(ImagePlace at) const {
    std::string name;
    while (name.size() < longest_name) {
      const std::string_view next = byte(at + name.size());
      if (next.empty()) return "";
      if (next[0] == '\0') return name;
      if (!isalnum(static_cast<unsigned char>(next[0])) && next[0] != '_' && next[0] != '-') return "";
      name += next[0];
    }
    return "";
  }

  // "group:name\n" of the struct trace_event_call at a place; "" when it is none of a tracepoint.
  std::string line(ImagePlace event) {
    const std::string group = identifier(pointer(pointer(event + class_offset)));
    const std::string name = identifier(pointer(pointer(event + tracepoint_offset)));
    return group.empty() || name.empty() ? "" : group + ":" + name + "\n";
  }

 private:
  ImagePlace relocated(ImagePlace at) {
    auto [known, is_new] = relocations_.try_emplace(at.section);
    if (is_new)
      for (const ElfImage::Relocation &r : image_.relocations(at.section))
        known->second[r.offset] = {r.section, r.value};
    const auto found = known->second.find(at.offset);
    return found == known->second.end() ? ImagePlace{} : found->second;
  }

  std::string_view byte(ImagePlace at) const {
    if (!at.section) return image_.memory(at.offset, 1);
    for (const ElfSection &section : image_.sections())
      if (section.index == at.section) return section.bytes.substr(std::min(at.offset, section.bytes.size()), 1);
    return {};
  }

  const ElfImage &image_;
  std::map<uint32_t, std::map<uint64_t, ImagePlace>> relocations_;  // of each section that was looked into
};

}  // namespace

std::string read_tracepoint_groups(const std::vector<KernelSymbol> &symbols, const ElfImage &image) {
  uint64_t start = 0, stop = 0;
  for (const KernelSymbol &symbol : symbols) {
    if (symbol.name == "__start_ftrace_events") start = symbol.address;
    if (symbol.name == "__stop_ftrace_events") stop = symbol.address;
  }
  Reader reader(image);
  std::string lines;
  for (uint64_t at = start; at < stop; at += sizeof at) lines += reader.line(reader.pointer({0, at}));
  return lines;
}

std::string read_module_tracepoint_groups(const ElfImage &module) {
  Reader reader(module);
  std::string lines;
  if (const ElfSection *events = module.section("_ftrace_events"))
    for (const ElfImage::Relocation &event : module.relocations(events->index))
      lines += reader.line({event.section, event.value});
  return lines;
}

std::string read_running_tracepoint_groups() {
  namespace fs = std::filesystem;
  std::string lines;
  for (const char *events : {"/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events"}) {
    std::error_code ec;
    for (fs::recursive_directory_iterator it(events, ec), end; !ec && it != end; it.increment(ec))
      if (it.depth() == 1 && it->is_directory(ec))
        lines += it->path().parent_path().filename().string() + ":" + it->path().filename().string() + "\n";
    if (!lines.empty()) break;
  }
  return lines;
}
