// SPDX-License-Identifier: GPL-2.0-or-later
// Traversal and copying of the tree: the one place that knows every node's children.
#include "base/session.h"
#include "syntax/ast.h"

namespace {

using OnExpr = std::function<void(Expr *&)>;
using OnStmt = std::function<void(Stmt *&)>;

// Visits a child that must be a node of type T. A replacement of another kind would be a mistake of the caller and is
// ignored.
template <class T> void visit_as(T *&child, const OnExpr &f) {
  if (!child) return;
  Expr *e = child;
  f(e);
  if (T *same = as<T>(e)) child = same;
}
template <class T> void visit_stmt_as(T *&child, const OnStmt &f) {
  if (!child) return;
  Stmt *s = child;
  f(s);
  if (T *same = as<T>(s)) child = same;
}
void visit(Expr *&child, const OnExpr &f) {
  if (child) f(child);
}
void visit(std::vector<Expr *> &children, const OnExpr &f) {
  for (Expr *&c : children) visit(c, f);
}
void visit(std::vector<TargetComponent> &components, const OnExpr &f) {
  for (TargetComponent &c : components) visit(c.expr_index, f);
}
template <class T> T *to(Expr *e) { return static_cast<T *>(e); }
template <class T> T *to(Stmt *s) { return static_cast<T *>(s); }
template <class T> void visit_two(Expr *e, const OnExpr &f) {
  visit(to<T>(e)->left, f);
  visit(to<T>(e)->right, f);
}
template <class T> void visit_operand(Expr *e, const OnExpr &f) { visit(to<T>(e)->operand, f); }
template <class T> void visit_target(Expr *e, const OnExpr &f) { visit(to<T>(e)->target, f); }

void visit_format(Format *e, const OnExpr &f) {
  visit(e->delimiter, f);
  visit(e->args, f);
  visit(e->histogram, f);
}

}  // namespace

void for_each_child(Expr *e, const OnExpr &f) {
  switch (e->kind) {
    case ExprKind::Number:
    case ExprKind::String:
    case ExprKind::Symbol:
    case ExprKind::Perf:
    case ExprKind::EmbeddedExpr:
    case ExprKind::Register:
    case ExprKind::SavedValue:
    case ExprKind::EventValue:
    case ExprKind::SymbolAddress: return;
    case ExprKind::Index: visit_as(to<Index>(e)->base, f); return visit(to<Index>(e)->keys, f);
    case ExprKind::HistogramIndex:
      visit(to<HistogramIndex>(e)->histogram, f);
      return visit(to<HistogramIndex>(e)->bucket, f);
    case ExprKind::Unary: return visit_operand<Unary>(e, f);
    case ExprKind::Binary: return visit_two<Binary>(e, f);
    case ExprKind::Compare: return visit_two<Compare>(e, f);
    case ExprKind::Logical: return visit_two<Logical>(e, f);
    case ExprKind::Concat: return visit_two<Concat>(e, f);
    case ExprKind::Ternary:
      visit(to<Ternary>(e)->condition, f);
      visit(to<Ternary>(e)->yes, f);
      return visit(to<Ternary>(e)->no, f);
    case ExprKind::ArrayIn: return visit_as(to<ArrayIn>(e)->element, f);
    case ExprKind::RegexMatch: visit(to<RegexMatch>(e)->text, f); return visit_as(to<RegexMatch>(e)->pattern, f);
    case ExprKind::Assign: visit(to<Assign>(e)->target, f); return visit(to<Assign>(e)->value, f);
    case ExprKind::PreStep: return visit_target<PreStep>(e, f);
    case ExprKind::PostStep: return visit_target<PostStep>(e, f);
    case ExprKind::Call: return visit(to<Call>(e)->args, f);
    case ExprKind::Format: return visit_format(to<Format>(e), f);
    case ExprKind::Statistic: return visit(to<Statistic>(e)->stat, f);
    case ExprKind::Histogram: return visit(to<Histogram>(e)->stat, f);
    case ExprKind::Target: return visit(to<Target>(e)->components, f);
    case ExprKind::AtVar: return visit(to<AtVar>(e)->components, f);
    case ExprKind::Cast: visit(to<Cast>(e)->operand, f); return visit(to<Cast>(e)->components, f);
    case ExprKind::Defined: return visit_operand<Defined>(e, f);
    case ExprKind::Entry: return visit_operand<Entry>(e, f);
    case ExprKind::Intrinsic: return visit(to<Intrinsic>(e)->args, f);
    case ExprKind::Deref: return visit(to<Deref>(e)->address, f);
    case ExprKind::DerefString: return visit(to<DerefString>(e)->address, f);
    case ExprKind::EnumName: return visit_operand<EnumName>(e, f);
    case ExprKind::Kept: return visit(to<Kept>(e)->value, f);
  }
}

static void for_each_child_of_foreach(Foreach *s, const OnExpr &on_expr, const OnStmt &on_stmt) {
  for (Symbol *&key : s->keys) visit_as(key, on_expr);
  visit_as(s->value, on_expr);
  visit_as(s->array, on_expr);
  visit(s->slice, on_expr);
  visit(s->histogram, on_expr);
  visit(s->limit, on_expr);
  if (s->body) on_stmt(s->body);
}

void for_each_child(Stmt *st, const OnExpr &on_expr, const OnStmt &on_stmt) {
  auto child = [&](Stmt *&s) {
    if (s) on_stmt(s);
  };
  switch (st->kind) {
    case StmtKind::Empty:
    case StmtKind::Break:
    case StmtKind::Continue:
    case StmtKind::Next:
    case StmtKind::Embedded: return;
    case StmtKind::Block:
      for (Stmt *&s : to<Block>(st)->statements) child(s);
      return;
    case StmtKind::Expression: return visit(to<ExprStmt>(st)->expr, on_expr);
    case StmtKind::If:
      visit(to<If>(st)->condition, on_expr);
      child(to<If>(st)->yes);
      return child(to<If>(st)->no);
    case StmtKind::While: visit(to<While>(st)->condition, on_expr); return child(to<While>(st)->body);
    case StmtKind::For:
      visit(to<For>(st)->init, on_expr);
      visit(to<For>(st)->condition, on_expr);
      visit(to<For>(st)->step, on_expr);
      return child(to<For>(st)->body);
    case StmtKind::Foreach: return for_each_child_of_foreach(to<Foreach>(st), on_expr, on_stmt);
    case StmtKind::Return: return visit(to<Return>(st)->value, on_expr);
    case StmtKind::Try:
      visit_stmt_as(to<Try>(st)->body, on_stmt);
      visit_as(to<Try>(st)->message, on_expr);
      return visit_stmt_as(to<Try>(st)->handler, on_stmt);
    case StmtKind::Delete: return visit(to<Delete>(st)->target, on_expr);
  }
}

void for_each_expr(Expr *&e, const OnExpr &f) {
  if (!e) return;
  for_each_child(e, [&](Expr *&child) { for_each_expr(child, f); });
  f(e);
}

void for_each_expr(Stmt *s, const OnExpr &f) {
  if (!s) return;
  for_each_child(
      s, [&](Expr *&e) { for_each_expr(e, f); }, [&](Stmt *&child) { for_each_expr(child, f); });
}

void for_each_stmt(Stmt *s, const std::function<void(Stmt *)> &f) {
  if (!s) return;
  f(s);
  for_each_child(
      s, [](Expr *&) {}, [&](Stmt *&child) { for_each_stmt(child, f); });
}

// ---------------------------------------------------------------- copies

template <class T, class Base> static Base *copy_of(Session &s, const Base *n) {
  return s.make_copy(*static_cast<const T *>(n));
}

// A copy of the node alone, which still has the children of the original.
static Expr *shallow(Session &s, const Expr *e) {
  switch (e->kind) {
#define CASE(T) \
  case ExprKind::T: return copy_of<T>(s, e)
    CASE(Number);
    CASE(String);
    CASE(Symbol);
    CASE(Index);
    CASE(HistogramIndex);
    CASE(Unary);
    CASE(Binary);
    CASE(Compare);
    CASE(Logical);
    CASE(Concat);
    CASE(Ternary);
    CASE(ArrayIn);
    CASE(RegexMatch);
    CASE(Assign);
    CASE(PreStep);
    CASE(PostStep);
    CASE(Call);
    CASE(Format);
    CASE(Statistic);
    CASE(Histogram);
    CASE(Target);
    CASE(AtVar);
    CASE(Cast);
    CASE(Defined);
    CASE(Entry);
    CASE(Perf);
    CASE(Intrinsic);
    CASE(EmbeddedExpr);
    CASE(Register);
    CASE(Deref);
    CASE(DerefString);
    CASE(SavedValue);
    CASE(SymbolAddress);
    CASE(EnumName);
    CASE(Kept);
    CASE(EventValue);
#undef CASE
  }
  return nullptr;
}

static Stmt *shallow(Session &s, const Stmt *st) {
  switch (st->kind) {
#define CASE(T) \
  case StmtKind::T: return copy_of<T>(s, st)
    CASE(Block);
    CASE(Empty);
    CASE(If);
    CASE(While);
    CASE(For);
    CASE(Foreach);
    CASE(Break);
    CASE(Continue);
    CASE(Return);
    CASE(Next);
    CASE(Try);
    CASE(Delete);
    CASE(Embedded);
#undef CASE
    case StmtKind::Expression: return copy_of<ExprStmt>(s, st);
  }
  return nullptr;
}

Expr *clone(Session &s, const Expr *e) {
  if (!e) return nullptr;
  Expr *copy = shallow(s, e);
  for_each_child(copy, [&](Expr *&child) { child = clone(s, child); });
  return copy;
}

Stmt *clone(Session &s, const Stmt *st) {
  if (!st) return nullptr;
  Stmt *copy = shallow(s, st);
  for_each_child(
      copy, [&](Expr *&child) { child = clone(s, child); }, [&](Stmt *&child) { child = clone(s, child); });
  return copy;
}
