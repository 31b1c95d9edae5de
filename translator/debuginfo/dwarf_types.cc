// SPDX-License-Identifier: GPL-2.0-or-later
// The DWARF source: types, their C spelling and their members.
#include <dwarf.h>

#include <cstring>

#include "debuginfo/dwarf_module.h"
#include "debuginfo/mangled.h"

namespace {

// Nesting that no C type has; deeper means a damaged, cyclic description.
constexpr int max_type_depth = 32;
// Parts of one spelling: a prototype that takes itself twice would be written for ever.
constexpr unsigned max_spelled = 1000;

bool target_die(Dwarf_Die *die, Dwarf_Die *target) {
  Dwarf_Attribute attribute;
  return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, target);
}

bool unsigned_attribute(Dwarf_Die *die, unsigned name, uint64_t *value) {
  Dwarf_Attribute attribute;
  Dwarf_Word word;
  if (!dwarf_attr_integrate(die, name, &attribute) || dwarf_formudata(&attribute, &word) != 0) return false;
  *value = word;
  return true;
}

bool is_qualifier(int tag) {
  return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
         tag == DW_TAG_atomic_type;
}

// Takes off typedefs and qualifiers; false for void or a cycle.
bool peel(Dwarf_Die *die) {
  for (int depth = 0; depth < max_type_depth; depth++) {
    int tag = dwarf_tag(die);
    if (tag != DW_TAG_typedef && !is_qualifier(tag)) return true;
    if (!target_die(die, die)) return false;
  }
  return false;
}

// Elements of a one-dimensional array; gcc gives an upper bound, clang a count.
uint64_t subrange_count(Dwarf_Die *subrange) {
  uint64_t value;
  if (unsigned_attribute(subrange, DW_AT_count, &value)) return value;
  Dwarf_Attribute attribute;
  if (!dwarf_attr(subrange, DW_AT_upper_bound, &attribute)) return 0;
  Dwarf_Word bound;
  if (dwarf_formudata(&attribute, &bound) != 0 || bound == UINT64_MAX || bound == UINT32_MAX) return 0;
  return bound + 1;
}

std::vector<uint64_t> dimensions(Dwarf_Die *array) {
  std::vector<uint64_t> counts;
  Dwarf_Die child;
  if (dwarf_child(array, &child) != 0) return counts;
  do {
    if (dwarf_tag(&child) == DW_TAG_subrange_type) counts.push_back(subrange_count(&child));
  } while (counts.size() < size_t(max_type_depth) && dwarf_siblingof(&child, &child) == 0);
  return counts;
}

// An array of several dimensions is one DIE; its inner arrays get ids in the top bits.
constexpr int dimension_shift = 56;
constexpr uint64_t die_mask = (uint64_t(1) << dimension_shift) - 1;

TypeKind kind_of_base(Dwarf_Die *die, bool *is_signed) {
  uint64_t encoding = 0;
  unsigned_attribute(die, DW_AT_encoding, &encoding);
  *is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
  switch (encoding) {
    case DW_ATE_boolean: return TypeKind::Boolean;
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char: return TypeKind::Character;
    case DW_ATE_signed:
    case DW_ATE_unsigned:
    case DW_ATE_UTF:
    case DW_ATE_address: return TypeKind::Integer;
    case DW_ATE_float:
    case DW_ATE_complex_float: return TypeKind::Float;
    default: return TypeKind::Unknown;
  }
}

bool enum_is_signed(Dwarf_Die *die) {
  Dwarf_Die base, child;
  bool is_signed = false;
  if (target_die(die, &base) && peel(&base)) {
    kind_of_base(&base, &is_signed);
    return is_signed;
  }
  if (dwarf_child(die, &child) != 0) return false;
  do {
    Dwarf_Attribute attribute;
    Dwarf_Sword value;
    if (dwarf_attr(&child, DW_AT_const_value, &attribute) && dwarf_whatform(&attribute) != DW_FORM_udata &&
        dwarf_formsdata(&attribute, &value) == 0 && value < 0)
      return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

bool enumerator_value(Dwarf_Die *enumerator, bool is_signed, int64_t *value) {
  Dwarf_Attribute attribute;
  Dwarf_Sword number;
  Dwarf_Word word;
  if (!dwarf_attr(enumerator, DW_AT_const_value, &attribute)) return false;
  if (!is_signed && dwarf_formudata(&attribute, &word) == 0) {
    *value = int64_t(word);
    return true;
  }
  if (dwarf_formsdata(&attribute, &number) != 0) return false;
  *value = number;
  return true;
}

bool is_class(int tag) { return tag == DW_TAG_structure_type || tag == DW_TAG_class_type; }

bool is_type_tag(int tag) {
  return is_class(tag) || tag == DW_TAG_union_type || tag == DW_TAG_typedef || tag == DW_TAG_base_type ||
         tag == DW_TAG_enumeration_type;
}

std::string tagged(const char *keyword, Dwarf_Die *die) {
  const char *name = dwarf_diename(die);
  return std::string(keyword) + " " + (name ? name : "{...}");
}

}  // namespace

const TargetType *DwarfModule::void_type() { return &void_; }

std::string DwarfModule::spell_target(Dwarf_Die *die, int depth) {
  Dwarf_Die target;
  return target_die(die, &target) ? spell(&target, depth + 1) : "void";
}

// C text of a type: "const struct file*", "char [16]", "int (*)(void*)".
std::string DwarfModule::spell(Dwarf_Die *die, int depth) {
  if (depth == 0) spelled_ = 0;
  if (depth > max_type_depth || ++spelled_ > max_spelled) return "?";
  const char *name = dwarf_diename(die);
  switch (dwarf_tag(die)) {
    case DW_TAG_structure_type: return tagged("struct", die);
    case DW_TAG_class_type: return tagged("class", die);
    case DW_TAG_union_type: return tagged("union", die);
    case DW_TAG_enumeration_type: return tagged("enum", die);
    case DW_TAG_const_type: return "const " + spell_target(die, depth);
    case DW_TAG_volatile_type: return "volatile " + spell_target(die, depth);
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type: return spell_target(die, depth);
    case DW_TAG_pointer_type: {
      std::string target = spell_target(die, depth);
      size_t call = target.find("()(");  // a function's spelling: result, "()", arguments
      if (call != target.npos) return target.insert(call + 1, "*");
      return target + "*";
    }
    case DW_TAG_reference_type: return spell_target(die, depth) + "&";
    case DW_TAG_rvalue_reference_type: return spell_target(die, depth) + "&&";
    case DW_TAG_array_type: {
      std::string text = spell_target(die, depth) + " ";
      std::vector<uint64_t> counts = dimensions(die);
      if (counts.empty()) counts.push_back(0);
      for (uint64_t count : counts) text += "[" + (count ? std::to_string(count) : "") + "]";
      return text;
    }
    case DW_TAG_subroutine_type: {
      std::string text = spell_target(die, depth) + " ()(";
      Dwarf_Die child;
      bool first = true;
      if (dwarf_child(die, &child) == 0) do {
          if (dwarf_tag(&child) != DW_TAG_formal_parameter && dwarf_tag(&child) != DW_TAG_unspecified_parameters)
            continue;
          if (!first) text += ", ";
          first = false;
          text += dwarf_tag(&child) == DW_TAG_formal_parameter ? spell_target(&child, depth) : "...";
        } while (dwarf_siblingof(&child, &child) == 0);
      return text + (first ? "void)" : ")");
    }
    default: return name ? name : "?";
  }
}

void DwarfModule::set_target(Dwarf_Die *die, TargetType &type) {
  Dwarf_Die target;
  type.has_target = target_die(die, &target);
  if (type.has_target) type.target_id = handle_of(&target);
}

void DwarfModule::make_type(Dwarf_Die *die, TargetType &type, int dimension) {
  type.source = this;
  type.spelling = spell(die, 0);
  if (!peel(die)) {
    type.kind = TypeKind::Void;
    return;
  }
  type.id = handle_of(die);
  unsigned_attribute(die, DW_AT_byte_size, &type.size);
  const char *tag_name = dwarf_diename(die);
  switch (dwarf_tag(die)) {
    case DW_TAG_base_type: type.kind = kind_of_base(die, &type.is_signed); break;
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
    case DW_TAG_pointer_type:
      type.kind = TypeKind::Pointer;
      if (!type.size) type.size = 8;
      set_target(die, type);
      break;
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
      type.kind = dwarf_tag(die) == DW_TAG_union_type ? TypeKind::Union : TypeKind::Struct;
      type.tag = tag_name ? tag_name : "";
      type.is_declaration = dwarf_hasattr(die, DW_AT_declaration);
      break;
    case DW_TAG_enumeration_type:
      type.kind = TypeKind::Enum;
      type.tag = tag_name ? tag_name : "";
      type.is_signed = enum_is_signed(die);
      break;
    case DW_TAG_array_type: {
      type.kind = TypeKind::Array;
      std::vector<uint64_t> counts = dimensions(die);
      if (size_t(dimension) < counts.size()) type.count = counts[dimension];
      set_target(die, type);
      if (size_t(dimension) + 1 < counts.size()) {
        type.has_target = true;
        type.target_id = handle_of(die) | uint64_t(dimension + 1) << dimension_shift;
      }
      if (dimension) {  // "int [2][3]" of "int [4][2][3]"
        type.spelling = spell_target(die, 0) + " ";
        for (size_t i = dimension; i < counts.size(); i++) type.spelling += "[" + std::to_string(counts[i]) + "]";
      }
      break;
    }
    case DW_TAG_subroutine_type:
      type.kind = TypeKind::Function;
      set_target(die, type);
      break;
    default: type.kind = TypeKind::Unknown;
  }
}

const TargetType *DwarfModule::type_at(uint64_t id) {
  std::unique_ptr<TargetType> &slot = types_[id];
  if (slot) return slot.get();
  slot = std::make_unique<TargetType>();
  TargetType *type = slot.get();
  type->source = this;
  type->spelling = "?";
  Dwarf_Die die;
  if (die_at(id & die_mask, &die)) make_type(&die, *type, int(id >> dimension_shift));
  return type;
}

void DwarfModule::load_members(const TargetType &type, std::vector<TargetMember> &members) {
  Dwarf_Die die, child, target;
  if (!die_at(type.id & die_mask, &die) || dwarf_child(&die, &child) != 0) return;
  do {
    // A base class is a member without a name. Static members are not in the object.
    const int tag = dwarf_tag(&child);
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !target_die(&child, &target)) continue;
    if (dwarf_hasattr(&child, DW_AT_external) || dwarf_hasattr(&child, DW_AT_virtuality)) continue;
    TargetMember member;
    const char *name = tag == DW_TAG_member ? dwarf_diename(&child) : nullptr;
    member.name = name ? name : "";
    member.type = type_at(handle_of(&target));
    unsigned_attribute(&child, DW_AT_data_member_location, &member.offset);
    uint64_t width = 0, bits = 0, storage = member.type->object_size();
    if (unsigned_attribute(&child, DW_AT_bit_size, &width) && width && width <= 64) {
      if (unsigned_attribute(&child, DW_AT_data_bit_offset, &bits)) {
        // DWARF 4 and later: counted from the start of the structure.
      } else if (unsigned_attribute(&child, DW_AT_bit_offset, &bits)) {
        // DWARF 2: from the most significant bit of the storage unit.
        uint64_t unit = storage;
        unsigned_attribute(&child, DW_AT_byte_size, &unit);
        if (bits + width > unit * 8) continue;
        bits = member.offset * 8 + unit * 8 - bits - width;
      } else {
        bits = member.offset * 8;
      }
      if (!place_bit_field(member, bits, width, storage)) continue;
    }
    members.push_back(std::move(member));
  } while (dwarf_siblingof(&child, &child) == 0);
}

void DwarfModule::load_enumerators(const TargetType &type, std::vector<TargetEnumerator> &enumerators) {
  Dwarf_Die die, child;
  if (!die_at(type.id & die_mask, &die) || dwarf_child(&die, &child) != 0) return;
  do {
    const char *name = dwarf_diename(&child);
    int64_t value;
    if (dwarf_tag(&child) == DW_TAG_enumerator && name && enumerator_value(&child, type.is_signed, &value))
      enumerators.push_back({name, value});
  } while (dwarf_siblingof(&child, &child) == 0);
}

std::optional<int64_t> DwarfModule::find_enumerator(const std::string &wanted) {
  units();
  for (size_t index : units_mentioning(wanted)) {
    Dwarf_Die unit, die;
    if (!unit_at(units_[index].die, &unit) || dwarf_child(&unit, &die) != 0) continue;
    do {
      if (dwarf_tag(&die) != DW_TAG_enumeration_type) continue;
      for (const TargetEnumerator &e : type_at(handle_of(&die))->enumerators())
        if (e.name == wanted) return e.value;
    } while (dwarf_siblingof(&die, &die) == 0);
  }
  return std::nullopt;
}

// The first definition among the outermost DIEs; tag 0 accepts any type.
// A type of the scope, or of scopes in it. `wanted` may be qualified by these: "shape::square".
bool DwarfModule::find_in_scope(Dwarf_Die *scope, const std::string &wanted, int tag, int depth, Dwarf_Die *found) {
  Dwarf_Die die;
  if (depth > max_type_depth || dwarf_child(scope, &die) != 0) return false;
  do {
    const int this_tag = dwarf_tag(&die);
    const char *text = dwarf_diename(&die);
    if (is_type_tag(this_tag) && (!tag || this_tag == tag || (tag == DW_TAG_structure_type && is_class(this_tag))) &&
        text && wanted == text && !dwarf_hasattr(&die, DW_AT_declaration)) {
      *found = die;
      return true;
    }
    if (!has_scopes(scope) || !opens_scope(&die)) continue;
    const std::string prefix = std::string(text ? text : "") + "::";
    const std::string &inner = wanted.starts_with(prefix) ? wanted.substr(prefix.size()) : wanted;
    if (find_in_scope(&die, inner, tag, depth + 1, found)) return true;
  } while (dwarf_siblingof(&die, &die) == 0);
  return false;
}

bool DwarfModule::find_definition(const std::string &wanted, int tag, Dwarf_Die *found) {
  uint64_t offset;
  if (indexed_type(wanted, tag, offset) && offset) return die_at(offset, found);
  if (index_ && !binary_.is_file()) return false;
  units();
  for (size_t index : units_mentioning(unqualified(wanted))) {
    Dwarf_Die unit;
    if (unit_at(units_[index].die, &unit) && find_in_scope(&unit, wanted, tag, 0, found)) return true;
  }
  return false;
}

const TargetType *DwarfModule::find_type(const std::string &wanted) {
  auto [it, is_new] = types_by_name_.try_emplace(wanted, nullptr);
  if (!is_new) return it->second;
  std::string tag_name = wanted;
  int tag = 0;
  struct {
    const char *keyword;
    int tag;
  } const keywords[] = {{"struct ", DW_TAG_structure_type},
                        {"class ", DW_TAG_structure_type},
                        {"union ", DW_TAG_union_type},
                        {"enum ", DW_TAG_enumeration_type}};
  for (auto &k : keywords)
    if (wanted.starts_with(k.keyword)) {
      tag = k.tag;
      tag_name = wanted.substr(strlen(k.keyword));
    }
  Dwarf_Die die;
  const TargetType *type = find_definition(tag_name, tag, &die) ? type_at(handle_of(&die)) : nullptr;
  return types_by_name_[wanted] = type;
}
