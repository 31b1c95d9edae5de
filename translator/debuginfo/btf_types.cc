// SPDX-License-Identifier: GPL-2.0-or-later
// The BTF source: types, their C spelling and their members.
#include "debuginfo/btf_module.h"

namespace {

constexpr int max_type_depth = 32;
// Parts of one spelling: a prototype that takes itself twice would be written for ever.
constexpr unsigned max_spelled = 1000;

bool is_transparent(BtfKind kind) {
  return kind == BtfKind::Typedef || kind == BtfKind::Const || kind == BtfKind::Volatile || kind == BtfKind::Restrict ||
         kind == BtfKind::TypeTag;
}

std::string tagged(const char *keyword, const char *tag) { return std::string(keyword) + " " + (*tag ? tag : "{...}"); }

// The word after a BTF_KIND_INT.
struct IntEncoding {
  uint32_t word;
  bool is_signed() const { return word >> 24 & 1; }
  bool is_bool() const { return word >> 24 & 4; }
  uint32_t bit_offset() const { return word >> 16 & 0xff; }
  uint32_t bits() const { return word & 0xff; }
};

}  // namespace

uint32_t BtfModule::peel(uint32_t id) const {
  for (int depth = 0; depth < max_type_depth; depth++) {
    const BtfType &t = btf_->type(id);
    if (!is_transparent(t.kind())) return id;
    id = t.size_or_type;
  }
  return 0;
}

std::string BtfModule::spell_prototype(const BtfType &t, int depth) const {
  std::string text = spell(t.size_or_type, depth + 1) + " ()(";
  const BtfParameter *parameters = t.items<BtfParameter>();
  for (uint32_t i = 0; i < t.count(); i++) {
    if (i) text += ", ";
    text += parameters[i].type ? spell(parameters[i].type, depth + 1) : "...";
  }
  return text + (t.count() ? ")" : "void)");
}

// C text of a type, in the words of the DWARF source (DwarfModule::spell).
std::string BtfModule::spell(uint32_t id, int depth) const {
  if (depth == 0) spelled_ = 0;
  if (depth > max_type_depth || ++spelled_ > max_spelled) return "?";
  const BtfType &t = btf_->type(id);
  const char *name = btf_->name(t);
  switch (t.kind()) {
    case BtfKind::Void: return "void";
    case BtfKind::Struct: return tagged("struct", name);
    case BtfKind::Union: return tagged("union", name);
    case BtfKind::Enum:
    case BtfKind::Enum64: return tagged("enum", name);
    case BtfKind::Forward: return tagged(t.flag() ? "union" : "struct", name);
    case BtfKind::Const: return "const " + spell(t.size_or_type, depth + 1);
    case BtfKind::Volatile: return "volatile " + spell(t.size_or_type, depth + 1);
    case BtfKind::Restrict:
    case BtfKind::TypeTag: return spell(t.size_or_type, depth + 1);
    case BtfKind::Pointer: {
      std::string target = spell(t.size_or_type, depth + 1);
      size_t call = target.find("()(");
      if (call != target.npos) return target.insert(call + 1, "*");
      return target + "*";
    }
    case BtfKind::Array: {
      std::string counts;
      const BtfType *array = &t;
      uint32_t element = 0;
      for (int i = 0; i < max_type_depth && array->kind() == BtfKind::Array; i++) {
        const BtfArray *a = array->items<BtfArray>();
        counts += "[" + (a->count ? std::to_string(a->count) : "") + "]";
        element = a->element;
        array = &btf_->type(element);
      }
      return spell(element, depth + 1) + " " + counts;
    }
    case BtfKind::Prototype: return spell_prototype(t, depth);
    case BtfKind::Int:
    case BtfKind::Typedef:
    case BtfKind::Function:
    case BtfKind::Variable:
    case BtfKind::DataSection:
    case BtfKind::Float:
    case BtfKind::DeclTag: break;
  }
  return *name ? name : "?";
}

void BtfModule::make_enum(const BtfType &t, TargetType &type) {
  type.kind = TypeKind::Enum;
  type.tag = btf_->name(t);
  type.size = t.size_or_type;
  type.is_signed = t.flag();
  // Without the flag, a negative value tells, or a very large one.
  if (t.kind() == BtfKind::Enum && !btf_->flags_signed_enums())
    for (uint32_t i = 0; i < t.count(); i++) type.is_signed |= t.items<BtfEnumerator>()[i].value < 0;
}

void BtfModule::make_type(uint32_t id, TargetType &type) {
  type.spelling = spell(id, 0);
  id = peel(id);
  type.id = id;
  const BtfType &t = btf_->type(id);
  switch (t.kind()) {
    case BtfKind::Void: type.kind = TypeKind::Void; break;
    case BtfKind::Int: {
      IntEncoding encoding{*t.items<uint32_t>()};
      bool is_char = t.size_or_type == 1 && std::string_view(btf_->name(t)).find("char") != std::string_view::npos;
      type.kind = encoding.is_bool() ? TypeKind::Boolean : is_char ? TypeKind::Character : TypeKind::Integer;
      type.size = t.size_or_type;
      type.is_signed = encoding.is_signed();
      break;
    }
    case BtfKind::Float:
      type.kind = TypeKind::Float;
      type.size = t.size_or_type;
      break;
    case BtfKind::Pointer:
      type.kind = TypeKind::Pointer;
      type.size = 8;
      type.target_id = t.size_or_type;
      type.has_target = t.size_or_type;
      break;
    case BtfKind::Struct:
    case BtfKind::Union:
      type.kind = t.kind() == BtfKind::Union ? TypeKind::Union : TypeKind::Struct;
      type.tag = btf_->name(t);
      type.size = t.size_or_type;
      break;
    case BtfKind::Forward:
      type.kind = t.flag() ? TypeKind::Union : TypeKind::Struct;
      type.tag = btf_->name(t);
      type.is_declaration = true;
      break;
    case BtfKind::Enum:
    case BtfKind::Enum64: make_enum(t, type); break;
    case BtfKind::Array:
      type.kind = TypeKind::Array;
      type.count = t.items<BtfArray>()->count;
      type.target_id = t.items<BtfArray>()->element;
      type.has_target = type.target_id;
      break;
    case BtfKind::Prototype:
      type.kind = TypeKind::Function;
      type.target_id = t.size_or_type;
      type.has_target = t.size_or_type;
      break;
    case BtfKind::Typedef:
    case BtfKind::Volatile:
    case BtfKind::Const:
    case BtfKind::Restrict:
    case BtfKind::Function:
    case BtfKind::Variable:
    case BtfKind::DataSection:
    case BtfKind::DeclTag:
    case BtfKind::TypeTag: type.kind = TypeKind::Unknown;
  }
}

const TargetType *BtfModule::type_at(uint64_t id) {
  std::unique_ptr<TargetType> &slot = types_[id];
  if (slot) return slot.get();
  slot = std::make_unique<TargetType>();
  slot->source = this;
  TargetType *type = slot.get();
  make_type(uint32_t(id), *type);
  return type;
}

void BtfModule::load_members(const TargetType &type, std::vector<TargetMember> &members) {
  const BtfType &t = btf_->type(uint32_t(type.id));
  if (t.kind() != BtfKind::Struct && t.kind() != BtfKind::Union) return;
  for (uint32_t i = 0; i < t.count(); i++) {
    const BtfMember &m = t.items<BtfMember>()[i];
    TargetMember member;
    member.name = btf_->string(m.name);
    member.type = type_at(m.type);
    uint64_t bits = t.flag() ? m.offset & 0xffffff : m.offset;
    uint64_t width = t.flag() ? m.offset >> 24 : 0;
    // Before the flag was invented a bit-field was told by its integer's own width.
    const BtfType &plain = btf_->type(peel(m.type));
    if (!t.flag() && plain.kind() == BtfKind::Int) {
      IntEncoding encoding{*plain.items<uint32_t>()};
      if (encoding.bits() != plain.size_or_type * 8) {
        bits += encoding.bit_offset();
        width = encoding.bits();
      }
    }
    member.offset = bits / 8;
    if (width && !place_bit_field(member, bits, width, member.type->object_size())) continue;
    members.push_back(std::move(member));
  }
}

static int64_t enumerator_value(const Btf &btf, const BtfType &t, uint32_t i) {
  if (t.kind() == BtfKind::Enum64) {
    const BtfEnumerator64 &e = t.items<BtfEnumerator64>()[i];
    return int64_t(uint64_t(e.high) << 32 | e.low);
  }
  const int32_t value = t.items<BtfEnumerator>()[i].value;
  return t.flag() || !btf.flags_signed_enums() ? value : int64_t(uint32_t(value));
}

void BtfModule::load_enumerators(const TargetType &type, std::vector<TargetEnumerator> &enumerators) {
  const BtfType &t = btf_->type(uint32_t(type.id));
  const bool is_wide = t.kind() == BtfKind::Enum64;
  if (!is_wide && t.kind() != BtfKind::Enum) return;
  for (uint32_t i = 0; i < t.count(); i++) {
    const uint32_t name = is_wide ? t.items<BtfEnumerator64>()[i].name : t.items<BtfEnumerator>()[i].name;
    enumerators.push_back({btf_->string(name), enumerator_value(*btf_, t, i)});
  }
}

std::optional<int64_t> BtfModule::find_enumerator(const std::string &name) {
  const std::optional<Btf::Constant> found = btf_->find_enumerator(name);
  if (!found) return std::nullopt;
  return enumerator_value(*btf_, btf_->type(found->type), found->position);
}

const TargetType *BtfModule::find_type(const std::string &wanted) {
  auto [it, is_new] = types_by_name_.try_emplace(wanted, nullptr);
  if (!is_new) return it->second;
  struct {
    std::string_view keyword;
    BtfKind kind, other;
  } const keywords[] = {{"struct ", BtfKind::Struct, BtfKind::Struct},
                        {"union ", BtfKind::Union, BtfKind::Union},
                        {"enum ", BtfKind::Enum, BtfKind::Enum64}};
  uint32_t id = 0;
  for (auto &k : keywords)
    if (wanted.starts_with(k.keyword)) {
      id = btf_->find(wanted.substr(k.keyword.size()),
                      [&](const BtfType &t) { return t.kind() == k.kind || t.kind() == k.other; });
      return types_by_name_[wanted] = id ? type_at(id) : nullptr;
    }
  id = btf_->find(wanted, [](const BtfType &t) {
    BtfKind kind = t.kind();
    return kind == BtfKind::Struct || kind == BtfKind::Union || kind == BtfKind::Typedef || kind == BtfKind::Int ||
           kind == BtfKind::Float || kind == BtfKind::Enum || kind == BtfKind::Enum64;
  });
  return types_by_name_[wanted] = id ? type_at(id) : nullptr;
}
