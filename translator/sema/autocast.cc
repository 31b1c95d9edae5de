// SPDX-License-Identifier: GPL-2.0-or-later
// Types of the target's pointers, through variables, functions and ?: to where `->` is applied to a plain value.
//
// `p = $skb; f(p)->len`: a fetched pointer carries its C type (Expr::target_type); a variable takes the type of
// what is assigned to it, a parameter that of its arguments, a call that of the returned value. An access whose
// operand has a type by then is lowered, which may give types to others: the walk is repeated until nothing changes.
#include "sema/elaborate.h"
#include "target/target.h"

namespace {

class TypeFlow {
 public:
  explicit TypeFlow(Session &s) : s_(s) {}

  void run() {
    do {
      changed_ = false;
      for (DerivedProbe *p : s_.program.probes) {
        TrailScope led_by(s_.diag, &p->trail);
        walk(p->body, p, nullptr);
      }
      for (FunctionDecl *f : s_.program.functions)
        if (f->body) {
          TrailScope led_by(s_.diag, &f->trail);
          walk(f->body, f->probe, f);
        }
    } while (changed_ && s_.diag.error_count() == 0);
  }

 private:
  void walk(Block *body, DerivedProbe *probe, FunctionDecl *function) {
    for_each_expr(static_cast<Stmt *>(body), [&](Expr *&e) { visit(e, probe); });
    for_each_stmt(body, [&](Stmt *st) {
      Return *r = as<Return>(st);
      if (r && r->value && function) flow(function->target_type, r->value->target_type);
      Foreach *loop = as<Foreach>(st);
      if (loop && loop->value && loop->array && loop->array->decl && loop->value->decl)
        flow(loop->value->decl->target_type, loop->array->decl->target_type);
    });
  }

  // Children have been visited before.
  void visit(Expr *&e, DerivedProbe *probe) {
    switch (e->kind) {
      case ExprKind::Symbol: return from(e, as<Symbol>(e)->decl);
      case ExprKind::Index: return from(e, as<Index>(e)->base->decl);
      case ExprKind::Ternary: {
        Ternary &t = *as<Ternary>(e);
        return flow(e->target_type, t.yes->target_type ? t.yes->target_type : t.no->target_type);
      }
      case ExprKind::Assign: return assignment(*as<Assign>(e));
      case ExprKind::Call: return call(*as<Call>(e));
      case ExprKind::Cast: return cast(e, probe);
      case ExprKind::Intrinsic: return name_of_value(e, probe);
      case ExprKind::Number:
      case ExprKind::String:
      case ExprKind::HistogramIndex:
      case ExprKind::Unary:
      case ExprKind::Binary:
      case ExprKind::Compare:
      case ExprKind::Logical:
      case ExprKind::Concat:
      case ExprKind::ArrayIn:
      case ExprKind::RegexMatch:
      case ExprKind::PreStep:
      case ExprKind::PostStep:
      case ExprKind::Format:
      case ExprKind::Statistic:
      case ExprKind::Histogram:
      case ExprKind::Target:
      case ExprKind::AtVar:
      case ExprKind::Defined:
      case ExprKind::Entry:
      case ExprKind::Perf:
      case ExprKind::EmbeddedExpr:
      case ExprKind::Register:
      case ExprKind::Deref:
      case ExprKind::DerefString:
      case ExprKind::SavedValue:
      case ExprKind::SymbolAddress:
      case ExprKind::EnumName:
      case ExprKind::Kept:
      case ExprKind::EventValue: return;
    }
  }

  void from(Expr *e, const VarDecl *decl) {
    if (decl) flow(e->target_type, decl->target_type);
  }

  void assignment(Assign &a) {
    if (a.assign != AssignKind::Plain) return;
    flow(a.target_type, a.value->target_type);
    if (Symbol *symbol = as<Symbol>(a.target); symbol && symbol->decl)
      flow(symbol->decl->target_type, a.value->target_type);
    if (Index *index = as<Index>(a.target); index && index->base->decl)
      flow(index->base->decl->target_type, a.value->target_type);
  }

  void call(Call &c) {
    for (FunctionDecl *f : c.callees) {
      flow(c.target_type, f->target_type);
      for (size_t i = 0; i < c.args.size() && i < f->parameters.size(); i++)
        flow(f->parameters[i]->target_type, c.args[i]->target_type);
    }
  }

  void cast(Expr *&e, DerivedProbe *probe) {
    Cast &c = *as<Cast>(e);
    if (!c.type_name.empty() || !c.operand->target_type) return;  // one with a type has been lowered, or reported
    replace(e, [&] { return lower_cast(s_, target_context(probe), c); });
  }

  // @enumname of a value whose enumeration is known by now.
  void name_of_value(Expr *&e, DerivedProbe *probe) {
    const Intrinsic &i = *as<Intrinsic>(e);
    if (i.op != IntrinsicOp::EnumName || i.args.size() != 1 || !i.args[0]->target_type) return;
    replace(e, [&] { return lower_enumname(s_, target_context(probe), i); });
  }

  template <class F> void replace(Expr *&e, F lower) {
    try {
      e = lower();
      changed_ = true;
    } catch (const TargetError &error) {
      report(s_, error);
    }
  }

  // The first type that reaches a name stays its type.
  void flow(const TargetType *&to, const TargetType *from) {
    if (to || !from) return;
    to = from;
    changed_ = true;
  }

  Session &s_;
  bool changed_ = false;
};

}  // namespace

void infer_target_types(Session &s) { TypeFlow(s).run(); }
