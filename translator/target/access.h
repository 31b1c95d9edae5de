// SPDX-License-Identifier: GPL-2.0-or-later
// Typed access to the probed program's memory: an object somewhere, its members, elements and value.
#pragma once
#include "debuginfo/debuginfo.h"
#include "syntax/make.h"

// An object: at an address, or held as a value.
struct TargetObject {
  Expr *expr = nullptr;
  bool is_address = false;
  const TargetType *type = nullptr;
  // Where the object is a bit-field: its bits in the `storage` bytes at the address. Otherwise all are 0.
  uint32_t bit_width = 0, bit_shift = 0, storage = 0;
  // The object was reached through a pointer, so that an index selects one of the objects that follow it in memory.
  bool is_pointee = false;
  // The address is a pointer to a per-CPU variable, as & of it gives. What is read is this CPU's copy.
  bool is_per_cpu = false;
  // Where there is no expr: the object's parts one after another, or what the pointer would point into, and where.
  std::vector<TargetLocation::Piece> pieces = {};
  std::shared_ptr<TargetObject> points_into = nullptr;
  uint64_t offset_into = 0;
  std::string reason = "";  // why there is no expr
};

// Makes the nodes that fetch objects. Errors are thrown as TargetError.
class TargetAccess : public NodeFactory {
 public:
  using NodeFactory::NodeFactory;
  // object->member, through a pointer or not, anonymous members included.
  TargetObject member(TargetObject object, const std::string &name, const Place &place);
  // object[index] of an array or a pointer.
  TargetObject element(TargetObject object, Expr *index, const Place &place);
  // Follows all `->` and `[]` of the components, as far as a trailing $ or $$.
  TargetObject follow(TargetObject object, const std::vector<TargetComponent> &components);
  // What the script gets: a number, which for an array is its address.
  Expr *value(const TargetObject &object, const Place &place);
  Expr *address(const TargetObject &object, const Place &place);
  // The object a pointer object points to.
  TargetObject pointee(const TargetObject &pointer, const Place &place);
  TargetObject copy(const TargetObject &object);
  // Where debuginfo says that an object is.
  TargetObject at_location(const TargetLocation &location, const TargetType *type);
  // Where an object in memory is read.
  Expr *read_address(const TargetObject &object);
  // A member known by its description.
  TargetObject at_member(const TargetObject &object, const TargetMember &member, const Place &place);

 private:
  Expr *narrow(Expr *value, uint64_t bits, bool is_signed);
  TargetObject part(const TargetObject &object, uint64_t from, uint64_t bits, const TargetType *type,
                    const Place &place);
  TargetLocation::Piece part_of_piece(const TargetLocation::Piece &piece, uint64_t from, uint64_t bits,
                                      const Place &place);
  Expr *join(const TargetObject &object, uint64_t bits, const Place &place);
};

// sprintf("{.a=%i, .b={...}}", ...) of an object (deep: members of members too).
Expr *pretty_print(TargetAccess &access, const TargetObject &object, bool deep);
// Appends a conversion for one value, such as "%#x", and the value as its argument; just "?" when it has no value.
void append_value(TargetAccess &access, const TargetObject &object, Format &format);
Format *new_sprintf(TargetAccess &access);
