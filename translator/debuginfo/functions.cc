// SPDX-License-Identifier: GPL-2.0-or-later
// The DWARF source: functions and inlined copies that match a pattern.
#include <algorithm>
#include <dwarf.h>

#include <climits>
#include <cstring>
#include <unordered_map>

#include "base/glob.h"
#include "debuginfo/dwarf_module.h"
#include "debuginfo/mangled.h"

std::string_view base_name(std::string_view symbol, bool &partial) {
  // A library's symbol table has the version behind the name: "memcpy@@GLIBC_2.14".
  if (const size_t at = symbol.find('@'); at != symbol.npos && at != 0) symbol = symbol.substr(0, at);
  size_t dot = symbol.find('.');
  partial = false;
  if (dot == symbol.npos || dot == 0) return symbol;
  std::string_view suffix = symbol.substr(dot);
  partial = suffix.find(".cold") != suffix.npos || suffix.find(".part.") != suffix.npos;
  return symbol.substr(0, dot);
}

bool hidden_stub(const std::string &pattern, std::string_view name) {
  return name.starts_with("__pfx_") && !pattern.starts_with("__pfx") && pattern.find("__pfx_") == pattern.npos;
}

// libdw's dwarf_decl_file() takes file 0 for none, which in DWARF 5 is the unit's own, and gives up on some split
// units.
const char *declared_file(Dwarf_Die *die) {
  Dwarf_Attribute attribute;
  Dwarf_Word number;
  Dwarf_Die unit;
  Dwarf_Files *files;
  size_t count;
  Dwarf_Half version = 0;
  if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attribute), &number) != 0) return nullptr;
  // The number counts in the unit of the DIE that has the attribute.
  if (dwarf_cu_info(attribute.cu, &version, nullptr, &unit, nullptr, nullptr, nullptr, nullptr) != 0) return nullptr;
  if (number == 0 && version < 5) return nullptr;
  if (dwarf_getsrcfiles(&unit, &files, &count) != 0 || number >= count) return nullptr;
  return dwarf_filesrc(files, number, nullptr, nullptr);
}

std::string below_source_tree(std::string file, Dwarf_Die *unit) {
  Dwarf_Attribute attribute;
  const char *directory = unit ? dwarf_formstring(dwarf_attr_integrate(unit, DW_AT_comp_dir, &attribute)) : nullptr;
  std::string prefix = directory ? directory : "";
  if (!prefix.empty() && prefix.back() != '/') prefix += '/';
  if (!prefix.empty() && file.starts_with(prefix)) file.erase(0, prefix.size());
  while (file.starts_with("./")) file.erase(0, 2);
  return file;
}

std::string DwarfModule::source_file(Dwarf_Die *function) {
  Dwarf_Die unit;
  const char *file = declared_file(function);
  return file ? below_source_tree(file, dwarf_diecu(function, &unit, nullptr, nullptr)) : "";
}

// C++ and Rust, whose functions the index does not know by the names that a script has for them.
bool DwarfModule::has_mangled_names() {
  if (!binary_.is_file()) return false;
  need_symbols();
  if (!mangled_)
    mangled_ = std::any_of(symbols_.begin(), symbols_.end(), [](const SymbolEntry &s) { return is_mangled(s.name); });
  return *mangled_;
}

void DwarfModule::describe(FunctionSite &site, Dwarf_Die *function) {
  int line = 0;
  if (const char *text = dwarf_diename(function)) site.name = text;
  site.file = source_file(function);
  if (dwarf_decl_line(function, &line) == 0) site.line = line;
  site.handle = handle_of(function);
}

// The last line of a function that is declared at `line`: before the next function of the file begins, and within what
// has code.
int DwarfModule::last_line(Dwarf_Die *function, int line) {
  Dwarf_Die unit_storage, other;
  Dwarf_Die *unit = dwarf_diecu(function, &unit_storage, nullptr, nullptr);
  const char *file = declared_file(function);
  if (!unit || !file) return line;
  int next = INT_MAX, last = line;
  const UnitFunctions &functions = functions_of_unit(handle_of(unit));
  auto consider = [&](Dwarf_Off offset) {
    int start;
    if (!die_at(offset, &other) || dwarf_decl_line(&other, &start) != 0 || start <= line || start >= next) return;
    const char *source = declared_file(&other);
    if (source && !strcmp(source, file)) next = start;
  };
  for (auto &[address, offset] : functions.by_address) consider(offset);
  for (Dwarf_Off offset : functions.inlined) consider(offset);
  Dwarf_Lines *lines;
  size_t count;
  if (dwarf_getsrclines(unit, &lines, &count) != 0) return line;
  for (size_t i = 0; i < count; i++) {
    Dwarf_Line *row = dwarf_onesrcline(lines, i);
    int number;
    const char *source = dwarf_linesrc(row, nullptr, nullptr);
    if (dwarf_lineno(row, &number) == 0 && number > last && number < next && source && !strcmp(source, file))
      last = number;
  }
  return last;
}

void DwarfModule::add_calls(const FunctionPattern &pattern, bool with_parts, std::vector<FunctionSite> &sites,
                            Refusals &refused) {
  bool wild = has_wildcard(pattern.function);
  const bool mangled = has_mangled_names();
  uint64_t last_address = 0;
  bool any = false;
  for (const SymbolEntry &symbol : symbols_) {
    bool partial;
    std::string_view base = base_name(symbol.name, partial);
    const std::string qualified = mangled ? qualified_name(symbol.name) : "";
    bool matches = wild ? wildcard_match(pattern.function, std::string(base))
                        : base == pattern.function || symbol.name == pattern.function;
    if (!qualified.empty()) matches |= matches_qualified(pattern.function, qualified);
    if (!matches || (partial && !with_parts && symbol.name != pattern.function)) continue;
    if (hidden_stub(pattern.function, base)) continue;
    if (any && symbol.address == last_address) continue;  // another name of the same code
    FunctionSite site;
    site.module = this;
    site.name = base;
    site.symbol = symbol.name;
    site.address = symbol.address;
    site.is_global = symbol.is_global;
    site.is_exported = exported_.count(symbol.name);
    Dwarf_Die die;
    bool described = die_of_function(symbol.address, &die);
    if (described) {
      describe(site, &die);
      if (!wild) site.name = base;
    }
    if (!qualified.empty()) site.name = qualified;
    // Assembly has no description; a wildcard does not mean thunks and the like.
    if (wild && !described && has_places()) continue;
    if (!pattern.file.empty() && (!described || !pattern.matches_file(site.file) ||
                                  !pattern.holds_line(site.line, [&] { return last_line(&die, site.line); })))
      continue;
    if (const char *reason = refused.of_area(binary_, area_of(symbol))) {
      refused.add(symbol.name, reason);
      continue;
    }
    place_site(site);
    if (is_refused_by_module(site, refused)) continue;
    last_address = symbol.address;
    any = true;
    sites.push_back(std::move(site));
  }
}

namespace {

int collect_instance(Dwarf_Die *die, void *list) {
  static_cast<std::vector<Dwarf_Die> *>(list)->push_back(*die);
  return DWARF_CB_OK;
}

}  // namespace

// The address's own area, else the one of the function around it.
std::optional<TextArea> DwarfModule::area_inside(uint64_t address) const {
  auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                [](uint64_t value, const SymbolEntry &s) { return value < s.address; });
  if (after == symbols_.begin()) return std::nullopt;
  const SymbolEntry &holder = *std::prev(after);
  const TextArea area = areas_.at(address);
  return area == TextArea::Ordinary ? area_of(holder) : area;
}

Dwarf_Die abstract_instance(Dwarf_Die *function) {
  Dwarf_Attribute attribute;
  Dwarf_Die origin;
  const bool is_copy =
      dwarf_attr(function, DW_AT_abstract_origin, &attribute) && dwarf_formref_die(&attribute, &origin);
  return is_copy ? origin : *function;
}

// The compiler may split a function, its first test to be inlined elsewhere, from its rest, and then put the rest into
// it again: that looks like an inlined copy within the function itself, but is part of the same call. A function that
// calls itself does so from somewhere in its body; the rest is "called" where the function is declared.
bool is_split_rest(Dwarf_Die *copy) {
  const Dwarf_Die function = abstract_instance(copy);
  Dwarf_Attribute attribute;
  Dwarf_Word line, column;
  int declared_line, declared_column;
  if (!dwarf_attr(copy, DW_AT_call_line, &attribute) || dwarf_formudata(&attribute, &line) != 0 ||
      !dwarf_attr(copy, DW_AT_call_column, &attribute) || dwarf_formudata(&attribute, &column) != 0 ||
      dwarf_decl_line(copy, &declared_line) != 0 || dwarf_decl_column(copy, &declared_column) != 0 ||
      line != Dwarf_Word(declared_line) || column != Dwarf_Word(declared_column))
    return false;
  Dwarf_Die *scopes = nullptr;
  const int count = dwarf_getscopes_die(copy, &scopes);
  bool is_within_itself = false;
  for (int i = 1; i < count; i++) {  // the first one is the copy
    const int tag = dwarf_tag(&scopes[i]);
    if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) continue;
    is_within_itself = abstract_instance(&scopes[i]).addr == function.addr;
    break;
  }
  free(scopes);
  return is_within_itself;
}

void DwarfModule::add_instances(const FunctionPattern &pattern, Dwarf_Die *abstract, bool with_parts,
                                std::vector<FunctionSite> &sites, const Refusals &refused) {
  FunctionSite model;
  model.module = this;
  model.is_inlined = true;
  describe(model, abstract);
  if (!pattern.file.empty() && (!pattern.matches_file(model.file) ||
                                !pattern.holds_line(model.line, [&] { return last_line(abstract, model.line); })))
    return;
  std::vector<Dwarf_Die> instances;
  dwarf_func_inline_instances(abstract, collect_instance, &instances);
  for (Dwarf_Die &instance : instances) {
    Dwarf_Addr entry;
    // A copy that was optimised away has no address.
    if (!entry_address(&instance, &entry) || (!with_parts && is_split_rest(&instance))) continue;
    FunctionSite site = model;
    site.address = entry + bias_;
    site.handle = handle_of(&instance);
    const std::optional<TextArea> area = area_inside(site.address);
    if (!area || refused.of_area(binary_, *area)) continue;
    place_site(site);
    sites.push_back(std::move(site));
  }
}

void DwarfModule::add_inlines(const FunctionPattern &pattern, bool with_parts, std::vector<FunctionSite> &sites,
                              const Refusals &refused) {
  const bool any_unit = has_wildcard(pattern.function) || has_mangled_names();
  std::vector<size_t> candidates = units_mentioning(any_unit ? "" : pattern.function);
  for (size_t index : candidates) {
    const UnitFunctions &unit = functions_of_unit(units_[index].die);
    for (Dwarf_Off offset : unit.inlined) {
      Dwarf_Die die;
      if (!die_at(offset, &die)) continue;
      const char *function = dwarf_diename(&die);
      if (!function) continue;
      if (wildcard_match(pattern.function, function) ||
          (has_scopes(&die) && matches_qualified(pattern.function, name_in_unit(&die, unit))))
        add_instances(pattern, &die, with_parts, sites, refused);
    }
  }
}

// Copies within copies may begin with the same instruction.
static void drop_repeated(std::vector<FunctionSite> &sites) {
  std::unordered_multimap<uint64_t, size_t> seen;  // positions among those that stay, by address
  seen.reserve(sites.size());
  size_t kept = 0;
  for (size_t i = 0; i < sites.size(); i++) {
    const auto [first, last] = seen.equal_range(sites[i].address);
    if (std::any_of(first, last, [&](const auto &other) { return sites[other.second].name == sites[i].name; }))
      continue;
    seen.emplace(sites[i].address, kept);
    if (kept != i) sites[kept] = std::move(sites[i]);
    kept++;
  }
  sites.resize(kept);
}

std::vector<FunctionSite> DwarfModule::functions(const FunctionPattern &pattern, unsigned kinds, Refusals &refused) {
  std::vector<FunctionSite> sites;
  if (has_mangled_names() || !indexed_functions(pattern, kinds, sites, refused)) {
    need_symbols();
    units();
    if (kinds & Calls) add_calls(pattern, kinds & Parts, sites, refused);
    if (kinds & Inlines) add_inlines(pattern, kinds & Parts, sites, refused);
  }
  drop_repeated(sites);
  if (kinds & AfterPrologue)
    for (FunctionSite &site : sites) skip_prologue(site);
  return sites;
}
