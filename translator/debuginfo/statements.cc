// SPDX-License-Identifier: GPL-2.0-or-later
// The DWARF source: where lines and labels of functions begin.
//
// A row of a line table says where code of a line begins. A line may have several
// rows in one function, since the compiler interleaves statements and repeats
// them; a probe on the line gets the first, so that the line's execution is one
// hit. Which function a row is of, follows from its address and its line: the
// address is in the function's code, and the line between the function's
// declaration and its end. An inlined copy's rows have lines of another function,
// so they need not be told apart by address.
#include <algorithm>
#include <dwarf.h>
#include <fmt/core.h>
#include <map>

#include "base/glob.h"
#include "debuginfo/dwarf_module.h"

namespace {

constexpr int max_scope_depth = 64;

bool by_address(const IndexRow &a, const IndexRow &b) {
  return a.address != b.address ? a.address < b.address : a.line < b.line;
}

// Where a line begins in a function: the code's part (the entry's is 0), then the address.
struct Start {
  size_t part = 0;
  uint64_t address = 0;
  bool operator<(const Start &other) const { return part != other.part ? part < other.part : address < other.address; }
};

}  // namespace

// Without an index all line tables are read, once.
void DwarfModule::read_rows() {
  has_all_rows_ = true;
  for (const Unit &unit : units()) {
    Dwarf_Die die;
    Dwarf_Lines *lines;
    size_t count;
    if (!unit_at(unit.die, &die) || dwarf_getsrclines(&die, &lines, &count) != 0) continue;
    std::map<std::string_view, std::vector<IndexRow> *> files;
    for (size_t i = 0; i < count; i++) {
      Dwarf_Line *row = dwarf_onesrcline(lines, i);
      bool begins = false, ends = false;
      int line = 0;
      Dwarf_Addr address;
      const char *file = dwarf_linesrc(row, nullptr, nullptr);
      if (!file || dwarf_linebeginstatement(row, &begins) != 0 || !begins || dwarf_lineno(row, &line) != 0) continue;
      if (dwarf_lineendsequence(row, &ends) != 0 || ends || line <= 0 || dwarf_lineaddr(row, &address) != 0) continue;
      auto [known, is_new] = files.try_emplace(file);
      if (is_new) known->second = &rows_[below_source_tree(file, &die)];
      known->second->push_back({uint32_t(line), address + bias_});
    }
  }
  for (auto &[file, rows] : rows_) std::sort(rows.begin(), rows.end(), by_address);
}

// The rows of a source file by their addresses.
const std::vector<IndexRow> &DwarfModule::rows_of(const std::string &file) {
  if (auto known = rows_.find(file); known != rows_.end()) return known->second;
  std::vector<IndexRow> rows;
  const bool is_indexed = with_index([&](const DebugIndex &index) { rows = index.lines(file).rows; });
  if (!is_indexed && !has_all_rows_) {
    read_rows();
    return rows_[file];
  }
  std::sort(rows.begin(), rows.end(), by_address);
  return rows_[file] = std::move(rows);
}

int DwarfModule::last_line_of(const FunctionSite &site) {
  int last = site.line;
  if (with_index([&](const DebugIndex &index) { last = last_line_in(index, site); })) return last;
  Dwarf_Die die;
  return die_at(site.handle, &die) ? last_line(&die, site.line) : last;
}

void DwarfModule::add_ranges(Dwarf_Die *die, std::vector<AddressRange> &ranges) const {
  Dwarf_Addr base, low, high;
  for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &low, &high)) > 0;)
    if (low < high) ranges.push_back({low + bias_, high + bias_});
}

// The copies of a function that were inlined into the function itself.
void DwarfModule::add_repeats(Dwarf_Die *scope, uint64_t origin, int depth, std::vector<AddressRange> &ranges) {
  Dwarf_Die child, function;
  Dwarf_Attribute attribute;
  if (depth > max_scope_depth || dwarf_child(scope, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) continue;
    if (tag == DW_TAG_inlined_subroutine && dwarf_attr(&child, DW_AT_abstract_origin, &attribute) &&
        dwarf_formref_die(&attribute, &function) && handle_of(&function) == origin)
      add_ranges(&child, ranges);
    add_repeats(&child, origin, depth + 1, ranges);
  } while (dwarf_siblingof(&child, &child) == 0);
}

// The code of a function or copy, in the order in which DWARF lists its parts: the entry's comes first.
std::vector<DwarfModule::AddressRange> DwarfModule::own_code(const FunctionSite &site) {
  std::vector<AddressRange> ranges, repeats, own;
  Dwarf_Die die, function;
  Dwarf_Attribute attribute;
  if (!die_at(site.handle, &die)) return own;
  add_ranges(&die, ranges);
  uint64_t origin = site.handle;
  if (dwarf_attr(&die, DW_AT_abstract_origin, &attribute) && dwarf_formref_die(&attribute, &function))
    origin = handle_of(&function);
  add_repeats(&die, origin, 0, repeats);
  std::sort(repeats.begin(), repeats.end(), [](auto &a, auto &b) { return a.low < b.low; });
  for (AddressRange range : ranges) {
    for (const AddressRange &repeat : repeats) {
      if (repeat.high <= range.low || repeat.low >= range.high) continue;
      if (repeat.low > range.low) own.push_back({range.low, repeat.low});
      range.low = std::max(range.low, repeat.high);
    }
    if (range.low < range.high) own.push_back(range);
  }
  return own;
}

std::vector<FunctionSite> DwarfModule::statements(const FunctionPattern &pattern, unsigned kinds, Refusals &refused) {
  std::vector<FunctionSite> sites;
  for (const FunctionSite &function : functions(pattern, kinds | Parts, refused)) {
    if (!function.handle || function.file.empty()) continue;
    const std::vector<IndexRow> &rows = rows_of(function.file);
    const std::vector<AddressRange> parts = own_code(function);
    const uint32_t last = uint32_t(last_line_of(function));
    std::map<uint32_t, Start> starts;
    for (size_t part = 0; part < parts.size(); part++) {
      auto row = std::lower_bound(rows.begin(), rows.end(), IndexRow{0, parts[part].low}, by_address);
      for (; row != rows.end() && row->address < parts[part].high; row++) {
        if (row->line < uint32_t(function.line) || row->line > last) continue;
        if (!pattern.wants_line(function.line, int(row->line))) continue;
        auto [known, is_new] = starts.try_emplace(row->line, Start{part, row->address});
        if (!is_new) known->second = std::min(known->second, Start{part, row->address});
      }
    }
    for (const auto &[line, start] : starts) {
      FunctionSite site = function;
      site.statement_line = int(line);
      site.is_inside = start.address != function.address;
      site.address = start.address;
      place_site(site);
      sites.push_back(std::move(site));
    }
  }
  return sites;
}

// Does a statement begin at the address, and of which line?
bool DwarfModule::begins_statement(uint64_t address, int &line) {
  Dwarf_Die unit;
  Dwarf_Lines *lines;
  size_t count;
  if (!unit_of_address(address, &unit) || dwarf_getsrclines(&unit, &lines, &count) != 0) return false;
  for (size_t i = 0; i < count; i++) {
    Dwarf_Line *row = dwarf_onesrcline(lines, i);
    Dwarf_Addr at;
    bool begins = false, ends = false;
    if (dwarf_lineaddr(row, &at) != 0 || at + bias_ != address) continue;
    if (dwarf_linebeginstatement(row, &begins) != 0 || !begins || dwarf_lineendsequence(row, &ends) != 0 || ends)
      continue;
    if (dwarf_lineno(row, &line) == 0) return true;
  }
  return false;
}

// The innermost function or inlined copy that holds the address.
bool DwarfModule::function_around(uint64_t address, FunctionSite &site) {
  Dwarf_Die unit, *scopes = nullptr;
  if (!unit_of_address(address, &unit)) return false;
  const int count = dwarf_getscopes(&unit, address - bias_, &scopes);
  bool is_found = false;
  for (int i = 0; i < count && !is_found; i++) {
    const int tag = dwarf_tag(&scopes[i]);
    if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) continue;
    Dwarf_Addr entry;
    describe(site, &scopes[i]);
    site.module = this;
    site.is_inlined = tag == DW_TAG_inlined_subroutine;
    site.is_inside = !entry_address(&scopes[i], &entry) || entry + bias_ != address;
    is_found = true;
  }
  free(scopes);
  return is_found;
}

Result<FunctionSite> DwarfModule::statement_at(uint64_t address, Refusals &refused) {
  FunctionSite site;
  site.address = address;
  if (binary_.is_module()) {
    // Where this file's .text was put when it was opened, any function in it tells.
    FunctionPattern any;
    any.function = "*";
    Refusals ignored;
    const std::vector<FunctionSite> all = functions(any, Calls, ignored);
    auto known = std::find_if(all.begin(), all.end(), [](const FunctionSite &f) { return f.section == ".text"; });
    if (known == all.end()) return Failure{"is in no section .text: the module has none"};
    site.address += known->address - known->offset;
  }
  if (!function_around(site.address, site)) return Failure{"is in no function that debuginfo describes"};
  if (!begins_statement(site.address, site.statement_line))
    return Failure{fmt::format("is inside a statement of '{}': no line's code begins there", site.name)};
  need_symbols();
  const auto area = area_inside(site.address);
  if (const char *reason = area ? refused.of_area(binary_, *area) : nullptr)
    return Failure{"is in a function that " + std::string(reason)};
  place_site(site);
  return site;
}

void DwarfModule::add_labels(Dwarf_Die *scope, const FunctionSite &function, const std::string &pattern, int depth,
                             std::vector<FunctionSite> &sites) {
  Dwarf_Die child;
  if (depth > max_scope_depth || dwarf_child(scope, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_lexical_block) add_labels(&child, function, pattern, depth + 1, sites);
    Dwarf_Addr address;
    const char *text = tag == DW_TAG_label ? dwarf_diename(&child) : nullptr;
    if (!text || !wildcard_match(pattern, text) || dwarf_lowpc(&child, &address) != 0) continue;
    FunctionSite site = function;
    site.label = text;
    dwarf_decl_line(&child, &site.statement_line);
    site.address = address + bias_;
    site.is_inside = site.address != function.address;
    place_site(site);
    sites.push_back(std::move(site));
  } while (dwarf_siblingof(&child, &child) == 0);
}

std::vector<FunctionSite> DwarfModule::labels(const FunctionSite &function, const std::string &pattern) {
  std::vector<FunctionSite> sites;
  Dwarf_Die die;
  if (die_at(function.handle, &die)) add_labels(&die, function, pattern, 0, sites);
  return sites;
}
