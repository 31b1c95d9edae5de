// SPDX-License-Identifier: GPL-2.0-or-later
// The walk over a handler and the functions that it calls.
#include "sema/reached.h"

#include <set>

namespace {

class Walk {
 public:
  explicit Walk(const ReachedCode &visit) : visit_(visit) {}

  void over(Stmt *code) {
    if (visit_.statement) for_each_stmt(code, [&](Stmt *st) { visit_.statement(*st); });
    for_each_expr(code, [&](Expr *&e) { at(*e); });
  }
  void over(Expr *&code) {
    for_each_expr(code, [&](Expr *&e) { at(*e); });
  }

 private:
  void at(Expr &e) {
    if (visit_.expression) visit_.expression(e);
    if (const Call *call = as<Call>(&e))
      for (FunctionDecl *f : call->callees) into(*f);
  }
  void into(FunctionDecl &f) {
    if (!seen_.insert(&f).second) return;
    if (!f.is_embedded) over(f.body);
    else if (visit_.embedded) visit_.embedded(f);
  }

  const ReachedCode &visit_;
  std::set<const FunctionDecl *> seen_;
};

}  // namespace

void visit_reached(DerivedProbe &probe, const ReachedCode &visit) {
  Walk walk(visit);
  if (probe.condition) walk.over(probe.condition);
  walk.over(probe.body);
}
