// SPDX-License-Identifier: GPL-2.0-or-later
// Reading what BTF and kallsyms don't have of trace events out of the kernel's image, or a module's file.
//
// Between __start_ftrace_events and __stop_ftrace_events lie the addresses of the trace events that are compiled in. A
// struct trace_event_call (include/linux/trace_events.h) is
//
//   0   struct list_head list
//   16  struct trace_event_class *class, whose first member is `const char *system`
//   24  struct tracepoint *tp, whose first member is `const char *name`; or the event's own name, which system calls
//   have
//
// in every kernel since 3.15. A module has those addresses in its section _ftrace_events, as relocations. The class of
// events, which DECLARE_EVENT_CLASS names, is
//
//   0   const char *system
//   8   void *probe, the function trace_event_raw_event_CLASS
//   16  void *perf_probe
//   24  reg, a function
//   32  struct trace_event_fields *fields_array, since 5.6
//
// with CONFIG_PERF_EVENTS, which x86 always has. The array ends with a field without a type. A field's type is the text
// at its offset 0 ("__data_loc char[]" for data behind the record's fixed part), its name the one at 8.
#include "debuginfo/trace_events.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <sstream>

namespace {

constexpr uint64_t class_offset = 16, tracepoint_offset = 24, longest_name = 100;
constexpr uint64_t probe_offset = 8, fields_offset = 32, name_offset = 8, most_fields = 256;
constexpr std::string_view probe_prefix = "trace_event_raw_event_";

// A place in the image: in a module's file, whose sections have no addresses yet, an offset in one of them.
struct ImagePlace {
  uint32_t section = 0;  // 0 in the kernel's image
  uint64_t offset = 0;   // there an address; 0 is none
  ImagePlace operator+(uint64_t more) const { return {section, offset + more}; }
  bool operator<(const ImagePlace &other) const {
    return section != other.section ? section < other.section : offset < other.offset;
  }
};

// The names of event classes, by where their probe functions are.
using ClassNames = std::map<ImagePlace, std::string>;

class Reader {
 public:
  Reader(const ElfImage &image, ClassNames classes, uint64_t field_size)
      : image_(image), classes_(std::move(classes)), field_size_(field_size) {}

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
    const std::string name = text(at);
    const bool is_one =
        std::all_of(name.begin(), name.end(), [](unsigned char c) { return isalnum(c) || c == '_' || c == '-'; });
    return is_one ? name : "";
  }

  // The line of the struct trace_event_call at a place; "" when it is none of a tracepoint.
  std::string line(ImagePlace event) {
    const ImagePlace event_class = pointer(event + class_offset);
    const std::string group = identifier(pointer(event_class));
    const std::string name = identifier(pointer(pointer(event + tracepoint_offset)));
    if (group.empty() || name.empty()) return "";
    const auto named = classes_.find(pointer(event_class + probe_offset));
    if (named == classes_.end()) return fmt::format("{}:{}\n", group, name);
    return fmt::format("{}:{}\t{}{}\n", group, name, named->second,
                       dynamic_fields(pointer(event_class + fields_offset)));
  }

 private:
  // "\tNAME=ELEMENT" for each field whose data lies behind the record.
  std::string dynamic_fields(ImagePlace fields) {
    std::string all;
    for (uint64_t i = 0; field_size_ && i < most_fields; i++) {
      const ImagePlace field = fields + i * field_size_;
      std::string type = text(pointer(field));
      if (type.empty()) break;
      if (!type.starts_with("__data_loc ") && !type.starts_with("__rel_loc ")) continue;
      type.erase(0, type.find(' ') + 1);
      if (type.ends_with("[]")) type.resize(type.size() - 2);
      all += fmt::format("\t{}={}", identifier(pointer(field + name_offset)), type);
    }
    return all;
  }

  // The printable text at a place; "" when there is none.
  std::string text(ImagePlace at) const {
    std::string text;
    while (text.size() < longest_name) {
      const std::string_view next = byte(at + text.size());
      if (next.empty() || (next[0] && !isprint(static_cast<unsigned char>(next[0])))) return "";
      if (next[0] == '\0') return text;
      text += next[0];
    }
    return "";
  }

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
  const ClassNames classes_;
  const uint64_t field_size_;
  std::map<uint32_t, std::map<uint64_t, ImagePlace>> relocations_;  // of each section that was looked into
};

}  // namespace

std::string read_trace_events(const std::vector<KernelSymbol> &symbols, const ElfImage &image, uint64_t field_size) {
  uint64_t start = 0, stop = 0;
  ClassNames classes;
  for (const KernelSymbol &symbol : symbols) {
    if (symbol.name == "__start_ftrace_events") start = symbol.address;
    if (symbol.name == "__stop_ftrace_events") stop = symbol.address;
    if (symbol.name.starts_with(probe_prefix)) classes[{0, symbol.address}] = symbol.name.substr(probe_prefix.size());
  }
  Reader reader(image, std::move(classes), field_size);
  std::string lines;
  for (uint64_t at = start; at < stop; at += sizeof at) lines += reader.line(reader.pointer({0, at}));
  return lines;
}

std::string read_module_trace_events(const ElfImage &module, uint64_t field_size) {
  const ElfSection *events = module.section("_ftrace_events");
  if (!events) return "";
  ClassNames classes;
  for (const ElfImage::Symbol &symbol : module.symbols())
    if (symbol.name.starts_with(probe_prefix))
      classes[{symbol.section, symbol.value}] = symbol.name.substr(probe_prefix.size());
  Reader reader(module, std::move(classes), field_size);
  std::string lines;
  for (const ElfImage::Relocation &event : module.relocations(events->index))
    lines += reader.line({event.section, event.value});
  return lines;
}

std::string read_running_trace_events() {
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

std::vector<TraceEvent> parse_trace_events(const std::string &lines) {
  std::vector<TraceEvent> events;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    TraceEvent event;
    std::istringstream words(line);
    std::string word;
    std::getline(words, word, '\t');
    const size_t colon = word.find(':');
    if (colon == std::string::npos) continue;
    event.group = word.substr(0, colon);
    event.name = word.substr(colon + 1);
    std::getline(words, event.record, '\t');
    while (std::getline(words, word, '\t'))
      if (const size_t equals = word.find('='); equals != std::string::npos)
        event.dynamic.push_back({word.substr(0, equals), word.substr(equals + 1)});
    events.push_back(std::move(event));
  }
  return events;
}
