// SPDX-License-Identifier: GPL-2.0-or-later
// Identical functions: a function that looks at target variables is copied for each probe that calls it, and copies
// that came out the same become one, which all callers then name.
#include <map>

#include "optimize/optimize.h"
#include "sema/elaborate.h"
#include "syntax/tree_key.h"

namespace {

std::string key_of(const FunctionDecl *f) {
  TreeKey key({.self = f});
  key.add(f->name);
  key.add(to_string(f->place));
  key.add(static_cast<int64_t>(f->type));
  key.add(f->embedded_c);
  key.add(static_cast<int64_t>(f->parameters.size()));
  for (const VarDecl *p : f->parameters) {
    key.add(p->name);
    key.add(p);
  }
  key.add(static_cast<const Stmt *>(f->body));
  return key.text();
}

}  // namespace

void merge_functions(Session &s) {
  std::map<std::string, FunctionDecl *> known;
  std::map<FunctionDecl *, FunctionDecl *> same;
  auto redirect = [&](Expr *&e) {
    if (Call *call = as<Call>(e))
      for (FunctionDecl *&f : call->callees)
        if (auto it = same.find(f); it != same.end()) f = it->second;
  };
  // Callees come first in the list, so those of a copy are the originals already when its own key is made.
  for (FunctionDecl *f : s.program.functions) {
    for_each_expr(static_cast<Stmt *>(f->body), redirect);
    auto [original, is_new] = known.try_emplace(key_of(f), f);
    if (!is_new) same[f] = original->second;
  }
  if (same.empty()) return;
  for (FunctionDecl *f : s.program.functions) for_each_expr(static_cast<Stmt *>(f->body), redirect);
  for (DerivedProbe *p : s.program.probes) {
    for_each_expr(static_cast<Stmt *>(p->body), redirect);
    for_each_expr(p->condition, redirect);
    for (Expr *&e : p->saved) for_each_expr(e, redirect);
  }
}
