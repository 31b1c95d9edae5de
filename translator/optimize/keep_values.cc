// SPDX-License-Identifier: GPL-2.0-or-later
// Stable values: a function of embedded C with the pragmas `stable` and `pure` and no parameter is called at most once
// in a run of a handler or function that names it more than once; its value is kept in a local.
//
// It is called where it is first reached, not before: what is on no path taken costs nothing, and an error
// is reported where it happens. A handler that reaches it only once on any path has nothing to gain and stays as it is.
#include <algorithm>
#include <map>

#include "optimize/optimize.h"
#include "sema/elaborate.h"
#include "syntax/make.h"

namespace {

// The function whose value may be kept; null when e is no such call.
FunctionDecl *stable_callee(const Expr *e) {
  const Call *call = as<Call>(e);
  if (!call || call->callees.size() != 1) return nullptr;
  FunctionDecl *f = call->callees[0];
  const bool is_stable = f->parameters.empty() && f->pragmas.stable && f->pragmas.pure;
  return is_stable && (f->type == Type::Long || f->type == Type::String) && !may_pass_on(f) ? f : nullptr;
}

// How often a path through the code may reach each function: a loop's body counts as twice, of branches the longer one.
using Counts = std::map<FunctionDecl *, int>;

void count(Expr *e, Counts &counts) {
  for_each_expr(e, [&](Expr *&x) {
    if (FunctionDecl *f = stable_callee(x)) counts[f]++;
  });
}

void count(Stmt *st, Counts &counts) {
  if (If *branch = as<If>(st)) {
    Counts yes, no;
    count(branch->condition, counts);
    count(branch->yes, yes);
    if (branch->no) count(branch->no, no);
    for (auto &[f, n] : no) yes[f] = std::max(yes[f], n);
    for (auto &[f, n] : yes) counts[f] += n;
    return;
  }
  Counts inside;
  for_each_child(
      st, [&](Expr *&e) { count(e, inside); }, [&](Stmt *&child) { count(child, inside); });
  const bool is_loop = as<While>(st) || as<For>(st) || as<Foreach>(st);
  for (auto &[f, n] : inside) counts[f] += is_loop ? 2 * n : n;
}

class Keeper {
 public:
  Keeper(Session &s, std::vector<VarDecl *> &locals) : s_(s), locals_(locals) {}

  void run(Block *body) {
    Counts counts;
    count(body, counts);
    for_each_expr(static_cast<Stmt *>(body), [&](Expr *&e) {
      if (FunctionDecl *f = stable_callee(e); f && counts[f] > 1) keep(e, f);
    });
  }

 private:
  struct Slot {
    VarDecl *value, *known;
  };

  // Scripts' own names hold no dot.
  VarDecl *local(const FunctionDecl *f, const char *role, Type type) {
    return locals_.emplace_back(
        NodeFactory(s_, f->place).local(f->name + "." + role, std::string(role) + "_" + f->unique_name, type));
  }

  void keep(Expr *&e, FunctionDecl *f) {
    auto [slot, is_new] = slots_.try_emplace(f);
    if (is_new) slot->second = {local(f, "kept", f->type), local(f, "known", Type::Long)};
    e = NodeFactory(s_, e->place).kept(e, slot->second.value, slot->second.known);
  }

  Session &s_;
  std::vector<VarDecl *> &locals_;
  std::map<FunctionDecl *, Slot> slots_;
};

}  // namespace

void keep_stable_values(Session &s) {
  for (DerivedProbe *p : s.program.probes) Keeper(s, p->locals).run(p->body);
  for (FunctionDecl *f : s.program.functions)
    if (f->body) Keeper(s, f->locals).run(f->body);
}
