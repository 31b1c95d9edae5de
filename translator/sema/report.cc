// SPDX-License-Identifier: GPL-2.0-or-later
// Timers that report: handlers that go over whole arrays, which can take long, run in a thread (STAP_ATTACH_REPORT)
// instead of in an interrupt, when they do not ask whom the timer came upon.
#include <algorithm>

#include "sema/attach.h"
#include "sema/elaborate.h"
#include "sema/reached.h"

namespace {

class Handler {
 public:
  explicit Handler(DerivedProbe &probe) {
    visit_reached(probe, {.statement = [&](const Stmt &st) { look_at(st); },
                          .expression = [&](const Expr &e) { look_at(e); },
                          .embedded = [&](const FunctionDecl &f) { asks_about_hit |= !f.pragmas.anywhere; }});
  }

  bool goes_over_arrays = false;  // it walks, sorts or clears one
  bool asks_about_hit = false;    // about the task, its registers and memory, the CPU, the stack

 private:
  void look_at(const Stmt &st) {
    if (const Foreach *loop = as<Foreach>(&st)) goes_over_arrays |= loop->array != nullptr;
    if (const Embedded *c = as<Embedded>(&st)) asks_about_hit |= !c->pragmas.anywhere;
    if (const Delete *d = as<Delete>(&st)) {
      const Symbol *whole = as<Symbol>(d->target);
      const Index *some = as<Index>(d->target);
      goes_over_arrays |= whole && whole->decl && whole->decl->arity > 0;
      goes_over_arrays |= some && std::find(some->keys.begin(), some->keys.end(), nullptr) != some->keys.end();
    }
  }

  void look_at(const Expr &e) {
    asks_about_hit |= as<Register>(&e) || as<SavedValue>(&e) || as<Perf>(&e) || as<Intrinsic>(&e);
    if (const Deref *read = as<Deref>(&e)) asks_about_hit |= read->user;
    if (const DerefString *text = as<DerefString>(&e)) asks_about_hit |= text->user;
    if (const EmbeddedExpr *c = as<EmbeddedExpr>(&e)) asks_about_hit |= !c->pragmas.anywhere;
  }
};

}  // namespace

void choose_reports(Session &s) {
  for (DerivedProbe *p : s.program.probes) {
    const auto *timer = std::get_if<attach::Timer>(&p->attach);
    if (!timer) continue;
    const Handler handler(*p);
    if (handler.goes_over_arrays && !handler.asks_about_hit)
      p->attach = attach::Report{.interval_ns = timer->interval_ns, .randomize_ns = timer->randomize_ns};
  }
}
