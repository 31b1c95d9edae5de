// SPDX-License-Identifier: GPL-2.0-or-later
// Typed access to the probed program's memory: members, elements, bit-fields, narrow values in registers.
#include "target/access.h"

#include <algorithm>
#include <fmt/core.h>

namespace {

constexpr int max_anonymous_depth = 16;

bool find_member(const TargetType *type, const std::string &name, std::vector<const TargetMember *> &path, int depth) {
  if (depth > max_anonymous_depth) return false;
  for (const TargetMember &member : type->members()) {
    path.push_back(&member);
    if (member.name == name) return true;
    if (member.name.empty() && member.type->is_composite() && find_member(member.type, name, path, depth + 1))
      return true;
    path.pop_back();
  }
  return false;
}

void member_names(const TargetType *type, std::vector<std::string> &names, int depth) {
  if (depth > max_anonymous_depth) return;
  for (const TargetMember &member : type->members()) {
    if (!member.name.empty()) names.push_back(member.name);
    else if (member.type->is_composite()) member_names(member.type, names, depth + 1);
  }
}

[[noreturn]] void no_member(const TargetType *type, const std::string &name, const Place &place) {
  TargetError e{
      "no-such-member", fmt::format("semantic error: '{}' has no member '{}'", type->spelling, name), place, {}, {}};
  std::vector<std::string> names;
  member_names(type, names, 0);
  if (names.empty()) {
    e.notes.push_back(fmt::format("'{}' is only declared, its members are not known here", type->spelling));
  } else {
    constexpr size_t few = 16;
    std::string near = nearest_name(name, names), all;
    if (!near.empty()) e.hints.push_back(fmt::format("did you mean '{}'?", near));
    const size_t count = names.size();
    if (count > few) names = nearest_names(name, names, few / 2);
    for (const std::string &n : names) all += (all.empty() ? "" : ", ") + n;
    e.notes.push_back(count <= few ? "its members are: " + all
                                   : fmt::format("of its {} members, these are nearest: {}", count, all));
  }
  throw e;
}

bool is_word(uint64_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

[[noreturn]] void refuse(const std::string &message, const Place &place) {
  throw TargetError{"bad-target", "semantic error: " + message, place, {}, {}};
}

}  // namespace

// Keeps only the low `bits` of a value and extends their sign. When a narrow value is in a register, the bits above it
// are undefined.
Expr *TargetAccess::narrow(Expr *value, uint64_t bits, bool is_signed) {
  if (bits == 0 || bits >= 64) return value;
  if (Number *n = as<Number>(value)) {
    uint64_t shifted = uint64_t(n->value) << (64 - bits);
    return number(is_signed ? int64_t(shifted) >> (64 - bits) : int64_t(shifted >> (64 - bits)));
  }
  if (!is_signed) return binary(BinaryOp::And, value, number(int64_t((uint64_t(1) << bits) - 1)));
  Expr *up = binary(BinaryOp::Shl, value, number(int64_t(64 - bits)));
  return binary(BinaryOp::Shr, up, number(int64_t(64 - bits)));
}

TargetObject TargetAccess::copy(const TargetObject &object) {
  TargetObject result = object;
  if (object.expr) result.expr = clone(session(), object.expr);
  for (TargetLocation::Piece &piece : result.pieces)
    if (piece.expr) piece.expr = clone(session(), piece.expr);
  if (object.points_into) result.points_into = std::make_shared<TargetObject>(copy(*object.points_into));
  return result;
}

TargetObject TargetAccess::at_location(const TargetLocation &location, const TargetType *type) {
  TargetObject object{location.expr, location.is_address, type, 0, 0, 0};
  object.is_per_cpu = location.is_per_cpu;
  object.pieces = location.pieces;
  object.reason = location.reason;
  object.offset_into = location.object_offset;
  if (location.object) object.points_into = std::make_shared<TargetObject>(at_location(*location.object, nullptr));
  return object;
}

TargetObject TargetAccess::pointee(const TargetObject &pointer, const Place &place) {
  if (!pointer.points_into) return {value(pointer, place), true, pointer.type->target(), 0, 0, 0};
  const TargetType *type = pointer.type->target();
  return part(copy(*pointer.points_into), pointer.offset_into * 8, type->object_size() * 8, type, place);
}

// The `bits` that begin `from` bits inside of an object. Null expr: they are in several pieces.
TargetObject TargetAccess::part(const TargetObject &object, uint64_t from, uint64_t bits, const TargetType *type,
                                const Place &place) {
  TargetObject result{object.expr, object.is_address, type, 0, 0, 0};
  result.is_per_cpu = object.is_per_cpu;
  if (object.is_address) {
    result.expr = binary(BinaryOp::Add, object.expr, number(int64_t(from / 8)));
    return result;
  }
  if (object.expr) {
    // Not an address but the value itself, a small structure that was passed in a register.
    if (from >= 64) refuse("the member lies outside the register that holds its structure", place);
    if (from) result.expr = binary(BinaryOp::ShrLogical, object.expr, number(int64_t(from)));
    return result;
  }
  result.reason = object.reason;
  uint64_t start = 0;
  for (const TargetLocation::Piece &piece : object.pieces) {
    const uint64_t first = std::max(start, from), last = std::min(start + piece.bits, from + bits);
    if (first < last) result.pieces.push_back(part_of_piece(piece, first - start, last - first, place));
    start += piece.bits;
  }
  if (result.pieces.size() == 1 && result.pieces[0].expr && result.pieces[0].bits == bits) {
    result.expr = result.pieces[0].expr;
    result.is_address = result.pieces[0].is_address;
    result.pieces.clear();
  }
  return result;
}

TargetLocation::Piece TargetAccess::part_of_piece(const TargetLocation::Piece &piece, uint64_t from, uint64_t bits,
                                                  const Place &place) {
  if (!piece.expr || (piece.is_address && from % 8)) return {bits, nullptr, false};
  const TargetObject whole{piece.expr, piece.is_address, nullptr, 0, 0, 0};
  const TargetObject rest = part(whole, from, bits, nullptr, place);
  return {bits, rest.expr, rest.is_address};
}

// The value of a number of so many bits which are in several places.
Expr *TargetAccess::join(const TargetObject &object, uint64_t bits, const Place &place) {
  Expr *whole = nullptr;
  uint64_t joined = 0;
  for (const TargetLocation::Piece &piece : object.pieces) {
    if (!piece.expr || joined + piece.bits > 64 || (piece.is_address && (piece.bits % 8 || !is_word(piece.bits / 8))))
      break;
    Expr *value = piece.expr;
    if (piece.is_address) {
      Deref *read = deref(value, uint32_t(piece.bits / 8));
      read->user = object.type->in_user_space();
      value = read;
    } else {
      value = narrow(value, piece.bits, false);
    }
    if (joined) value = binary(BinaryOp::Shl, value, number(int64_t(joined)));
    whole = whole ? binary(BinaryOp::Or, whole, value) : value;
    joined += piece.bits;
  }
  if (!whole || joined < bits)
    throw TargetError{"not-available",
                      "semantic error: this is not available here: " +
                          (object.pieces.empty() ? object.reason : "a part of it was optimised away"),
                      place,
                      {},
                      {}};
  return whole;
}

TargetObject TargetAccess::at_member(const TargetObject &object, const TargetMember &member, const Place &place) {
  if (object.is_address || !member.bit_width) {
    TargetObject result = part(object, member.offset * 8, member.type->object_size() * 8, member.type, place);
    result.bit_width = member.bit_width;
    result.bit_shift = member.bit_shift;
    result.storage = member.storage;
    return result;
  }
  TargetObject field = part(object, member.offset * 8 + member.bit_shift, member.bit_width, member.type, place);
  if (!field.expr) field.expr = join(field, member.bit_width, place);
  if (field.is_address) refuse("the bit-field is in memory apart from its structure", place);
  field.bit_width = member.bit_width;
  field.storage = member.storage;
  return field;
}

TargetObject TargetAccess::member(TargetObject object, const std::string &name, const Place &place) {
  if (object.type->kind == TypeKind::Pointer) object = pointee(object, place);
  if (!object.type->is_composite())
    refuse(
        fmt::format("'{}' has no members: '->{}' needs a structure or a pointer to one", object.type->spelling, name),
        place);
  std::vector<const TargetMember *> path;
  if (!find_member(object.type, name, path, 0)) no_member(object.type, name, place);
  for (const TargetMember *step : path) object = at_member(object, *step, place);
  return object;
}

TargetObject TargetAccess::element(TargetObject object, Expr *index, const Place &place) {
  const TargetType *type = object.type;
  if (object.is_pointee) {
    object.is_pointee = false;
    const uint64_t size = type->object_size();
    if (!size) refuse(fmt::format("the size of '{}' is not known, so it can't be indexed", type->spelling), place);
    object.expr = binary(BinaryOp::Add, object.expr, binary(BinaryOp::Mul, index, number(int64_t(size))));
    return object;
  }
  if (type->kind != TypeKind::Array && type->kind != TypeKind::Pointer)
    refuse(fmt::format("'{}' can't be indexed: it is neither an array nor a pointer", type->spelling), place);
  const TargetType *of = type->target();
  uint64_t size = of->kind == TypeKind::Void ? 1 : of->object_size();
  if (!size) refuse(fmt::format("the size of '{}' is not known, so it can't be indexed", of->spelling), place);
  Number *literal = as<Number>(index);
  if (type->kind == TypeKind::Array && type->count && literal && uint64_t(literal->value) >= type->count)
    throw TargetError{"index-out-of-range",
                      fmt::format("semantic error: index {} is outside '{}'", literal->value, type->spelling),
                      place,
                      {},
                      {}};
  if (type->kind == TypeKind::Array && !object.is_address && literal)
    return part(object, uint64_t(literal->value) * size * 8, size * 8, of, place);
  Expr *base = type->kind == TypeKind::Pointer ? value(object, place) : address(object, place);
  TargetObject result{
      binary(BinaryOp::Add, base, binary(BinaryOp::Mul, index, number(int64_t(size)))), true, of, 0, 0, 0};
  result.is_per_cpu = object.is_per_cpu && type->kind == TypeKind::Array;
  return result;
}

TargetObject TargetAccess::follow(TargetObject object, const std::vector<TargetComponent> &components) {
  for (const TargetComponent &component : components) {
    const Place &place = component.place ? component.place : NodeFactory::place();
    switch (component.kind) {
      case TargetComponent::Kind::Member: object = member(object, component.member, place); break;
      case TargetComponent::Kind::Index: object = element(object, number(component.index), place); break;
      case TargetComponent::Kind::ExprIndex: object = element(object, component.expr_index, place); break;
      case TargetComponent::Kind::Pretty:
      case TargetComponent::Kind::PrettyDeep: return object;
    }
  }
  return object;
}

Expr *TargetAccess::value(const TargetObject &object, const Place &place) {
  const TargetType *type = object.type;
  if (type->kind == TypeKind::Array || type->kind == TypeKind::Function) {
    address(object, place);  // it must have one
    Expr *start = read_address(object);
    // The type lets printf("%s") recognise the address of a text among other numbers.
    if (type->kind == TypeKind::Array && type->target()->is_char()) start->target_type = type;
    return start;
  }
  if (type->is_composite())
    throw TargetError{"bad-target",
                      fmt::format("semantic error: '{}' is a structure, not a value", type->spelling),
                      place,
                      {"name a member with ->, take its address with &, or print it with a trailing $"},
                      {}};
  if (type->kind == TypeKind::Float)
    throw TargetError{
        "bad-target",
        fmt::format("semantic error: '{}' is a floating-point type, and scripts have no such numbers", type->spelling),
        place,
        {type->in_user_space() ? "@uderef(8, ADDRESS) has the bits of one that is in memory"
                               : "@kderef(8, ADDRESS) has the bits of one that is in memory"},
        {}};
  if (!type->is_scalar())
    refuse(type->kind == TypeKind::Void ? "void has no value"
                                        : fmt::format("a value of type '{}' can't be fetched", type->spelling),
           place);
  Expr *result;
  uint64_t size = object.bit_width ? object.storage : type->object_size();
  if (!object.is_address) {
    Expr *whole = object.expr ? object.expr : join(object, size * 8, place);
    result = narrow(whole, object.bit_width ? object.bit_width : size * 8, type->is_signed);
  } else {
    if (!is_word(size))
      refuse(fmt::format("a value of type '{}' is wider than 64 bits or of unknown size", type->spelling), place);
    Deref *d = NodeFactory(session(), place).deref(read_address(object), uint32_t(size));
    d->is_signed = type->is_signed;
    d->bit_shift = object.bit_shift;
    d->bit_width = object.bit_width;
    d->user = type->in_user_space();
    result = d;
  }
  result->type = Type::Long;
  if (type->kind == TypeKind::Pointer || type->kind == TypeKind::Enum) result->target_type = type;
  return result;
}

Expr *TargetAccess::read_address(const TargetObject &object) {
  if (!object.is_per_cpu) return object.expr;
  return binary(BinaryOp::Add, object.expr, embedded(" /* pure */ /* abi */ stap_this_cpu_offset()"));
}

Expr *TargetAccess::address(const TargetObject &object, const Place &place) {
  if (object.bit_width) refuse("a bit-field has no address", place);
  if (!object.is_address)
    refuse(object.expr ? "it is held in a register and has no address" : "it has no address: " + object.reason, place);
  return object.expr;
}
