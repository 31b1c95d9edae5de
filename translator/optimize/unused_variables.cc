// SPDX-License-Identifier: GPL-2.0-or-later
// Unused variables: locals that nothing mentions any more and globals that nothing touches take no room in the program.
#include "optimize/optimize.h"
#include "sema/elaborate.h"

namespace {

std::set<const VarDecl *> mentioned_in(Block *body) {
  std::set<const VarDecl *> mentioned;
  for_each_expr(static_cast<Stmt *>(body), [&](Expr *&e) {
    if (Symbol *symbol = as<Symbol>(e)) mentioned.insert(symbol->decl);
  });
  return mentioned;
}

void drop_locals(Block *body, std::vector<VarDecl *> &locals) {
  const std::set<const VarDecl *> mentioned = mentioned_in(body);
  std::erase_if(locals, [&](const VarDecl *l) { return !mentioned.count(l); });
}

}  // namespace

void remove_unused_variables(Session &s) {
  for (DerivedProbe *p : s.program.probes) drop_locals(p->body, p->locals);
  for (FunctionDecl *f : s.program.functions)
    if (f->body) drop_locals(f->body, f->locals);
  std::erase_if(s.program.globals, [](const VarDecl *g) { return !g->read && !g->written; });
}
