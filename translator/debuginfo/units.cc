// SPDX-License-Identifier: GPL-2.0-or-later
// The DWARF source: compilation units, and finding those that matter without reading all of them (see dwarf_module.h).
#include <algorithm>
#include <dwarf.h>

#include <cstring>

#include "debuginfo/dwarf_module.h"
#include "debuginfo/elf_image.h"

namespace {

constexpr int max_scope_depth = 32;

// Every offset at which `bytes` holds the NUL-terminated name; the linker may have kept it as the end of a longer one.
std::vector<uint32_t> string_offsets(std::string_view bytes, const std::string &name) {
  std::vector<uint32_t> offsets;
  std::string_view needle(name.c_str(), name.size() + 1);
  for (size_t at = bytes.find(needle); at != bytes.npos; at = bytes.find(needle, at + 1))
    offsets.push_back(uint32_t(at));
  return offsets;
}

// Calls f(position) wherever the bytes hold one of the 32-bit offsets.
template <class F> void sweep(std::string_view bytes, const std::vector<uint32_t> &offsets, F f) {
  if (offsets.size() <= 4) {
    for (uint32_t offset : offsets) {
      const char *at = bytes.data(), *end = at + bytes.size();
      while ((at = static_cast<const char *>(memmem(at, end - at, &offset, sizeof offset)))) f(at++ - bytes.data());
    }
    return;
  }
  std::vector<bool> wanted(size_t(offsets.back()) + 1);
  for (uint32_t offset : offsets) wanted[offset] = true;
  for (size_t at = 0; at + 4 <= bytes.size(); at++) {
    uint32_t value;
    memcpy(&value, bytes.data() + at, sizeof value);
    if (value < wanted.size() && wanted[value]) f(at);
  }
}

}  // namespace

bool has_scopes(Dwarf_Die *die) {
  Dwarf_Die unit;
  if (!dwarf_diecu(die, &unit, nullptr, nullptr)) return false;
  switch (dwarf_srclang(&unit)) {
    case -1:
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case DW_LANG_Mips_Assembler: return false;
    default: return true;
  }
}

bool opens_scope(Dwarf_Die *die) {
  switch (dwarf_tag(die)) {
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_enumeration_type: return true;
    default: return false;
  }
}

std::string scoped_name(Dwarf_Die *function) {
  Dwarf_Die die = *function, *scopes = nullptr;
  Dwarf_Attribute attribute;
  // A definition stands outside of what it belongs to.
  for (unsigned kind : {DW_AT_abstract_origin, DW_AT_specification})
    if (dwarf_attr(&die, kind, &attribute)) dwarf_formref_die(&attribute, &die);
  const char *text = dwarf_diename(&die);
  std::string name = text ? text : "";
  const int count = dwarf_getscopes_die(&die, &scopes);
  for (int i = 1; i < count; i++) {
    if (!opens_scope(&scopes[i])) continue;
    const char *scope = dwarf_diename(&scopes[i]);
    name.insert(0, std::string(scope ? scope : "(anonymous namespace)") + "::");
  }
  free(scopes);
  return name;
}

bool entry_address(Dwarf_Die *die, Dwarf_Addr *entry) {
  if (dwarf_entrypc(die, entry) == 0) return true;
  // The function is split into a hot and a cold part, and the first range holds the entry.
  Dwarf_Addr base, end;
  return dwarf_ranges(die, 0, &base, entry, &end) > 0;
}

const std::vector<DwarfModule::Unit> &DwarfModule::units() {
  if (!units_.empty()) return units_;
  size_t header_size;
  for (Dwarf_Off offset = 0, next; dwarf_nextcu(dwarf_, offset, &next, &header_size, nullptr, nullptr, nullptr) == 0;
       offset = next)
    units_.push_back({offset, offset + header_size});
  return units_;
}

// False when the file's form doesn't allow the sweep, and every unit must be walked.
bool DwarfModule::sweep_for(const std::string &wanted, std::vector<size_t> &found) {
  // A relocatable file's bytes do not hold the string offsets, but such files are small. Nor are compressed sections
  // swept.
  if (relocatable_ || wanted.empty()) return false;
  if (!section_bytes(debug_elf_, ".debug_str_offsets", false).empty()) return false;
  std::string_view info = section_bytes(debug_elf_, ".debug_info", false),
                   strings = section_bytes(debug_elf_, ".debug_str", false);
  if (info.empty() || strings.empty()) return false;
  std::vector<bool> seen(units_.size());
  auto mark = [&](size_t position) {
    auto it = std::upper_bound(units_.begin(), units_.end(), position,
                               [](size_t value, const Unit &unit) { return value < unit.offset; });
    if (it != units_.begin()) seen[it - units_.begin() - 1] = true;
  };
  sweep(info, string_offsets(strings, wanted), mark);
  // Names shorter than an offset stand in the DIE itself.
  if (wanted.size() < 8)
    for (uint32_t at : string_offsets(info, wanted)) mark(at);
  for (size_t i = 0; i < seen.size(); i++)
    if (seen[i]) found.push_back(i);
  return true;
}

std::vector<size_t> DwarfModule::units_mentioning(const std::string &wanted) {
  std::vector<size_t> found;
  if (sweep_for(wanted, found)) return found;
  for (size_t i = 0; i < units().size(); i++) found.push_back(i);
  return found;
}

const DwarfModule::UnitFunctions &DwarfModule::functions_of_unit(Dwarf_Off unit_die) {
  auto [it, is_new] = unit_functions_.try_emplace(unit_die);
  if (!is_new) return it->second;
  Dwarf_Die unit;
  if (die_at(unit_die, &unit)) add_unit_functions(&unit, 0, it->second);
  return it->second;
}

void DwarfModule::add_unit_functions(Dwarf_Die *scope, int depth, UnitFunctions &functions) {
  Dwarf_Die die;
  if (depth > max_scope_depth || dwarf_child(scope, &die) != 0) return;
  const bool nested = has_scopes(scope);
  do {
    if (nested && opens_scope(&die)) add_unit_functions(&die, depth + 1, functions);
    if (dwarf_tag(&die) != DW_TAG_subprogram) continue;
    Dwarf_Addr entry;
    if (entry_address(&die, &entry)) functions.by_address.emplace(entry + bias_, dwarf_dieoffset(&die));
    if (dwarf_hasattr(&die, DW_AT_inline)) functions.inlined.push_back(dwarf_dieoffset(&die));
  } while (dwarf_siblingof(&die, &die) == 0);
}

bool DwarfModule::die_at(uint64_t offset, Dwarf_Die *die) { return offset && dwarf_offdie(dwarf_, offset, die); }

bool DwarfModule::unit_of_address(uint64_t address, Dwarf_Die *unit) {
  Dwarf_Addr bias;
  if (Dwarf_Die *die = dwfl_module_addrdie(module_, address, &bias)) {
    *unit = *die;
    return true;
  }
  return false;
}

bool DwarfModule::die_of_function(uint64_t address, Dwarf_Die *die) {
  Dwarf_Die unit;
  if (!unit_of_address(address, &unit)) return false;
  const UnitFunctions &functions = functions_of_unit(dwarf_dieoffset(&unit));
  auto it = functions.by_address.find(address);
  return it != functions.by_address.end() && die_at(it->second, die);
}
