// SPDX-License-Identifier: GPL-2.0-or-later
// Reading the groups out of the kernel's image, where BTF and kallsyms don't have them.
//
// Between __start_ftrace_events and __stop_ftrace_events lie the addresses of the trace events that are compiled in. A
// struct trace_event_call (include/linux/trace_events.h) is
//
//   0   struct list_head list
//   16  struct trace_event_class *class, whose first member is `const char *system`
//   24  struct tracepoint *tp, whose first member is `const char *name`; or the event's own name, which system calls
//   have
//
// in every kernel since 3.15.
#include "debuginfo/tracepoint_groups.h"

#include <cstring>
#include <filesystem>

namespace {

constexpr uint64_t class_offset = 16, tracepoint_offset = 24, longest_name = 100;

class Reader {
 public:
  explicit Reader(const ElfImage &image) : image_(image) {}

  // 0 when the image does not hold that address.
  uint64_t pointer(uint64_t address) const {
    uint64_t value = 0;
    const std::string_view bytes = image_.memory(address, sizeof value);
    if (bytes.size() == sizeof value) memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  // "" when no identifier stands there.
  std::string identifier(uint64_t address) const {
    std::string name;
    while (name.size() < longest_name) {
      const std::string_view next = image_.memory(address + name.size(), 1);
      if (next.empty()) return "";
      if (next[0] == '\0') return name;
      if (!isalnum(static_cast<unsigned char>(next[0])) && next[0] != '_' && next[0] != '-') return "";
      name += next[0];
    }
    return "";
  }

 private:
  const ElfImage &image_;
};

}  // namespace

std::string read_tracepoint_groups(const std::vector<KernelSymbol> &symbols, const ElfImage &image) {
  uint64_t start = 0, stop = 0;
  for (const KernelSymbol &symbol : symbols) {
    if (symbol.name == "__start_ftrace_events") start = symbol.address;
    if (symbol.name == "__stop_ftrace_events") stop = symbol.address;
  }
  const Reader reader(image);
  std::string lines;
  for (uint64_t at = start; at < stop; at += sizeof at) {
    const uint64_t event = reader.pointer(at);
    const std::string group = reader.identifier(reader.pointer(reader.pointer(event + class_offset)));
    const std::string name = reader.identifier(reader.pointer(reader.pointer(event + tracepoint_offset)));
    if (!group.empty() && !name.empty()) lines += group + ":" + name + "\n";
  }
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
