// SPDX-License-Identifier: GPL-2.0-or-later
// The scanner: abbreviations, one unit's walk, and the threads that share the units.
#include "debuginfo/dwarf_scan.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <unordered_map>

namespace {

constexpr uint64_t max_abbrevs = 1 << 20;
constexpr int max_origins = 8, max_depth = 4096;

struct AbbrevAttribute {
  uint16_t name, form;
  int64_t implicit;
};
struct Abbrev {
  uint16_t tag = 0;
  bool has_children = false;
  int32_t fixed_size = -1;  // bytes of all attributes, when every form has a fixed one
  uint32_t first = 0, count = 0;
};
struct AbbrevTable {
  std::vector<Abbrev> by_code;  // codes are small numbers, one after another
  std::vector<AbbrevAttribute> attributes;
  const Abbrev *find(uint64_t code) const {
    return code < by_code.size() && by_code[code].tag ? &by_code[code] : nullptr;
  }
};

int form_size(uint16_t form, const DwarfUnit &unit) {
  switch (form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const: return 0;
    case DW_FORM_data1:
    case DW_FORM_flag:
    case DW_FORM_ref1: return 1;
    case DW_FORM_data2:
    case DW_FORM_ref2: return 2;
    case DW_FORM_data4:
    case DW_FORM_ref4: return 4;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_addr: return 8;
    case DW_FORM_sec_offset:
    case DW_FORM_strp:
    case DW_FORM_line_strp: return unit.offset_size;
    default: return -1;
  }
}

AbbrevTable read_abbrevs(const DwarfSections &s, const DwarfUnit &unit) {
  AbbrevTable table;
  DwarfCursor c(s.abbrev, unit.abbrev);
  for (uint64_t code; !c.failed() && (code = c.uleb()) != 0 && code < max_abbrevs;) {
    Abbrev a;
    a.tag = uint16_t(c.uleb());
    a.has_children = c.fixed<uint8_t>();
    a.first = uint32_t(table.attributes.size());
    int size = 0;
    while (!c.failed() && table.attributes.size() < max_abbrevs) {
      uint64_t name = c.uleb(), form = c.uleb();
      int64_t implicit = form == DW_FORM_implicit_const ? c.sleb() : 0;
      if (!name && !form) break;
      table.attributes.push_back({uint16_t(name), uint16_t(form), implicit});
      int bytes = form_size(uint16_t(form), unit);
      size = size < 0 || bytes < 0 ? -1 : size + bytes;
    }
    a.fixed_size = size;
    a.count = uint32_t(table.attributes.size()) - a.first;
    if (c.failed()) break;
    if (code >= table.by_code.size()) table.by_code.resize(code + 1);
    table.by_code[code] = a;
  }
  return table;
}

// The attributes of one DIE that matter here.
struct Die {
  uint64_t offset = 0;
  const Abbrev *abbrev = nullptr;
  DwarfValue name, low_pc, entry_pc, ranges, file, line, column, call_line, call_column, origin, sibling;
  bool is_declaration = false, has_place = false;
};

struct Declaration {
  std::string_view name;
  uint32_t file = 0, line = 0, column = 0;
};

class Scanner {
 public:
  Scanner(const DwarfSections &sections, const std::vector<DwarfUnit> &units) : s_(sections), units_(units) {
    out.files.emplace_back();
  }
  void scan(size_t number);
  DwarfScan out;

 private:
  bool read_die(DwarfCursor &c, const DwarfUnit &unit, const AbbrevTable &table, Die &die);
  void read_attribute(const DwarfUnit &unit, uint16_t name, const DwarfValue &v, Die &die);
  std::optional<uint64_t> entry(const DwarfUnit &unit, const Die &die);
  const Declaration &declaration(uint64_t offset, int depth);
  Declaration declaration_of(const DwarfUnit &unit, const Die &die, int depth);
  const std::vector<uint32_t> &files_of(const DwarfUnit &unit);
  uint32_t file_of(const DwarfUnit &unit, const DwarfValue &number);
  void add(const Die &die, std::vector<ScannedFunction> &list);
  bool is_split_rest(const Die &die, int depth);
  bool visit(const Die &die, int depth, int function_depth);
  void enter(const Die &die, int depth);
  const AbbrevTable &abbrevs(const DwarfUnit &unit);

  const DwarfSections &s_;
  const std::vector<DwarfUnit> &units_;
  DwarfUnit unit_;
  uint32_t number_ = 0;
  std::vector<uint64_t> enclosing_;  // by depth: the abstract instance of the function or inlined copy that is around
  std::unordered_map<uint64_t, AbbrevTable> tables_;
  std::unordered_map<uint64_t, Declaration> declarations_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> unit_files_;
  std::unordered_map<std::string, uint32_t> file_numbers_;
};

const AbbrevTable &Scanner::abbrevs(const DwarfUnit &unit) {
  auto [it, is_new] = tables_.try_emplace(unit.abbrev);
  if (is_new) it->second = read_abbrevs(s_, unit);
  return it->second;
}

void Scanner::read_attribute(const DwarfUnit &, uint16_t name, const DwarfValue &v, Die &die) {
  switch (name) {
    case DW_AT_name: die.name = v; break;
    case DW_AT_low_pc: die.low_pc = v; break;
    case DW_AT_entry_pc: die.entry_pc = v; break;
    case DW_AT_ranges: die.ranges = v; break;
    case DW_AT_decl_file: die.file = v; break;
    case DW_AT_decl_line: die.line = v; break;
    case DW_AT_decl_column: die.column = v; break;
    case DW_AT_call_line: die.call_line = v; break;
    case DW_AT_call_column: die.call_column = v; break;
    case DW_AT_abstract_origin:
    case DW_AT_specification: die.origin = v; break;
    case DW_AT_sibling: die.sibling = v; break;
    case DW_AT_declaration: die.is_declaration = v.number; break;
    case DW_AT_location:
    case DW_AT_const_value: die.has_place = true; break;
  }
}

bool is_wanted(uint16_t tag) {
  switch (tag) {
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_variable:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_enumeration_type:
    case DW_TAG_typedef:
    case DW_TAG_base_type: return true;
    default: return false;
  }
}

// False at the end of a list of children, and when the unit is damaged.
bool Scanner::read_die(DwarfCursor &c, const DwarfUnit &unit, const AbbrevTable &table, Die &die) {
  die = Die();
  die.offset = c.at();
  uint64_t code = c.uleb();
  if (!code || c.failed()) return false;
  die.abbrev = table.find(code);
  if (!die.abbrev) {
    c.fail();
    return false;
  }
  const AbbrevAttribute *a = table.attributes.data() + die.abbrev->first;
  for (uint32_t i = 0; i < die.abbrev->count; i++)
    read_attribute(unit, a[i].name, read_form(c, unit, a[i].form, a[i].implicit), die);
  return !c.failed();
}

// The address of the first instruction that is run.
std::optional<uint64_t> Scanner::entry(const DwarfUnit &unit, const Die &die) {
  const auto low = address_of(s_, unit, die.low_pc), entry = address_of(s_, unit, die.entry_pc);
  if (entry) return entry;
  if (low) return *low + die.entry_pc.number;  // a constant is an offset from the lowest address
  return die.ranges ? first_range(s_, unit, die.ranges) : std::nullopt;
}

// The numbers in out.files that the unit's file numbers stand for. Keeps the rows of the unit that is being scanned as
// well, so that a line program's header is read only once.
const std::vector<uint32_t> &Scanner::files_of(const DwarfUnit &unit) {
  auto [it, is_new] = unit_files_.try_emplace(unit.offset);
  if (!is_new) return it->second;
  const std::optional<LineHeader> header = read_line_header(s_, unit);
  if (!header) return it->second;
  for (const std::string &file : header->files) {
    auto [known, is_first] = file_numbers_.try_emplace(file, uint32_t(out.files.size()));
    if (is_first) out.files.push_back(file);
    it->second.push_back(known->second);
  }
  const std::vector<uint32_t> &numbers = it->second;
  if (unit.offset == unit_.offset)
    read_line_rows(s_, *header, [&](const LineRow &row) {
      if (row.file < numbers.size() && numbers[row.file])
        out.rows.push_back({row.address, numbers[row.file], row.line});
    });
  return it->second;
}

uint32_t Scanner::file_of(const DwarfUnit &unit, const DwarfValue &number) {
  if (!number) return 0;
  const std::vector<uint32_t> &files = files_of(unit);
  return number.number < files.size() ? files[number.number] : 0;
}

// Name, file and line: the DIE's own, or else those of the DIE that it is an instance of.
Declaration Scanner::declaration_of(const DwarfUnit &unit, const Die &die, int depth) {
  Declaration d;
  if (die.origin && depth < max_origins) d = declaration(die_of(unit, die.origin), depth + 1);
  if (std::string_view name = text_of(s_, unit, die.name); !name.empty()) d.name = name;
  if (uint32_t file = file_of(unit, die.file)) d.file = file;
  if (die.line) d.line = uint32_t(die.line.number);
  if (die.column) d.column = uint32_t(die.column.number);
  return d;
}

const Declaration &Scanner::declaration(uint64_t offset, int depth) {
  auto [it, is_new] = declarations_.try_emplace(offset);
  if (!is_new) return it->second;
  const DwarfUnit *unit = &unit_;
  if (offset < unit_.offset || offset >= unit_.end) {  // link-time optimisation refers to other units
    auto after = std::upper_bound(units_.begin(), units_.end(), offset,
                                  [](uint64_t value, const DwarfUnit &u) { return value < u.offset; });
    if (after == units_.begin()) return it->second;
    unit = &*std::prev(after);
  }
  if (offset < unit->first_die || offset >= unit->end) return it->second;
  DwarfCursor c(s_.info.substr(0, unit->end), offset);
  Die die;
  if (!read_die(c, *unit, abbrevs(*unit), die)) return it->second;
  Declaration d = declaration_of(*unit, die, depth);
  return declarations_[offset] = d;
}

void Scanner::add(const Die &die, std::vector<ScannedFunction> &list) {
  const std::optional<uint64_t> address = entry(unit_, die);
  if (!address) return;
  const Declaration d = declaration_of(unit_, die, 0);
  list.push_back({die.offset, *address, d.name, d.file, d.line});
}

// is_split_rest() of functions.cc, by what was read on the way here.
bool Scanner::is_split_rest(const Die &die, int depth) {
  if (!die.origin || !die.call_line || !die.call_column || enclosing_[size_t(depth)] != die_of(unit_, die.origin))
    return false;
  const Declaration d = declaration_of(unit_, die, 0);
  return die.call_line.number == d.line && die.call_column.number == d.column;
}

// Keeps the DIE when it is one of those that are wanted. True when its children have to be visited too.
bool Scanner::visit(const Die &die, int depth, int function_depth) {
  switch (die.abbrev->tag) {
    case DW_TAG_subprogram:
      if (!die.low_pc && !die.ranges && !die.entry_pc) return false;
      add(die, out.functions);
      return true;
    case DW_TAG_inlined_subroutine:
      if (function_depth) add(die, is_split_rest(die, depth) ? out.split_rests : out.inlines);
      return true;
    case DW_TAG_variable:
      if (depth == 1 && die.has_place)
        out.variables.push_back({die.offset, declaration_of(unit_, die, 0).name, DW_TAG_variable, number_});
      return false;
    case DW_TAG_compile_unit:
    case DW_TAG_partial_unit:
    case DW_TAG_lexical_block: return true;
    default:
      if (depth == 1 && is_wanted(die.abbrev->tag) && die.name && !die.is_declaration)
        out.types.push_back({die.offset, text_of(s_, unit_, die.name), die.abbrev->tag, number_});
      return false;
  }
}

void Scanner::enter(const Die &die, int depth) {
  const bool is_function = die.abbrev->tag == DW_TAG_subprogram || die.abbrev->tag == DW_TAG_inlined_subroutine;
  const uint64_t abstract = die.origin ? die_of(unit_, die.origin) : die.offset;
  enclosing_.resize(size_t(depth));
  enclosing_.push_back(is_function ? abstract : enclosing_.back());
}

void Scanner::scan(size_t number) {
  unit_ = units_[number];
  number_ = uint32_t(number);
  declarations_.clear();
  unit_files_.clear();
  tables_.clear();
  enclosing_.assign(1, 0);
  files_of(unit_);
  const AbbrevTable &table = abbrevs(unit_);
  DwarfCursor c(s_.info.substr(0, unit_.end), unit_.first_die);
  int depth = 0, function_depth = 0;
  Die die;
  while (!c.failed() && c.at() < unit_.end) {
    // Most DIEs are parameters, members and such, with forms of fixed size.
    DwarfCursor ahead = c;
    const Abbrev *abbrev = table.find(ahead.uleb());
    if (abbrev && !abbrev->has_children && abbrev->fixed_size >= 0 && !is_wanted(abbrev->tag)) {
      ahead.skip(uint64_t(abbrev->fixed_size));
      c = ahead;
      continue;
    }
    if (!read_die(c, unit_, table, die)) {
      if (c.failed() || --depth <= 0) return;
      if (depth < function_depth) function_depth = 0;
      continue;
    }
    bool descend = visit(die, depth, function_depth);
    if (!die.abbrev->has_children) continue;
    uint64_t next = die.sibling ? die_of(unit_, die.sibling) : 0;
    if (!descend && next > c.at() && next < unit_.end) {
      c.seek(next);
      continue;
    }
    if (++depth > max_depth) return;
    enter(die, depth);
    if (descend && die.abbrev->tag == DW_TAG_subprogram && !function_depth) function_depth = depth;
  }
}

// Reads the unit's own DIE: its name, and where the tables begin that other attributes refer to by index.
void read_unit_die(const DwarfSections &s, DwarfUnit &unit) {
  AbbrevTable table = read_abbrevs(s, unit);
  DwarfCursor c(s.info.substr(0, unit.end), unit.first_die);
  const Abbrev *abbrev = table.find(c.uleb());
  if (!abbrev) return;
  DwarfValue name, directory, low;
  unit.string_base = unit.address_base = 8;
  unit.range_base = 12;
  for (uint32_t i = 0; i < abbrev->count && !c.failed(); i++) {
    const AbbrevAttribute &a = table.attributes[abbrev->first + i];
    DwarfValue v = read_form(c, unit, a.form, a.implicit);
    switch (a.name) {
      case DW_AT_name: name = v; break;
      case DW_AT_comp_dir: directory = v; break;
      case DW_AT_low_pc: low = v; break;
      case DW_AT_stmt_list: unit.line = v.number; break;
      case DW_AT_str_offsets_base: unit.string_base = v.number; break;
      case DW_AT_addr_base: unit.address_base = v.number; break;
      case DW_AT_rnglists_base: unit.range_base = v.number; break;
    }
  }
  unit.name = text_of(s, unit, name);
  unit.directory = text_of(s, unit, directory);
  unit.low_pc = address_of(s, unit, low).value_or(0);
}

std::vector<DwarfUnit> read_units(const DwarfSections &s) {
  std::vector<DwarfUnit> units;
  for (DwarfCursor c(s.info, 0); c.at() < s.info.size();) {
    std::optional<DwarfUnit> unit = read_unit_header(c, s.info.size());
    if (!unit) break;
    if (!unit->is_type) {
      read_unit_die(s, *unit);
      units.push_back(*unit);
    }
    c.seek(unit->end);
  }
  return units;
}

template <class T> void append(std::vector<T> &to, std::vector<T> &from) {
  to.insert(to.end(), from.begin(), from.end());
}

void merge(DwarfScan &to, DwarfScan &from, std::unordered_map<std::string, uint32_t> &numbers) {
  std::vector<uint32_t> renumbered;
  for (std::string &file : from.files) {
    auto [it, is_new] = numbers.try_emplace(file, uint32_t(to.files.size()));
    if (is_new) to.files.push_back(file);
    renumbered.push_back(it->second);
  }
  for (auto *list : {&from.functions, &from.inlines, &from.split_rests})
    for (ScannedFunction &f : *list) f.file = renumbered[f.file];
  for (LineRow &row : from.rows) row.file = renumbered[row.file];
  append(to.rows, from.rows);
  append(to.functions, from.functions);
  append(to.inlines, from.inlines);
  append(to.split_rests, from.split_rests);
  append(to.types, from.types);
  append(to.variables, from.variables);
  from = DwarfScan();
}

}  // namespace

Result<DwarfScan> scan_dwarf(const DwarfSections &s, unsigned threads,
                             const std::function<void(uint64_t, uint64_t)> &progress) {
  std::vector<DwarfUnit> units = read_units(s);
  if (units.empty()) return Failure{"its .debug_info can't be read"};
  std::atomic<size_t> next = 0;
  std::vector<Scanner> scanners(std::max(1u, threads), Scanner(s, units));
  auto work = [&](Scanner &scanner, bool shows) {
    for (size_t i; (i = next++) < units.size();) {
      scanner.scan(i);
      if (shows) progress(units[i].end, s.info.size());
    }
  };
  std::vector<std::thread> others;
  for (size_t i = 1; i < scanners.size(); i++) others.emplace_back(work, std::ref(scanners[i]), false);
  work(scanners[0], true);
  for (std::thread &t : others) t.join();
  DwarfScan result;
  std::unordered_map<std::string, uint32_t> numbers;
  for (Scanner &scanner : scanners) merge(result, scanner.out, numbers);
  for (size_t i = 0; i < units.size(); i++)
    result.units.push_back({units[i].first_die, units[i].name, DW_TAG_compile_unit, uint32_t(i)});
  return result;
}
