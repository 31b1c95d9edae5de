// SPDX-License-Identifier: GPL-2.0-or-later
// Makes nodes of the tree for which there is no text in a script, complete with their types.
#pragma once
#include <string>

#include "syntax/ast.h"

// All nodes are placed at one place, where errors about them point. They live as long as the session.
class NodeFactory {
 public:
  NodeFactory(Session &s, const Place &place) : session_(s), place_(place) {}
  Session &session() const { return session_; }
  const Place &place() const { return place_; }

  Number *number(int64_t value) const;
  String *string(std::string text) const;
  // Sums and products of literals are computed, x + 0 becomes x, and (x + 8) + 16 becomes x + 24. This keeps addresses
  // short that lead through several embedded structures.
  Expr *binary(BinaryOp op, Expr *left, Expr *right) const;
  Unary *unary(UnaryOp op, Expr *operand) const;
  Compare *compare(CompareOp op, Expr *left, Expr *right) const;
  // left && right
  Logical *both(Expr *left, Expr *right) const;

  Register *target_register(uint32_t dwarf_number) const;
  // An unsigned number of `size` bytes (1, 2, 4 or 8) at the kernel's address.
  Deref *deref(Expr *address, uint32_t size) const;
  // Text at an address of the kernel, or of the process (user), at most `max` bytes of it.
  DerefString *deref_string(Expr *address, uint32_t max, bool user) const;
  SymbolAddress *symbol_address(uint32_t symbol) const;
  EventValue *event_value(EventPart part, uint32_t index) const;
  SavedValue *saved_value(uint32_t index, Type type) const;
  EnumName *enum_name(Expr *operand, uint32_t enumeration) const;
  EmbeddedExpr *embedded(std::string text) const;

  // A local scalar. The caller adds it to the locals of a probe or function.
  VarDecl *local(std::string name, std::string unique_name, Type type) const;
  // `value`, which is computed once and then kept in the slot.
  Kept *kept(Expr *value, VarDecl *slot, VarDecl *known) const;

 private:
  template <class T> T *typed(Type type) const;

  Session &session_;
  Place place_;
};
