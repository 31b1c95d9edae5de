// SPDX-License-Identifier: GPL-2.0-or-later
// Chains of concatenations: `a . b . c . d` copies each part once, instead of the growing result each time.
#include "optimize/optimize.h"
#include "sema/elaborate.h"

namespace {

// A literal that may be cut is left to the step that cuts it.
constexpr size_t longest_literal = 32;

bool may_join(const Expr *part) {
  const String *literal = as<String>(part);
  return !literal || literal->value.size() <= longest_literal;
}

void mark(Expr *&e) {
  Concat *top = as<Concat>(e);
  if (!top || !as<Concat>(top->left)) return;
  for (const Expr *at = top; as<Concat>(at); at = as<Concat>(at)->left)
    if (!may_join(as<Concat>(at)->right) || !may_join(as<Concat>(at)->left)) return;
  top->is_chain = true;
}

}  // namespace

void join_concatenations(Session &s) {
  for (DerivedProbe *p : s.program.probes) for_each_expr(static_cast<Stmt *>(p->body), mark);
  for (FunctionDecl *f : s.program.functions)
    if (f->body) for_each_expr(static_cast<Stmt *>(f->body), mark);
}
