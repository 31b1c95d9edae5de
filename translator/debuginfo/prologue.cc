// SPDX-License-Identifier: GPL-2.0-or-later
// The DWARF source: unoptimised code, whose parameters are not where DWARF says before the function's prologue has run.
#include <algorithm>
#include <dwarf.h>

#include "debuginfo/convention.h"
#include "debuginfo/dwarf_module.h"

namespace {

// One place for the whole function, below what the caller left: a copy that the function makes first.
bool is_copied_to_frame(Dwarf_Die *parameter) {
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  size_t count;
  if (!dwarf_attr(parameter, DW_AT_location, &attribute)) return false;
  const unsigned form = dwarf_whatform(&attribute);
  if (form != DW_FORM_exprloc && form != DW_FORM_block1) return false;
  return dwarf_getlocation(&attribute, &ops, &count) == 0 && count == 1 && ops[0].atom == DW_OP_fbreg &&
         Dwarf_Sword(ops[0].number) < 0;
}

}  // namespace

bool DwarfModule::keeps_parameters_in_frame(const FunctionSite &site) {
  Dwarf_Die function, child;
  if (!die_at(site.handle, &function) || dwarf_child(&function, &child) != 0) return false;
  do
    if (dwarf_tag(&child) == DW_TAG_formal_parameter && is_copied_to_frame(&child)) return true;
  while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

// Compilers give the code behind the prologue a row of its own in the table of lines, the function's second.
void DwarfModule::skip_prologue(FunctionSite &site) {
  Dwarf_Die function;
  Dwarf_Addr end;
  if (site.is_inlined || site.is_inside || !die_at(site.handle, &function) || dwarf_highpc(&function, &end) != 0 ||
      !keeps_parameters_in_frame(site))
    return;
  const std::vector<IndexRow> &rows = rows_of(site.file);
  auto after = std::upper_bound(rows.begin(), rows.end(), site.address,
                                [](uint64_t address, const IndexRow &row) { return address < row.address; });
  if (after == rows.end() || after->address >= end + bias_) return;
  site.address = after->address;
  site.is_inside = true;
  place_site(site);
}

TargetLocation DwarfModule::locate_argument(Session &s, const FunctionSite &site, const TargetVariable &variable,
                                            const Place &place) {
  std::vector<const TargetType *> types;
  size_t wanted = 0;
  for (const TargetVariable &v : variables(site)) {
    if (!v.is_parameter) break;
    if (v.handle == variable.handle) wanted = types.size();
    types.push_back(v.type);
  }
  return argument_at_entry(s, place, {return_type(site), types}, wanted);
}
