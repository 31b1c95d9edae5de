// SPDX-License-Identifier: GPL-2.0-or-later
// Reader of BTF, the compact type description in the kernel image and in each module.
//
// The format is that of Documentation/bpf/btf.rst: a header, the types one after
// another, numbered from 1 as they come, and a string table. A module's BTF
// continues the kernel's: its first type has the number after the kernel's last
// one, and its string offsets begin at the end of the kernel's strings.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

enum class BtfKind : uint8_t {
  Void,
  Int,
  Pointer,
  Array,
  Struct,
  Union,
  Enum,
  Forward,
  Typedef,
  Volatile,
  Const,
  Restrict,
  Function,
  Prototype,
  Variable,
  DataSection,
  Float,
  DeclTag,
  TypeTag,
  Enum64,
};

// One record as it lies in the file; what follows it depends on the kind.
struct BtfType {
  uint32_t name;
  uint32_t info;
  uint32_t size_or_type;
  BtfKind kind() const { return BtfKind(info >> 24 & 0x1f); }
  uint32_t count() const { return info & 0xffff; }
  bool flag() const { return info >> 31; }
  // The records after this one.
  template <class T> const T *items() const { return reinterpret_cast<const T *>(this + 1); }
};
struct BtfArray {
  uint32_t element, index, count;
};
struct BtfMember {
  uint32_t name, type, offset;
};
struct BtfEnumerator {
  uint32_t name;
  int32_t value;
};
struct BtfEnumerator64 {
  uint32_t name, low, high;
};
// A variable in a section: its record's number, and where it is in the section.
struct BtfPlaced {
  uint32_t variable, offset, size;
};
struct BtfParameter {
  uint32_t name, type;
};

class Btf {
 public:
  // Checks and indexes `bytes`. They and `base` must live as long as the result.
  static Result<std::unique_ptr<Btf>> parse(std::string_view bytes, const Btf *base);
  // The type with that number; that of void (0) for a number out of range.
  const BtfType &type(uint32_t id) const;
  const char *string(uint32_t offset) const;  // "" out of range
  // Do signed enumerations carry a flag? Older encoders don't know it.
  bool flags_signed_enums() const { return flags_signed_enums_ || (base_ && base_->flags_signed_enums()); }
  const char *name(const BtfType &t) const { return string(t.name); }
  uint32_t first_id() const { return first_id_; }  // of this file's own types
  uint32_t end_id() const { return first_id_ + uint32_t(offsets_.size()); }
  // The first type with this name for which accept(type) holds, own ones first; 0: none.
  template <class F> uint32_t find(const std::string &wanted, F accept) const {
    if (const std::optional<uint32_t> at = string_offset(wanted))
      for (uint32_t id = first_id_ ? first_id_ : 1; id < end_id(); id++)
        if (const BtfType &t = type(id); t.name == *at && accept(t)) return id;
    // A module's own type may be named in the kernel's strings.
    if (const std::optional<uint32_t> at = base_ ? base_->string_offset(wanted) : std::nullopt)
      for (uint32_t id = first_id_; id < end_id(); id++)
        if (const BtfType &t = type(id); t.name == *at && accept(t)) return id;
    return base_ ? base_->find(wanted, accept) : 0;
  }

  // A constant of an enumeration: the type's number, and the constant's place among the type's.
  struct Constant {
    uint32_t type, position;
  };
  // The first constant with this name, own ones first.
  std::optional<Constant> find_enumerator(const std::string &wanted) const;

 private:
  std::optional<Constant> constant_named(std::optional<uint32_t> name) const;
  std::optional<uint32_t> string_offset(const std::string &wanted) const;
  const Btf *base_ = nullptr;
  std::string_view types_, strings_;
  uint32_t first_id_ = 0, first_string_ = 0;
  bool flags_signed_enums_ = false;
  std::vector<uint32_t> offsets_;  // of each own type in types_; a file without base has void's place first
};
