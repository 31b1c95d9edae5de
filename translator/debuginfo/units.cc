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

namespace {

std::string name_of_scope(Dwarf_Die *scope) {
  const char *name = dwarf_diename(scope);
  return name ? name : "(anonymous namespace)";
}

// A definition stands outside of what it belongs to.
void to_declaration(Dwarf_Die *function) {
  Dwarf_Attribute attribute;
  for (unsigned kind : {DW_AT_abstract_origin, DW_AT_specification})
    if (dwarf_attr(function, kind, &attribute)) dwarf_formref_die(&attribute, function);
}

}  // namespace

std::string scoped_name(Dwarf_Die *function) {
  Dwarf_Die die = *function, *scopes = nullptr;
  to_declaration(&die);
  const char *text = dwarf_diename(&die);
  std::string name = text ? text : "";
  const int count = dwarf_getscopes_die(&die, &scopes);
  for (int i = 1; i < count; i++)
    if (opens_scope(&scopes[i])) name.insert(0, name_of_scope(&scopes[i]) + "::");
  free(scopes);
  return name;
}

bool entry_address(Dwarf_Die *die, Dwarf_Addr *entry) {
  if (dwarf_entrypc(die, entry) == 0) return true;
  // The function is split into a hot and a cold part, and the first range holds the entry.
  Dwarf_Addr base, end;
  return dwarf_ranges(die, 0, &base, entry, &end) > 0;
}

// What dwz has moved into a file that several programs share comes after the file's own units.
const std::vector<DwarfModule::Unit> &DwarfModule::units() {
  if (!units_.empty()) return units_;
  for (Dwarf *file : {dwarf_, dwarf_ ? dwarf_getalt(dwarf_) : nullptr}) {
    size_t header_size;
    const uint64_t first = file && file != dwarf_ ? number_of(file) << handle_offset_bits : 0;
    for (Dwarf_Off offset = 0, next;
         file && dwarf_nextcu(file, offset, &next, &header_size, nullptr, nullptr, nullptr) == 0; offset = next)
      units_.push_back({offset, first + offset + header_size});
  }
  return units_;
}

uint64_t DwarfModule::number_of(Dwarf *file) {
  const auto [known, is_new] = numbers_.try_emplace(file, other_files_.size() + 1);
  if (is_new) other_files_.push_back(file);
  return known->second;
}

uint64_t DwarfModule::handle_of(Dwarf_Die *die) {
  Dwarf *file = dwarf_cu_getdwarf(die->cu);
  uint64_t number = file == dwarf_ ? 0 : number_of(file);
  Dwarf_Half version = 0;
  uint8_t unit_type = 0;
  if (dwarf_cu_info(die->cu, &version, &unit_type, nullptr, nullptr, nullptr, nullptr, nullptr) == 0 && version < 5 &&
      unit_type == DW_UT_type)
    number |= handle_in_types;
  return number << handle_offset_bits | dwarf_dieoffset(die);
}

bool DwarfModule::die_at(uint64_t handle, Dwarf_Die *die) {
  if (!handle) return false;
  const uint64_t number = handle >> handle_offset_bits, in_file = number & ~handle_in_types;
  const Dwarf_Off offset = handle & ((uint64_t(1) << handle_offset_bits) - 1);
  if (in_file > other_files_.size()) return false;
  Dwarf *file = in_file ? other_files_[in_file - 1] : dwarf_;
  return (number & handle_in_types ? dwarf_offdie_types(file, offset, die) : dwarf_offdie(file, offset, die)) !=
         nullptr;
}

// With -gsplit-dwarf the object files, and the program, have only the addresses; libdw opens the file with the rest.
void DwarfModule::use_split_unit(Dwarf_Die *unit) {
  Dwarf_Die rest = {};
  uint8_t unit_type = 0;
  if (dwarf_cu_info(unit->cu, nullptr, &unit_type, nullptr, &rest, nullptr, nullptr, nullptr) == 0 &&
      unit_type == DW_UT_skeleton && rest.cu)
    *unit = rest;
}

bool DwarfModule::unit_at(uint64_t handle, Dwarf_Die *unit) {
  if (!die_at(handle, unit)) return false;
  use_split_unit(unit);
  return true;
}

// After -gsplit-dwarf, dwz and -flto a unit's DIEs have their names in other units, or in other files.
bool DwarfModule::refers_to_other_units() {
  if (refers_elsewhere_) return *refers_elsewhere_;
  refers_elsewhere_ = dwarf_getalt(dwarf_) != nullptr;
  for (const Unit &unit : units()) {
    Dwarf_Die die;
    if (!die_at(unit.die, &die)) continue;
    const int tag = dwarf_tag(&die);
    const char *name = dwarf_diename(&die);
    if (tag == DW_TAG_skeleton_unit || tag == DW_TAG_partial_unit || dwarf_hasattr(&die, DW_AT_GNU_dwo_name) ||
        (name && !strcmp(name, "<artificial>")))
      refers_elsewhere_ = true;
  }
  return *refers_elsewhere_;
}

// False when the file's form doesn't allow the sweep, and every unit must be walked.
bool DwarfModule::sweep_for(const std::string &wanted, std::vector<size_t> &found) {
  // A relocatable file's bytes do not hold the string offsets, but such files are small. Nor are compressed sections
  // swept.
  if (relocatable_ || wanted.empty()) return false;
  if (!section_bytes(debug_elf_, ".debug_str_offsets", false).empty()) return false;
  if (refers_to_other_units()) return false;
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
  if (unit_at(unit_die, &unit)) add_unit_functions(&unit, "", 0, it->second);
  return it->second;
}

void DwarfModule::add_unit_functions(Dwarf_Die *scope, const std::string &scope_name, int depth,
                                     UnitFunctions &functions) {
  Dwarf_Die die;
  if (depth > max_scope_depth || dwarf_child(scope, &die) != 0) return;
  const bool nested = has_scopes(scope);
  const size_t scope_number = functions.scopes.size();
  functions.scopes.push_back(scope_name);
  do {
    if (nested && opens_scope(&die))
      add_unit_functions(&die, scope_name + name_of_scope(&die) + "::", depth + 1, functions);
    if (dwarf_tag(&die) != DW_TAG_subprogram) continue;
    Dwarf_Addr entry;
    if (nested) functions.scope_of.emplace(handle_of(&die), scope_number);
    if (entry_address(&die, &entry)) functions.by_address.emplace(entry + bias_, handle_of(&die));
    if (dwarf_hasattr(&die, DW_AT_inline)) functions.inlined.push_back(handle_of(&die));
  } while (dwarf_siblingof(&die, &die) == 0);
}

std::string DwarfModule::name_in_unit(Dwarf_Die *function, const UnitFunctions &unit) {
  Dwarf_Die die = *function;
  to_declaration(&die);
  const char *text = dwarf_diename(&die);
  const auto scope = unit.scope_of.find(handle_of(&die));
  if (scope == unit.scope_of.end()) return scoped_name(function);
  return unit.scopes[scope->second] + (text ? text : "");
}

bool DwarfModule::unit_of_address(uint64_t address, Dwarf_Die *unit) {
  Dwarf_Addr bias;
  if (Dwarf_Die *die = dwfl_module_addrdie(module_, address, &bias)) {
    *unit = *die;
    use_split_unit(unit);
    return true;
  }
  // clang writes no .debug_aranges, which that was found by.
  if (unit_ranges_.empty()) read_unit_ranges();
  const auto after = unit_ranges_.upper_bound(address);
  if (after == unit_ranges_.begin()) return false;
  const auto &[low, range] = *std::prev(after);
  return address < range.high && unit_at(range.unit, unit);
}

void DwarfModule::read_unit_ranges() {
  for (const Unit &unit : units()) {
    Dwarf_Die die;
    Dwarf_Addr base, low, high;
    if (!die_at(unit.die, &die)) continue;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(&die, next, &base, &low, &high)) > 0;)
      unit_ranges_[low + bias_] = {high + bias_, unit.die};
  }
}

// The name of the file that has the rest of a unit, when it is not there; else "".
static std::string missing_rest(Dwarf_Die *unit) {
  Dwarf_Attribute attribute;
  for (const unsigned name : {unsigned(DW_AT_dwo_name), unsigned(DW_AT_GNU_dwo_name)})
    if (const char *file = dwarf_formstring(dwarf_attr(unit, name, &attribute))) return file;
  return "";
}

std::string DwarfModule::why_undescribed(const FunctionSite &site) {
  constexpr GElf_Word zstd = 2;  // ELFCOMPRESS_ZSTD, which elf.h does not have everywhere
  if (!dwarf_) {
    if (compression_of(elf_, ".debug_info") == zstd)
      return fmt::format(
          "the debuginfo (DWARF) of '{}' is compressed by zstd, which the elfutils here can't read; objcopy "
          "--decompress-debug-sections makes a file that they can",
          binary_.path);
    return fmt::format("'{}' has no debuginfo (DWARF), only symbols", binary_.path);
  }
  Dwarf_Die unit;
  // What stands in for a unit is given only when the rest of it is not found.
  if (!unit_of_address(site.address, &unit)) return "";
  const std::string rest = missing_rest(&unit);
  return rest.empty() || dwarf_haschildren(&unit)
             ? ""
             : fmt::format("the debuginfo is in a file of its own (-gsplit-dwarf), '{}', which is not there", rest);
}

bool DwarfModule::die_of_function(uint64_t address, Dwarf_Die *die) {
  Dwarf_Die unit;
  if (!unit_of_address(address, &unit)) return false;
  const UnitFunctions &functions = functions_of_unit(handle_of(&unit));
  auto it = functions.by_address.find(address);
  return it != functions.by_address.end() && die_at(it->second, die);
}
