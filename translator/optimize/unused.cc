// SPDX-License-Identifier: GPL-2.0-or-later
// Unused variables: an assignment to a local that nothing reads keeps only its right side; then the local goes.
#include "elaborate.h"
#include "optimize.h"

namespace {

bool is_unread_local(Expr *e) {
  Symbol *symbol = as<Symbol>(e);
  return symbol && symbol->decl && symbol->decl->kind == VarDecl::Kind::Local && !symbol->decl->read;
}

// Values of unread locals: `x = f()` becomes f(). Steps and compound assignments of them become nothing to do.
void drop_assignments(Session &s, Block *body) {
  for_each_stmt(body, [&](Stmt *st) {
    ExprStmt *e = as<ExprStmt>(st);
    if (!e) return;
    Assign *a = as<Assign>(e->expr);
    if (a && is_unread_local(a->target)) {
      e->expr = a->value;
      return;
    }
    PostStep *post = as<PostStep>(e->expr);
    PreStep *pre = as<PreStep>(e->expr);
    if ((post && is_unread_local(post->target)) || (pre && is_unread_local(pre->target))) e->expr = s.make<Number>(st->place);
    e->expr->type = e->expr->type == Type::Unknown ? Type::Long : e->expr->type;
  });
}

bool is_mentioned(const std::set<const VarDecl *> &mentioned, const VarDecl *decl) { return mentioned.count(decl) > 0; }

void collect(Block *body, std::set<const VarDecl *> &mentioned) {
  for_each_expr(body, [&](Expr *&e) {
    if (Symbol *symbol = as<Symbol>(e)) mentioned.insert(symbol->decl);
  });
  for_each_stmt(body, [&](Stmt *st) {
    if (Foreach *loop = as<Foreach>(st)) {
      for (Symbol *key : loop->keys) mentioned.insert(key->decl);
      if (loop->value) mentioned.insert(loop->value->decl);
    }
    if (Try *t = as<Try>(st))
      if (t->message) mentioned.insert(t->message->decl);
  });
}

void drop_locals(Block *body, std::vector<VarDecl *> &locals) {
  std::set<const VarDecl *> mentioned;
  collect(body, mentioned);
  std::erase_if(locals, [&](const VarDecl *l) { return !is_mentioned(mentioned, l); });
}

}  // namespace

void remove_unread_assignments(Session &s) {
  for (DerivedProbe *p : s.program.probes) drop_assignments(s, p->body);
  for (FunctionDecl *f : s.program.functions)
    if (f->body) drop_assignments(s, f->body);
}

void remove_unused_variables(Session &s) {
  for (DerivedProbe *p : s.program.probes) drop_locals(p->body, p->locals);
  for (FunctionDecl *f : s.program.functions)
    if (f->body) drop_locals(f->body, f->locals);
  std::erase_if(s.program.globals, [](const VarDecl *g) { return !g->read && !g->written; });
}
