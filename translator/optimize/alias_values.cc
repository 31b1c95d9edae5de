// SPDX-License-Identifier: GPL-2.0-or-later
// Alias values: what an alias of the library assigns to a variable that the probe does not use, or to a global of the
// library that the script does not read, is never evaluated.
//
// Aliases offer many variables, and a handler names few. Reading memory for the others would cost time, and could fail
// where the handler asked for nothing. A script's own assignments are evaluated even so, because they may fail on
// purpose.
#include <algorithm>
#include <map>

#include "optimize/optimize.h"
#include "sema/elaborate.h"

namespace {

// What evaluating an expression does besides yielding a value. Functions of the script language are looked through,
// once.
class Effects {
 public:
  bool changes_nothing(Expr *e) {
    bool nothing = true;
    for_each_expr(e, [&](Expr *&part) { nothing = nothing && part_changes_nothing(part); });
    return nothing;
  }

 private:
  static bool is_own(Expr *target) {
    const Symbol *symbol = as<Symbol>(target);
    return symbol && symbol->decl && symbol->decl->kind == VarDecl::Kind::Local;
  }

  bool part_changes_nothing(Expr *e) {
    switch (e->kind) {
      case ExprKind::Number:
      case ExprKind::String:
      case ExprKind::Symbol:
      case ExprKind::Index:
      case ExprKind::Unary:
      case ExprKind::Binary:
      case ExprKind::Compare:
      case ExprKind::Logical:
      case ExprKind::Concat:
      case ExprKind::Ternary:
      case ExprKind::ArrayIn:
      case ExprKind::Statistic:
      case ExprKind::Register:
      case ExprKind::Deref:
      case ExprKind::DerefString:
      case ExprKind::SavedValue:
      case ExprKind::SymbolAddress:
      case ExprKind::EnumName:
      case ExprKind::EventValue: return true;
      case ExprKind::Format: return as<Format>(e)->to_string;
      case ExprKind::EmbeddedExpr: return as<EmbeddedExpr>(e)->pragmas.pure;
      case ExprKind::Call:
        return std::all_of(as<Call>(e)->callees.begin(), as<Call>(e)->callees.end(),
                           [&](FunctionDecl *f) { return function_changes_nothing(f); });
      case ExprKind::Assign: return inside_function_ && is_own(as<Assign>(e)->target);
      case ExprKind::PreStep: return inside_function_ && is_own(as<PreStep>(e)->target);
      case ExprKind::PostStep: return inside_function_ && is_own(as<PostStep>(e)->target);
      case ExprKind::HistogramIndex:
      case ExprKind::RegexMatch:
      case ExprKind::Histogram:
      case ExprKind::Target:
      case ExprKind::AtVar:
      case ExprKind::Cast:
      case ExprKind::Defined:
      case ExprKind::Entry:
      case ExprKind::Perf:
      case ExprKind::Intrinsic:
      case ExprKind::Kept: return false;
    }
    return false;
  }

  static bool statement_changes_nothing(const Stmt *st) {
    switch (st->kind) {
      case StmtKind::Block:
      case StmtKind::Empty:
      case StmtKind::Expression:
      case StmtKind::If:
      case StmtKind::While:
      case StmtKind::For:
      case StmtKind::Break:
      case StmtKind::Continue:
      case StmtKind::Return:
      case StmtKind::Try: return true;
      case StmtKind::Foreach:
      case StmtKind::Next:
      case StmtKind::Delete:
      case StmtKind::Embedded: return false;
    }
    return false;
  }

  bool function_changes_nothing(FunctionDecl *f) {
    if (f->is_embedded) return f->pragmas.pure;
    auto [known, is_new] = functions_.try_emplace(f, false);  // false: a recursive call leaves the question open
    if (!is_new) return known->second;
    bool nothing = f->body != nullptr;
    const bool outside = inside_function_;
    inside_function_ = true;
    if (f->body) {
      for_each_stmt(f->body, [&](Stmt *st) { nothing = nothing && statement_changes_nothing(st); });
      for_each_expr(static_cast<Stmt *>(f->body),
                    [&](Expr *&part) { nothing = nothing && part_changes_nothing(part); });
    }
    inside_function_ = outside;
    return functions_[f] = nothing;
  }

  std::map<FunctionDecl *, bool> functions_;
  bool inside_function_ = false;
};

bool is_library(const Node &n) {
  const SourceFile *file = scope_of(n.place);
  return file && file->is_tapset;
}

// A local, or a global of the library with its keys, that nothing reads.
bool is_unread(Effects &effects, Expr *target) {
  if (is_unread_local(target)) return true;
  Index *element = as<Index>(target);
  const Symbol *symbol = element ? element->base : as<Symbol>(target);
  if (!symbol || !symbol->decl || symbol->decl->kind != VarDecl::Kind::Global) return false;
  if (symbol->decl->read || !is_library(*symbol->decl)) return false;
  return !element || std::all_of(element->keys.begin(), element->keys.end(),
                                 [&](Expr *key) { return key && effects.changes_nothing(key); });
}

// Whether anything was dropped: what it read may be unread now.
bool drop_values(Session &s, Effects &effects, Block *body) {
  bool dropped = false;
  for_each_stmt(body, [&](Stmt *st) {
    ExprStmt *e = as<ExprStmt>(st);
    Assign *a = e && is_library(*e) ? as<Assign>(e->expr) : nullptr;
    if (!a || !is_unread(effects, a->target) || !effects.changes_nothing(a->value)) return;
    Number *nothing = s.make<Number>(e->place);
    nothing->type = Type::Long;
    e->expr = nothing;
    dropped = true;
  });
  return dropped;
}

}  // namespace

void drop_unused_alias_values(Session &s) {
  Effects effects;
  for (bool dropped = true; dropped;) {
    analyze_access(s);
    dropped = false;
    for (DerivedProbe *p : s.program.probes) dropped |= drop_values(s, effects, p->body);
  }
}
