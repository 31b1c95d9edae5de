// SPDX-License-Identifier: GPL-2.0-or-later
// Dead statements: branches a constant rules out, what follows an unconditional leave, expressions without effect.
#include "optimize/optimize.h"
#include "sema/elaborate.h"

bool may_be_dropped(Expr *e) {
  bool has_effect = false;
  for_each_expr(e, [&](Expr *&x) {
    switch (x->kind) {
      case ExprKind::Number:
      case ExprKind::String:
      case ExprKind::Symbol:
      case ExprKind::Unary:
      case ExprKind::Compare:
      case ExprKind::Logical:
      case ExprKind::Concat:
      case ExprKind::Ternary:
      case ExprKind::SymbolAddress:
      case ExprKind::EventValue:
      case ExprKind::ArrayIn:
      case ExprKind::Index: return;
      case ExprKind::Binary: {
        Binary *b = as<Binary>(x);
        Number *divisor = as<Number>(b->right);
        if ((b->op == BinaryOp::Div || b->op == BinaryOp::Mod) && !(divisor && divisor->value)) has_effect = true;
        return;
      }
      case ExprKind::SavedValue: has_effect |= as<SavedValue>(x)->faults != 0; return;
      case ExprKind::Register: has_effect |= as<Register>(x)->may_fail; return;
      case ExprKind::Statistic:
        has_effect |= as<Statistic>(x)->op != StatisticOp::Count && as<Statistic>(x)->op != StatisticOp::Sum;
        return;
      case ExprKind::Call:
        for (FunctionDecl *f : as<Call>(x)->callees) has_effect |= !f->pragmas.pure;
        return;
      case ExprKind::EmbeddedExpr: has_effect |= !as<EmbeddedExpr>(x)->pragmas.pure; return;
      case ExprKind::HistogramIndex:
      case ExprKind::RegexMatch:
      case ExprKind::Assign:
      case ExprKind::PreStep:
      case ExprKind::PostStep:
      case ExprKind::Format:
      case ExprKind::Histogram:
      case ExprKind::Target:
      case ExprKind::AtVar:
      case ExprKind::Cast:
      case ExprKind::Defined:
      case ExprKind::Entry:
      case ExprKind::Perf:
      case ExprKind::Intrinsic:
      case ExprKind::Deref:
      case ExprKind::DerefString:
      case ExprKind::EnumName:
      case ExprKind::Kept: has_effect = true;
    }
  });
  return !has_effect;
}

namespace {

class DeadStatements {
 public:
  explicit DeadStatements(Session &s) : s_(s) {}

  void clean(Stmt *&st) {
    for_each_child(
        st, [](Expr *&) {},
        [&](Stmt *&child) {
          if (child) clean(child);
        });
    if (If *i = as<If>(st)) {
      if (Number *n = as<Number>(i->condition)) st = n->value ? i->yes : i->no ? i->no : empty(st);
    } else if (While *w = as<While>(st)) {
      Number *n = as<Number>(w->condition);
      if (n && n->value == 0) st = empty(st);
    } else if (ExprStmt *e = as<ExprStmt>(st)) {
      if (may_be_dropped(e->expr)) st = empty(st);
    } else if (Block *b = as<Block>(st)) {
      clean_block(*b);
    }
  }

 private:
  Stmt *empty(const Stmt *old) { return s_.make<Empty>(old->place); }

  static bool leaves(const Stmt *st) {
    return st->kind == StmtKind::Return || st->kind == StmtKind::Next || st->kind == StmtKind::Break ||
           st->kind == StmtKind::Continue;
  }

  static void clean_block(Block &b) {
    for (size_t i = 0; i < b.statements.size(); i++)
      if (leaves(b.statements[i])) b.statements.resize(i + 1);
    std::erase_if(b.statements, [](const Stmt *st) { return st->kind == StmtKind::Empty; });
  }

  Session &s_;
};

}  // namespace

void remove_dead_statements(Session &s) {
  DeadStatements dead(s);
  auto clean = [&](Block *body) {
    Stmt *st = body;
    dead.clean(st);
  };
  for (DerivedProbe *p : s.program.probes) clean(p->body);
  for (FunctionDecl *f : s.program.functions)
    if (f->body) clean(f->body);
}
