// SPDX-License-Identifier: GPL-2.0-or-later
// The DWARF source: variables in scope at a probe point, where they are, and global variables.
#include <dwarf.h>

#include <algorithm>

#include "debuginfo/dwarf_module.h"
#include "syntax/make.h"

namespace {

constexpr int max_scope_depth = 32;
const char *const optimized_away = "it was optimised away here";

bool has_place(Dwarf_Die *die) {
  Dwarf_Attribute attribute;
  return dwarf_attr_integrate(die, DW_AT_location, &attribute) ||
         dwarf_attr_integrate(die, DW_AT_const_value, &attribute);
}

bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
  Dwarf_Attribute attribute;
  return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

// Replaces an inlined copy by the function that it is in, which has the frame.
void enclosing_function(Dwarf_Die *copy) {
  Dwarf_Die *scopes = nullptr;
  const int count = dwarf_getscopes_die(copy, &scopes);
  for (int i = 0; i < count; i++)
    if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram) {
      *copy = scopes[i];
      break;
    }
  free(scopes);
}

// A later declaration of a name hides an earlier one: scopes are visited from the outside in.
void add_variable(std::vector<TargetVariable> &list, TargetVariable variable) {
  for (TargetVariable &known : list)
    if (known.name == variable.name) {
      known = std::move(variable);
      return;
    }
  list.push_back(std::move(variable));
}

}  // namespace

void DwarfModule::add_variables(Dwarf_Die *scope, uint64_t address, int depth, std::vector<TargetVariable> &out) {
  Dwarf_Die child, type;
  if (depth > max_scope_depth || dwarf_child(scope, &child) != 0) return;
  do {
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_lexical_block) {
      if (dwarf_haspc(&child, address - bias_) > 0) add_variables(&child, address, depth + 1, out);
      continue;
    }
    if (tag != DW_TAG_formal_parameter && tag != DW_TAG_variable) continue;
    const char *text = dwarf_diename(&child);
    if (!text) continue;
    TargetVariable variable;
    variable.name = text;
    variable.type = type_of(&child, &type) ? type_at(handle_of(&type)) : void_type();
    variable.is_parameter = tag == DW_TAG_formal_parameter;
    variable.handle = variable.order = handle_of(&child);
    // A copy lists what it kept in any order; the function it was made of has them as declared.
    Dwarf_Attribute attribute;
    Dwarf_Die origin;
    if (dwarf_attr(&child, DW_AT_abstract_origin, &attribute) && dwarf_formref_die(&attribute, &origin))
      variable.order = handle_of(&origin);
    add_variable(out, std::move(variable));
  } while (dwarf_siblingof(&child, &child) == 0);
}

std::vector<TargetVariable> DwarfModule::variables(const FunctionSite &site) {
  std::vector<TargetVariable> list;
  Dwarf_Die function;
  if (die_at(site.handle, &function)) add_variables(&function, site.address, 0, list);
  std::stable_sort(list.begin(), list.end(), [](const TargetVariable &a, const TargetVariable &b) {
    return a.is_parameter != b.is_parameter ? a.is_parameter : a.is_parameter && a.order < b.order;
  });
  return list;
}

const TargetType *DwarfModule::return_type(const FunctionSite &site) {
  Dwarf_Die function, type;
  if (!die_at(site.handle, &function) || !type_of(&function, &type)) return nullptr;
  const TargetType *result = type_at(handle_of(&type));
  return result->kind == TypeKind::Void ? nullptr : result;
}

TargetLocation DwarfModule::locate(Session &s, const FunctionSite &site, const TargetVariable &variable,
                                   const Place &place) {
  Dwarf_Die die;
  if (!die_at(variable.handle, &die)) return {nullptr, false, "its description can't be read"};
  if (binary_.is_file() && variable.is_parameter && !site.is_inlined && !site.is_inside &&
      keeps_parameters_in_frame(site))
    return locate_argument(s, site, variable, place);
  TargetLocation location = locate_die(s, site, &die, place, 0);
  if (variable.is_global && !location.expr && location.reason == optimized_away)
    location.reason = "it is only declared, not defined";
  return location;
}

// Variables that are pointed to lead on to others: `depth` bounds that.
TargetLocation DwarfModule::locate_die(Session &s, const FunctionSite &site, Dwarf_Die *die, const Place &place,
                                       int depth) {
  Dwarf_Die function;
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(die, DW_AT_const_value, &attribute)) {
    Dwarf_Sword value;
    if (dwarf_formsdata(&attribute, &value) != 0) return {nullptr, false, "it is a constant of an odd form"};
    return {NodeFactory(s, place).number(value), false, ""};
  }
  Dwarf_Op *ops = nullptr;
  size_t count = 0;
  if (depth > max_scope_depth || !dwarf_attr_integrate(die, DW_AT_location, &attribute) ||
      dwarf_getlocation_addr(&attribute, site.address - bias_, &ops, &count, 1) != 1)
    return {nullptr, false, optimized_away};
  LocationContext context{.session = s,
                          .place = place,
                          .space = address_space(),
                          .attribute = &attribute,
                          .address_of = nullptr,
                          .locate_die = nullptr};
  Dwarf_Addr cfi_bias;
  if (die_at(site.handle, &function)) {
    if (site.is_inlined) enclosing_function(&function);
    context.function = &function;
    context.at_entry = !site.is_inlined && !site.is_inside;
    // The kernel has .debug_frame only, programs mostly .eh_frame only.
    context.cfi = dwfl_module_dwarf_cfi(module_, &cfi_bias);
    if (!context.cfi) context.cfi = dwfl_module_eh_cfi(module_, &cfi_bias);
  }
  context.address = site.address - bias_;
  context.locate_die = [&](Dwarf_Die *other) { return locate_die(s, site, other, place, depth + 1); };
  bool is_per_cpu = false;
  context.address_of = [&](uint64_t address) -> Expr * {
    const NodeFactory make(s, place);
    FunctionSite target;
    target.address = address + bias_;
    place_site(target);
    is_per_cpu = is_per_cpu || is_in_per_cpu_area(target);
    if (is_per_cpu && binary_.is_kernel())
      return per_cpu_pointer(make, target.address - symbol_address("this_cpu_off"));
    return make.symbol_address(symbol_reference(s, binary_, target.section, target.offset));
  };
  context.thread_block = [&]() -> ThreadBlock {
    if (!binary_.is_file()) return {nullptr, "it is thread-local", 0, 0};
    // The two files of one program may have been given different addresses.
    return thread_local_block(NodeFactory(s, place), elf_,
                              [&](uint64_t address) { return context.address_of(address + file_bias_ - bias_); });
  };
  TargetLocation location = lower_location(context, ops, count);
  if (is_per_cpu && !binary_.is_kernel()) return {nullptr, false, "it is a per-CPU variable of a module"};
  location.is_per_cpu = is_per_cpu;
  return location;
}

bool DwarfModule::is_in_per_cpu_area(const FunctionSite &target) {
  if (!binary_.is_kernel()) return binary_.is_module() && target.section == ".data..percpu";
  need_symbols();
  return target.address >= symbol_address("__per_cpu_start") && target.address < symbol_address("__per_cpu_end");
}

std::optional<TargetVariable> DwarfModule::find_global(const std::string &wanted, const std::string &file,
                                                       const FunctionSite *site) {
  FunctionPattern pattern;
  pattern.file = file;
  auto variable = [&](Dwarf_Die &die, Dwarf_Die &type) {
    return TargetVariable{wanted, type_at(handle_of(&type)), false, true, handle_of(&die), 0};
  };
  auto search = [&](Dwarf_Die unit) -> std::optional<TargetVariable> {
    Dwarf_Die die, type;
    const char *unit_name = dwarf_diename(&unit);
    // With -flto, and after dwz, the unit is not called as the file is.
    const bool any_file = file.empty() || (unit_name && pattern.matches_file(unit_name));
    auto fits_file = [&] {
      const char *declared = any_file ? nullptr : declared_file(&die);
      return any_file || (declared && pattern.matches_file(declared));
    };
    if (dwarf_child(&unit, &die) != 0) return std::nullopt;
    do {
      if (dwarf_tag(&die) != DW_TAG_variable || !has_place(&die)) continue;
      const char *text = dwarf_diename(&die);
      if (text && wanted == text && fits_file() && type_of(&die, &type)) return variable(die, type);
    } while (dwarf_siblingof(&die, &die) == 0);
    return std::nullopt;
  };
  Dwarf_Die unit;
  if (site && unit_of_address(site->address, &unit))
    if (auto found = search(unit)) return found;
  std::vector<uint64_t> dies;
  if (indexed_variables(wanted, pattern, dies)) {
    Dwarf_Die die, type;
    for (uint64_t offset : dies)
      if (die_at(offset, &die) && type_of(&die, &type)) return variable(die, type);
    return std::nullopt;
  }
  units();
  for (size_t index : units_mentioning(wanted))
    if (unit_at(units_[index].die, &unit))
      if (auto found = search(unit)) return found;
  return std::nullopt;
}
