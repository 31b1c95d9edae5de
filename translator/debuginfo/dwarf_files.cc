// SPDX-License-Identifier: GPL-2.0-or-later
// The header of a line program, and its file table, DWARF 2 to 5.
#include <algorithm>

#include "debuginfo/dwarf_scan.h"

namespace {

constexpr size_t max_files = 1 << 20;

struct Table {
  std::vector<std::string> directories, files;
  std::string_view compiled_in;

  void add(std::string_view name, uint64_t directory) {
    std::string path(name);
    if (!path.starts_with('/') && directory < directories.size() && !directories[directory].empty())
      path = directories[directory] + "/" + path;
    std::string prefix(compiled_in);
    if (!prefix.empty() && prefix.back() != '/') prefix += '/';
    if (!prefix.empty() && path.starts_with(prefix)) path.erase(0, prefix.size());
    while (path.starts_with("./")) path.erase(0, 2);
    files.push_back(path);
  }
};

// Reads a table of version 5: a description of what an entry consists of, then the entries. Calls f(name, directory
// number) for each.
template <class F> void read_entries(DwarfCursor &c, const DwarfSections &s, const DwarfUnit &unit, F f) {
  std::vector<std::pair<uint64_t, uint64_t>> formats(c.fixed<uint8_t>());
  for (auto &[content, form] : formats) {
    content = c.uleb();
    form = c.uleb();
  }
  uint64_t count = c.uleb();
  if (formats.empty()) return;
  for (uint64_t i = 0; i < count && i < max_files && !c.failed(); i++) {
    std::string_view name;
    uint64_t directory = 0;
    for (auto &[content, form] : formats) {
      DwarfValue v = read_form(c, unit, uint16_t(form), 0);
      if (content == DW_LNCT_path) name = text_of(s, unit, v);
      if (content == DW_LNCT_directory_index) directory = v.number;
    }
    if (!c.failed()) f(name, directory);
  }
}

void read_new(DwarfCursor &c, const DwarfSections &s, const DwarfUnit &unit, Table &table) {
  read_entries(c, s, unit, [&](std::string_view name, uint64_t) { table.directories.emplace_back(name); });
  read_entries(c, s, unit, [&](std::string_view name, uint64_t directory) { table.add(name, directory); });
}

void read_old(DwarfCursor &c, const DwarfUnit &unit, Table &table) {
  table.directories.emplace_back(unit.directory);
  for (std::string_view name; !c.failed() && !(name = c.text()).empty() && table.directories.size() < max_files;)
    table.directories.emplace_back(name);
  table.files.emplace_back();  // files are numbered from 1
  for (std::string_view name; !c.failed() && !(name = c.text()).empty() && table.files.size() < max_files;) {
    uint64_t directory = c.uleb();
    c.uleb();
    c.uleb();
    if (!c.failed()) table.add(name, directory);
  }
}

}  // namespace

std::optional<LineHeader> read_line_header(const DwarfSections &s, const DwarfUnit &unit) {
  LineHeader h;
  Table table;
  table.compiled_in = unit.directory;
  if (unit.line == UINT64_MAX) return std::nullopt;
  DwarfCursor c(s.line, unit.line);
  DwarfUnit header = unit;
  uint64_t length = c.fixed<uint32_t>();
  header.offset_size = length == 0xffffffff ? 8 : 4;
  if (header.offset_size == 8) length = c.fixed<uint64_t>();
  if (c.failed() || length > s.line.size() - c.at()) return std::nullopt;
  h.end = c.at() + length;
  uint16_t version = c.fixed<uint16_t>();
  if (version < 2 || version > 5) return std::nullopt;
  if (version >= 5) c.skip(2);  // the sizes of addresses and of segment selectors
  uint64_t header_length = header.offset_size == 8 ? c.fixed<uint64_t>() : c.fixed<uint32_t>();
  if (c.failed() || header_length > h.end - std::min(h.end, c.at())) return std::nullopt;
  h.program = c.at() + header_length;
  h.instruction_size = c.fixed<uint8_t>();
  if (version >= 4) c.skip(1);  // the number of operations in an instruction
  h.is_statement = c.fixed<uint8_t>();
  h.line_base = c.fixed<int8_t>();
  h.line_range = c.fixed<uint8_t>();
  uint8_t opcodes = c.fixed<uint8_t>();
  for (int i = 1; i < opcodes; i++) h.operands.push_back(c.fixed<uint8_t>());
  if (c.failed()) return std::nullopt;
  if (version >= 5) read_new(c, s, header, table);
  else read_old(c, unit, table);
  h.files = std::move(table.files);
  return h;
}
