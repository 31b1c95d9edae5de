// SPDX-License-Identifier: GPL-2.0-or-later
// The DWARF source: what a function calls, by the call sites that the compiler describes.
#include <algorithm>
#include <dwarf.h>

#include "base/glob.h"
#include "debuginfo/dwarf_module.h"

namespace {

constexpr int max_scope_depth = 64;

// The DIE that one of two attributes refers to: DWARF 5 has given GNU's extension names of its own.
bool refers_to(Dwarf_Die *die, unsigned standard, unsigned gnu, Dwarf_Die *target) {
  Dwarf_Attribute attribute;
  return (dwarf_attr(die, standard, &attribute) || dwarf_attr(die, gnu, &attribute)) &&
         dwarf_formref_die(&attribute, target);
}

bool return_address(Dwarf_Die *call, Dwarf_Addr *address) {
  Dwarf_Attribute attribute;
  return (dwarf_attr(call, DW_AT_call_return_pc, &attribute) || dwarf_attr(call, DW_AT_low_pc, &attribute)) &&
         dwarf_formaddr(&attribute, address) == 0;
}

// A call as the last thing that a function does is a jump: what is called returns to the function's caller.
bool is_tail_call(Dwarf_Die *call) {
  Dwarf_Attribute attribute;
  bool is_tail = false;
  return (dwarf_attr(call, DW_AT_call_tail_call, &attribute) || dwarf_attr(call, DW_AT_GNU_tail_call, &attribute)) &&
         dwarf_formflag(&attribute, &is_tail) == 0 && is_tail;
}

}  // namespace

struct DwarfModule::CalleeSearch {
  const std::string &pattern;
  Refusals &refused;
  std::vector<Callee> found;
};

CodeAddress DwarfModule::code_address(uint64_t address) const {
  FunctionSite place;
  place.address = address;
  place_site(place);
  return {place.section, place.offset};
}

// Where the function's code is: the function itself, or the compiler's variants of it.
std::vector<FunctionSite> DwarfModule::definitions_of(Dwarf_Die *function, Refusals &refused) {
  FunctionPattern pattern;
  pattern.function = dwarf_diename(function);
  std::vector<FunctionSite> sites = functions(pattern, Calls | Parts, refused);
  const Dwarf_Die wanted = abstract_instance(function);
  std::vector<FunctionSite> same;
  for (const FunctionSite &site : sites) {
    Dwarf_Die die;
    if (die_at(site.handle, &die) && abstract_instance(&die).addr == wanted.addr) same.push_back(site);
  }
  if (!same.empty()) return same;
  // This unit only declares it.
  std::erase_if(sites, [](const FunctionSite &site) { return !site.is_global; });
  return sites;
}

void DwarfModule::add_call(Dwarf_Die *call, CalleeSearch &search) {
  Dwarf_Die function;
  Dwarf_Addr address;
  if (!refers_to(call, DW_AT_call_origin, DW_AT_abstract_origin, &function)) return;  // through a pointer
  const char *text = dwarf_diename(&function);
  if (!text || !wildcard_match(search.pattern, text)) return;
  if (is_tail_call(call)) {
    search.refused.add(text, "is called by a jump (a tail call), and does not return to its caller");
    return;
  }
  if (!return_address(call, &address)) return;
  const CodeAddress returns = code_address(address + bias_);
  for (FunctionSite &site : definitions_of(&function, search.refused)) {
    auto known = std::find_if(search.found.begin(), search.found.end(), [&](const Callee &callee) {
      return callee.site.address == site.address && !callee.returns.empty();
    });
    if (known == search.found.end()) search.found.push_back({std::move(site), {returns}});
    else if (std::find(known->returns.begin(), known->returns.end(), returns) == known->returns.end())
      known->returns.push_back(returns);
  }
}

void DwarfModule::add_inlined_callee(Dwarf_Die *copy, CalleeSearch &search) {
  Dwarf_Addr entry;
  const char *text = dwarf_diename(copy);
  if (!text || !wildcard_match(search.pattern, text) || !entry_address(copy, &entry)) return;
  FunctionSite site;
  site.module = this;
  site.is_inlined = true;
  site.address = entry + bias_;
  describe(site, copy);
  const std::optional<TextArea> area = area_inside(site.address);
  if (!area || search.refused.of_area(binary_, *area)) return;
  place_site(site);
  search.found.push_back({std::move(site), {}});
}

void DwarfModule::add_callees(Dwarf_Die *scope, int depth, CalleeSearch &search) {
  Dwarf_Die child;
  if (depth > max_scope_depth || dwarf_child(scope, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_lexical_block) add_callees(&child, depth + 1, search);
    else if (tag == DW_TAG_inlined_subroutine && !is_split_rest(&child)) add_inlined_callee(&child, search);
    else if (tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site) add_call(&child, search);
  } while (dwarf_siblingof(&child, &child) == 0);
}

std::vector<Callee> DwarfModule::callees(const FunctionSite &caller, const std::string &pattern, unsigned kinds,
                                         Refusals &refused) {
  need_symbols();
  CalleeSearch search{pattern, refused, {}};
  Dwarf_Die die;
  if (die_at(caller.handle, &die)) add_callees(&die, 0, search);
  if (kinds & AfterPrologue)
    for (Callee &callee : search.found)
      if (!callee.site.is_inlined) skip_prologue(callee.site);
  return std::move(search.found);
}
