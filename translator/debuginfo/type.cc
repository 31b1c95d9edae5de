// SPDX-License-Identifier: GPL-2.0-or-later
// C types of the probed program: following targets, members and forward declarations.
#include "debuginfo/type.h"

namespace {

// The full definition of a forward-declared struct or union; the type itself when there is none.
const TargetType *definition(const TargetType *type) {
  if (!type->is_declaration || !type->source || type->tag.empty()) return type;
  const char *keyword = type->kind == TypeKind::Union ? "union " : "struct ";
  const TargetType *full = type->source->find_type(keyword + type->tag);
  return full && !full->is_declaration ? full : type;
}

}  // namespace

bool place_bit_field(TargetMember &member, uint64_t bits, uint64_t width, uint64_t storage) {
  if (storage != 1 && storage != 2 && storage != 4 && storage != 8) storage = 8;
  member.offset = bits / 8 / storage * storage;
  if (bits - member.offset * 8 + width > storage * 8) {  // packed: crosses its storage unit
    member.offset = bits / 8;
    storage = 8;
    if (bits % 8 + width > 64) return false;
  }
  member.storage = uint32_t(storage);
  member.bit_shift = uint32_t(bits - member.offset * 8);
  member.bit_width = uint32_t(width);
  return true;
}

static bool holds_floats(const TargetType &type, int depth) {
  constexpr int max_depth = 16;
  if (type.kind == TypeKind::Float || depth > max_depth) return true;
  if (type.kind == TypeKind::Array) return holds_floats(*type.target(), depth + 1);
  if (!type.is_composite()) return false;
  for (const TargetMember &member : type.members())
    if (holds_floats(*member.type, depth + 1)) return true;
  return false;
}

bool TargetType::has_floats() const { return holds_floats(*this, 0); }

bool TargetType::in_user_space() const { return source && source->address_space() == AddressSpace::User; }

const TargetType *TargetType::target() const {
  if (!source) return this;
  return has_target ? source->type_at(target_id) : source->void_type();
}

const std::vector<TargetMember> &TargetType::members() const {
  const TargetType *full = definition(this);
  if (full != this) return full->members();
  if (!members_loaded) {
    members_loaded = true;
    if (source && !is_declaration) source->load_members(*this, member_cache);
  }
  return member_cache;
}

const std::vector<TargetEnumerator> &TargetType::enumerators() const {
  if (!enumerators_loaded) {
    enumerators_loaded = true;
    if (source && kind == TypeKind::Enum) source->load_enumerators(*this, enumerator_cache);
  }
  return enumerator_cache;
}

uint64_t TargetType::object_size() const {
  if (kind == TypeKind::Array) {
    const TargetType *element = this;
    uint64_t total = 1;
    // Nested arrays are few; the bound only guards against a damaged, cyclic description.
    for (int depth = 0; depth < 16 && element->kind == TypeKind::Array; depth++) {
      total *= element->count;
      element = element->target();
    }
    return element->kind == TypeKind::Array ? 0 : total * element->object_size();
  }
  const TargetType *full = definition(this);
  return full->size;
}
