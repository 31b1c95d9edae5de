// SPDX-License-Identifier: GPL-2.0-or-later
// C types of the probed program, as target variables need them: sizes, signs, members; read on demand from a
// TypeSource.
//
// A type may come from DWARF or from BTF: a TypeSource makes TargetType objects
// from its own type numbers and fills in members when they are first asked for.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "debuginfo/binary.h"

class TypeSource;
struct TargetType;

enum class TypeKind : uint8_t {
  Void,
  Integer,
  Boolean,
  Character,
  Float,
  Enum,
  Pointer,
  Array,
  Struct,
  Union,
  Function,
  Unknown,
};

struct TargetMember {
  std::string name;  // "" when anonymous
  const TargetType *type = nullptr;
  uint64_t offset = 0;     // bytes from the start of the structure (of its storage unit, for a bit-field)
  uint32_t bit_width = 0;  // of a bit-field, else 0
  uint32_t bit_shift = 0;  // from the least significant bit of `storage` bytes at `offset`
  uint32_t storage = 0;    // bytes to load for a bit-field: 1, 2, 4 or 8
};

// Says which bytes to load for a bit-field of `width` bits that begins `bits` bits into the structure and is declared
// with a type of `storage` bytes. False when no one load holds it.
bool place_bit_field(TargetMember &member, uint64_t bits, uint64_t width, uint64_t storage);

struct TargetEnumerator {
  std::string name;
  int64_t value = 0;
};

struct TargetType {
  TypeKind kind = TypeKind::Unknown;
  std::string spelling;  // C text: "struct sk_buff*", "size_t"
  std::string tag;       // of a struct, union or enum
  uint64_t size = 0;     // bytes; 0 when not known
  bool is_signed = false;
  bool is_declaration = false;  // struct without its members here
  uint64_t count = 0;           // of an array, 0: not known
  TypeSource *source = nullptr;
  uint64_t id = 0;          // in the source, qualifiers and typedefs taken off
  uint64_t target_id = 0;   // of what is pointed to, of the element, of a function's result
  bool has_target = false;  // else it is void

  bool is_scalar() const {
    return kind == TypeKind::Integer || kind == TypeKind::Boolean || kind == TypeKind::Character ||
           kind == TypeKind::Enum || kind == TypeKind::Pointer;
  }
  bool is_composite() const { return kind == TypeKind::Struct || kind == TypeKind::Union; }
  // What a pointer points to, an array is made of, a function returns; void's type when there is none.
  const TargetType *target() const;
  // Are objects of the type in a process, not in the kernel?
  bool in_user_space() const;
  // Members of a struct or union, those of a full declaration elsewhere when this is only a forward one.
  const std::vector<TargetMember> &members() const;
  // Names and values of an enumeration, as declared.
  const std::vector<TargetEnumerator> &enumerators() const;
  // Bytes of one object; follows a forward declaration; arrays count their elements. 0 when not known.
  uint64_t object_size() const;
  // Is it a floating-point number, or an array or structure with one in it?
  bool has_floats() const;
  bool is_char() const { return size == 1 && (kind == TypeKind::Character || spelling == "char"); }

  mutable bool members_loaded = false, enumerators_loaded = false;
  mutable std::vector<TargetMember> member_cache;
  mutable std::vector<TargetEnumerator> enumerator_cache;
};

// Where types come from. Objects it returns live as long as the source.
class TypeSource {
 public:
  virtual ~TypeSource() = default;
  // Where objects of its types are.
  virtual AddressSpace address_space() const = 0;
  // The type with that number; never null (Unknown for what can't be read).
  virtual const TargetType *type_at(uint64_t id) = 0;
  virtual const TargetType *void_type() = 0;
  virtual void load_members(const TargetType &type, std::vector<TargetMember> &members) = 0;
  virtual void load_enumerators(const TargetType &type, std::vector<TargetEnumerator> &enumerators) = 0;
  // The full definition of "struct foo", "union foo", "enum foo", a typedef or a base type; null when there is none.
  virtual const TargetType *find_type(const std::string &name) = 0;
};
