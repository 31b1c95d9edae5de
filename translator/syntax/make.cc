// SPDX-License-Identifier: GPL-2.0-or-later
// Makes nodes of the tree for which there is no text in a script, complete with their types.
#include "syntax/make.h"

#include "base/session.h"

template <class T> T *NodeFactory::typed(Type type) const {
  T *e = session_.make<T>(place_);
  e->type = type;
  return e;
}

Number *NodeFactory::number(int64_t value) const {
  Number *e = typed<Number>(Type::Long);
  e->value = value;
  return e;
}

String *NodeFactory::string(std::string text) const {
  String *e = typed<String>(Type::String);
  e->value = std::move(text);
  return e;
}

Expr *NodeFactory::binary(BinaryOp op, Expr *left, Expr *right) const {
  Number *l = as<Number>(left), *r = as<Number>(right);
  if (op == BinaryOp::Add && r && r->value == 0) return left;
  if (l && r && (op == BinaryOp::Add || op == BinaryOp::Mul)) {
    uint64_t a = uint64_t(l->value), b = uint64_t(r->value);
    return number(int64_t(op == BinaryOp::Add ? a + b : a * b));
  }
  if (Binary *inner = as<Binary>(left); op == BinaryOp::Add && r && inner && inner->op == BinaryOp::Add)
    if (Number *n = as<Number>(inner->right))
      return binary(op, inner->left, number(int64_t(uint64_t(n->value) + uint64_t(r->value))));
  Binary *e = typed<Binary>(Type::Long);
  e->op = op;
  e->left = left;
  e->right = right;
  return e;
}

Unary *NodeFactory::unary(UnaryOp op, Expr *operand) const {
  Unary *e = typed<Unary>(Type::Long);
  e->op = op;
  e->operand = operand;
  return e;
}

Compare *NodeFactory::compare(CompareOp op, Expr *left, Expr *right) const {
  Compare *e = typed<Compare>(Type::Long);
  e->op = op;
  e->left = left;
  e->right = right;
  return e;
}

Logical *NodeFactory::both(Expr *left, Expr *right) const {
  Logical *e = typed<Logical>(Type::Long);
  e->left = left;
  e->right = right;
  return e;
}

Register *NodeFactory::target_register(uint32_t dwarf_number) const {
  Register *e = typed<Register>(Type::Long);
  e->dwarf_number = dwarf_number;
  return e;
}

Deref *NodeFactory::deref(Expr *address, uint32_t size) const {
  Deref *e = typed<Deref>(Type::Long);
  e->address = address;
  e->size = size;
  return e;
}

DerefString *NodeFactory::deref_string(Expr *address, uint32_t max, bool user) const {
  DerefString *e = typed<DerefString>(Type::String);
  e->address = address;
  e->max = max;
  e->user = user;
  return e;
}

SymbolAddress *NodeFactory::symbol_address(uint32_t symbol) const {
  SymbolAddress *e = typed<SymbolAddress>(Type::Long);
  e->symbol = symbol;
  return e;
}

EventValue *NodeFactory::event_value(EventPart part, uint32_t index) const {
  EventValue *e = typed<EventValue>(part == EventPart::Text ? Type::String : Type::Long);
  e->part = part;
  e->index = index;
  return e;
}

SavedValue *NodeFactory::saved_value(uint32_t index, Type type) const {
  SavedValue *e = typed<SavedValue>(type);
  e->index = index;
  return e;
}

EnumName *NodeFactory::enum_name(Expr *operand, uint32_t enumeration) const {
  EnumName *e = typed<EnumName>(Type::String);
  e->operand = operand;
  e->enumeration = enumeration;
  return e;
}

EmbeddedExpr *NodeFactory::embedded(std::string text) const {
  EmbeddedExpr *e = typed<EmbeddedExpr>(Type::Long);
  e->pragmas = parse_pragmas(text);
  e->text = std::move(text);
  return e;
}

VarDecl *NodeFactory::local(std::string name, std::string unique_name, Type type) const {
  VarDecl *v = session_.make<VarDecl>(place_);
  v->kind = VarDecl::Kind::Local;
  v->name = std::move(name);
  v->unique_name = std::move(unique_name);
  v->arity = 0;
  v->type = type;
  return v;
}

Kept *NodeFactory::kept(Expr *value, VarDecl *slot, VarDecl *known) const {
  Kept *e = typed<Kept>(value->type);
  e->target_type = value->target_type;
  e->value = value;
  e->slot = slot;
  e->known = known;
  return e;
}
