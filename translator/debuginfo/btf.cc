// SPDX-License-Identifier: GPL-2.0-or-later
// Reading BTF: checks the whole of it once, so that everything later can walk it without asking.
#include "debuginfo/btf.h"

#include <cstring>

namespace {

struct Header {
  uint16_t magic;
  uint8_t version, flags;
  uint32_t header_size, types_at, types_size, strings_at, strings_size;
};

constexpr uint16_t btf_magic = 0xeb9f;
constexpr uint32_t no_offset = UINT32_MAX;
const BtfType void_type{0, 0, 0};

// The size of a whole record in bytes; 0 for a kind that this reader does not know, as its size can't be known either.
size_t record_size(const BtfType &t) {
  size_t count = t.count();
  switch (t.kind()) {
    case BtfKind::Pointer:
    case BtfKind::Forward:
    case BtfKind::Typedef:
    case BtfKind::Volatile:
    case BtfKind::Const:
    case BtfKind::Restrict:
    case BtfKind::Function:
    case BtfKind::Float:
    case BtfKind::TypeTag: return sizeof t;
    case BtfKind::Int:
    case BtfKind::Variable:
    case BtfKind::DeclTag: return sizeof t + 4;
    case BtfKind::Array: return sizeof t + sizeof(BtfArray);
    case BtfKind::Struct:
    case BtfKind::Union:
    case BtfKind::DataSection:
    case BtfKind::Enum64: return sizeof t + count * 12;
    case BtfKind::Enum:
    case BtfKind::Prototype: return sizeof t + count * 8;
    case BtfKind::Void: break;
  }
  return 0;  // also a kind of a later version
}

}  // namespace

Result<std::unique_ptr<Btf>> Btf::parse(std::string_view bytes, const Btf *base) {
  Header header;
  const Failure damaged{"its BTF is damaged"};
  if (bytes.size() < sizeof header || reinterpret_cast<uintptr_t>(bytes.data()) % alignof(BtfType)) return damaged;
  memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != btf_magic || header.version != 1 || header.header_size < sizeof header ||
      header.header_size % 4 || header.header_size > bytes.size())
    return damaged;
  std::string_view body = bytes.substr(header.header_size);
  if (header.types_at % 4 || header.types_at > body.size() || header.types_size > body.size() - header.types_at ||
      header.strings_at > body.size() || header.strings_size > body.size() - header.strings_at)
    return damaged;
  std::unique_ptr<Btf> b(new Btf);
  b->types_ = body.substr(header.types_at, header.types_size);
  b->strings_ = body.substr(header.strings_at, header.strings_size);
  if (b->strings_.empty() || b->strings_.back() != '\0') return damaged;
  b->base_ = base;
  if (base) {
    b->first_id_ = base->end_id();
    b->first_string_ = base->first_string_ + uint32_t(base->strings_.size());
  } else {
    b->offsets_.push_back(no_offset);
  }
  b->offsets_.reserve(b->types_.size() / 24);
  for (size_t at = 0; at < b->types_.size();) {
    if (b->types_.size() - at < sizeof(BtfType)) return damaged;
    const BtfType &t = *reinterpret_cast<const BtfType *>(b->types_.data() + at);
    size_t size = record_size(t);
    b->flags_signed_enums_ |= t.flag() && (t.kind() == BtfKind::Enum || t.kind() == BtfKind::Enum64);
    if (!size) return Failure{"its BTF has a kind of type that this program does not know"};
    if (size > b->types_.size() - at) return damaged;
    b->offsets_.push_back(uint32_t(at));
    at += size;
  }
  return b;
}

const BtfType &Btf::type(uint32_t id) const {
  if (id < first_id_) return base_->type(id);
  uint32_t index = id - first_id_;
  if (index >= offsets_.size() || offsets_[index] == no_offset) return void_type;
  return *reinterpret_cast<const BtfType *>(types_.data() + offsets_[index]);
}

const char *Btf::string(uint32_t offset) const {
  if (offset < first_string_) return base_->string(offset);
  offset -= first_string_;
  return offset < strings_.size() ? strings_.data() + offset : "";
}

// Each string is stored once, so comparing offsets is comparing names.
std::optional<Btf::Constant> Btf::constant_named(std::optional<uint32_t> name) const {
  if (!name) return std::nullopt;
  for (uint32_t id = first_id_; id < end_id(); id++) {
    const BtfType &t = type(id);
    const bool is_wide = t.kind() == BtfKind::Enum64;
    if (!is_wide && t.kind() != BtfKind::Enum) continue;
    for (uint32_t i = 0; i < t.count(); i++)
      if ((is_wide ? t.items<BtfEnumerator64>()[i].name : t.items<BtfEnumerator>()[i].name) == *name)
        return Constant{id, i};
  }
  return std::nullopt;
}

std::optional<Btf::Constant> Btf::find_enumerator(const std::string &wanted) const {
  std::optional<Constant> found = constant_named(string_offset(wanted));
  if (!found && base_) found = constant_named(base_->string_offset(wanted));
  return found || !base_ ? found : base_->find_enumerator(wanted);
}

std::optional<uint32_t> Btf::string_offset(const std::string &wanted) const {
  std::string needle = '\0' + wanted + '\0';
  size_t at = strings_.find(needle);
  if (wanted.empty() || at == strings_.npos) return std::nullopt;
  return first_string_ + uint32_t(at) + 1;
}
