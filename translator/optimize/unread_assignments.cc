// SPDX-License-Identifier: GPL-2.0-or-later
// Unread assignments: what is assigned to a local that nothing reads is evaluated for its effects only, or not at all.
//
// Globals keep their assignments: the script's are printed at its end when nothing reads them, and -G may look at
// others.
#include "optimize/optimize.h"
#include "sema/elaborate.h"
#include "syntax/make.h"

bool is_unread_local(const Expr *e) {
  const Symbol *symbol = as<Symbol>(e);
  return symbol && symbol->decl && symbol->decl->kind == VarDecl::Kind::Local && !symbol->decl->read;
}

namespace {

// `x /= y` is an error when y is 0, whether or not x is read.
bool may_fail(const Assign *a) {
  const Number *divisor = as<Number>(a->value);
  return a->assign == AssignKind::Arithmetic && (a->op == BinaryOp::Div || a->op == BinaryOp::Mod) &&
         !(divisor && divisor->value);
}

// `x = f()` becomes f(). Steps and compound assignments of them become nothing to do.
void drop_assignments(Session &s, Block *body) {
  for_each_stmt(body, [&](Stmt *st) {
    ExprStmt *e = as<ExprStmt>(st);
    if (!e) return;
    Assign *a = as<Assign>(e->expr);
    if (a && is_unread_local(a->target) && !may_fail(a)) {
      e->expr = a->value;
      return;
    }
    PostStep *post = as<PostStep>(e->expr);
    PreStep *pre = as<PreStep>(e->expr);
    if ((post && is_unread_local(post->target)) || (pre && is_unread_local(pre->target)))
      e->expr = NodeFactory(s, st->place).number(0);
    e->expr->type = e->expr->type == Type::Unknown ? Type::Long : e->expr->type;
  });
}

}  // namespace

void remove_unread_assignments(Session &s) {
  for (DerivedProbe *p : s.program.probes) drop_assignments(s, p->body);
  for (FunctionDecl *f : s.program.functions)
    if (f->body) drop_assignments(s, f->body);
}
