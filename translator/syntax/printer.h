// SPDX-License-Identifier: GPL-2.0-or-later
// Prints pieces of the tree in the script language, with only those parentheses that parsing back to the same tree
// needs.
#pragma once
#include <string>
#include <vector>

#include "syntax/ast.h"

namespace print {

// How tightly an expression binds; the order is the grammar's.
enum Level {
  Lowest,
  AssignLevel,
  TernaryLevel,
  OrLevel,
  AndLevel,
  BitOrLevel,
  XorLevel,
  BitAndLevel,
  InLevel,
  EqualLevel,
  RelationLevel,
  ShiftLevel,
  ConcatLevel,
  AddLevel,
  MulLevel,
  UnaryLevel,
  PostfixLevel,
  PrimaryLevel
};

class Printer {
 public:
  std::string out;

  void expr(const Expr *e, Level at_least = Lowest);
  void stmt(const Stmt *s);
  void probe(const ProbeDecl &p);
  void global(const VarDecl &v);
  void function(const FunctionDecl &f, bool is_tapset);
  void point(const ProbePoint &p);

 private:
  void plain(const Expr *e);
  void operation(const std::string &name, const Expr *operand);
  void call(const Call *e);
  void intrinsic(const Intrinsic *e);
  void deref(const Deref *e);
  void target_register(const Register *e);
  void var(const AtVar *e);
  void ternary(const Ternary *e);
  void subscript(const std::string &name, const std::vector<Expr *> &keys);
  void infix(const Expr *left, const char *op, const Expr *right, Level level);
  void list(const std::vector<Expr *> &items);
  void unary(const Unary *e);
  void assign(const Assign *e);
  void array_in(const ArrayIn *e);
  void format(const Format *e);
  void statistic(const Statistic *e);
  void histogram(const Histogram *e);
  void components(const std::vector<TargetComponent> &list);
  void cast(const Cast *e);
  void autocast_operand(const Cast *e);
  void foreach (const Foreach *s);
  void foreach_head(const Foreach *s);
  void if_else(const If *s);
  void for_loop(const For *s);
  void body(const Stmt *s);
  void block(const Block *b);
  void line() { out += "\n" + std::string(2 * indent_, ' '); }
  void points(const std::vector<ProbePoint *> &list);
  int indent_ = 0;
};

// As a literal of the language, quotes included.
std::string quoted(const std::string &text);

}  // namespace print
