// SPDX-License-Identifier: GPL-2.0-or-later
// Rules that a well-typed script must also keep: where statements may stand, what may be written, what is not supported
// yet.
#include <algorithm>
#include <fmt/core.h>

#include "regex/regex.h"
#include "sema/elaborate.h"
#include "sema/match.h"
#include "syntax/print.h"

namespace {

class Checker {
 public:
  explicit Checker(Session &s) : s_(s) {}

  void run() {
    for (const FunctionDecl *f : s_.program.functions) s_.program.keeps_match |= f->pragmas.match;
    for (DerivedProbe *p : s_.program.probes) {
      TrailScope led_by(s_.diag, &p->trail);
      check_attach(*p);
      if (p->condition) check_condition(*p);
      check(p->body);
    }
    for (FunctionDecl *f : s_.program.functions) {
      TrailScope led_by(s_.diag, &f->trail);
      if (f->body) check(f->body);
    }
    check_histograms();
  }

 private:
  void check_attach(const DerivedProbe &p) {
    if (s_.runtime().serves(attach::kind_of(p.attach))) return;
    s_.diag
        .error("wrong-runtime", p.place, "semantic error: a script for --runtime={} can't have probes of this kind",
               s_.runtime().name)
        .hint("leave out --runtime, or let --vm run the script on a kernel in a throw-away guest");
  }

  void check_condition(const DerivedProbe &p) {
    Expr *condition = p.condition;
    for_each_expr(condition, [&](Expr *&e) {
      if (e->kind == ExprKind::Assign || e->kind == ExprKind::PreStep || e->kind == ExprKind::PostStep ||
          e->kind == ExprKind::Call)
        s_.diag.error("condition-not-global", e->place,
                      "semantic error: a probe's condition only reads global variables");
    });
    check(p.condition);
  }

  void not_supported(const Node &where, const std::string &what) {
    s_.diag.error("not-supported", where.place, "semantic error: {} is not supported yet", what);
  }

  // --- statements ---

  void check(Stmt *st) {
    if (!st) return;
    switch (st->kind) {
      case StmtKind::Break:
      case StmtKind::Continue:
        if (loops_ == 0)
          s_.diag.error("outside-loop", st->place, "semantic error: '{}' outside a loop",
                        st->kind == StmtKind::Break ? "break" : "continue");
        return;
      case StmtKind::Delete: check_delete(*as<Delete>(st)); return;
      case StmtKind::Foreach: return check_foreach(*as<Foreach>(st));
      case StmtKind::While:
      case StmtKind::For: loops_++; break;
      case StmtKind::Block:
      case StmtKind::Empty:
      case StmtKind::Expression:
      case StmtKind::If:
      case StmtKind::Next:
      case StmtKind::Return:
      case StmtKind::Try:
      case StmtKind::Embedded: break;
    }
    for_each_child(
        st,
        [&](Expr *&e) {
          if (e) check(e);
        },
        [&](Stmt *&child) { check(child); });
    if (st->kind == StmtKind::While || st->kind == StmtKind::For) loops_--;
  }

  void check_foreach(Foreach &loop) {
    if (loop.histogram) check(loop.histogram);
    for (Expr *key : loop.slice)
      if (key) check(key);
    if (loop.limit) check(loop.limit);
    loops_++;
    bool guards = loop.array && loop.array->decl;
    if (guards && loop.sort_by_statistic && loop.sort_statistic == StatisticOp::Variance)
      loop.array->decl->needs_variance = true;
    if (guards) iterated_.push_back(&loop);
    check(loop.body);
    if (guards) iterated_.pop_back();
    loops_--;
  }

  void check_delete(Delete &d) {
    if (Index *index = as<Index>(d.target)) {
      for (Expr *key : index->keys)
        if (key) check(key);
      if (index->base->decl) written(*index->base->decl, d.target->place, &d);
    } else if (Symbol *symbol = as<Symbol>(d.target)) {
      if (symbol->decl) written(*symbol->decl, d.target->place);
    }
  }

  // --- expressions ---

  void check_call(const Call &call) {
    if (s_.options.guru) return;
    for (const FunctionDecl *f : call.callees) {
      if (!f->pragmas.guru) continue;
      s_.diag
          .error("function-needs-guru", call.place, "semantic error: '{}' may do harm: it needs guru mode", call.name)
          .hint("run stap with -g");
      return;
    }
  }

  void check(Expr *e) {
    switch (e->kind) {
      case ExprKind::Assign: check_target(as<Assign>(e)->target, e->place); break;
      case ExprKind::PreStep: check_target(as<PreStep>(e)->target, e->place); break;
      case ExprKind::PostStep: check_target(as<PostStep>(e)->target, e->place); break;
      case ExprKind::RegexMatch: check_regex(*as<RegexMatch>(e)); break;
      case ExprKind::Intrinsic: check_operator(*as<Intrinsic>(e)); break;
      case ExprKind::Cast:
        if (as<Cast>(e)->type_name.empty() && s_.diag.error_count() == 0)
          s_.diag
              .error("no-target-type", e->place, "semantic error: the type that '{}' points to is not known",
                     print_expr(as<Cast>(e)->operand))
              .hint("say it with @cast(VALUE, \"TYPE\")");
        break;
      case ExprKind::ArrayIn: {
        for (Expr *key : as<ArrayIn>(e)->element->keys)
          if (key) check(key);
        return;
      }
      case ExprKind::Call: check_call(*as<Call>(e)); break;
      case ExprKind::Statistic: check_statistic(*as<Statistic>(e)); break;
      case ExprKind::Unary:
        if (as<Unary>(e)->op == UnaryOp::Address)
          s_.diag.error("no-address", e->place,
                        "semantic error: & takes the address of a $target, @var or @cast expression only");
        break;
      case ExprKind::Number:
      case ExprKind::String:
      case ExprKind::Symbol:
      case ExprKind::Index:
      case ExprKind::HistogramIndex:
      case ExprKind::Binary:
      case ExprKind::Compare:
      case ExprKind::Logical:
      case ExprKind::Concat:
      case ExprKind::Ternary:
      case ExprKind::Format:
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
      case ExprKind::EventValue: break;
    }
    for_each_child(e, [&](Expr *&child) {
      if (child) check(child);
    });
  }

  // Reports an operator that no earlier pass has replaced by what it means.
  void check_operator(const Intrinsic &i) {
    if (i.op == IntrinsicOp::Errno) return not_supported(i, "'@errno', the C library's in probes of a process,");
    if (i.op != IntrinsicOp::EnumName) return not_supported(i, fmt::format("'@{}'", i.name));
    if (s_.diag.error_count() == 0)
      s_.diag
          .error("no-target-type", i.place, "semantic error: the enumeration of '{}' is not known",
                 print_expr(i.args[0]))
          .hint("say it with @enumname(VALUE, \"enum TYPE\")");
  }

  void check_regex(const RegexMatch &match) {
    const std::string &pattern = match.pattern->value;
    auto [known, added] = s_.program.regexes.try_emplace(pattern);
    if (!added) return;
    try {
      known->second = std::make_shared<regex::Compiled>(regex::compile(pattern, s_.program.keeps_match));
    } catch (const regex::SyntaxError &e) {
      s_.diag.error("bad-regex", match.pattern->place, "semantic error: regular expression: " + e.message)
          .hint("at character {} of \"{}\"", e.at + 1, pattern)
          .hint(e.hint);
    } catch (const regex::TooBig &) {
      s_.diag
          .error("regex-too-big", match.pattern->place, "semantic error: this regular expression needs too many states")
          .hint("shorten its repetitions, or match in several steps");
    }
  }

  void check_target(Expr *target, const Place &place) {
    const bool variable = target->kind == ExprKind::Symbol || target->kind == ExprKind::Index ||
                          target->kind == ExprKind::Deref || target->kind == ExprKind::EventValue ||
                          register_of(target);
    if (!variable && s_.diag.error_count() == 0)
      s_.diag.error("target-write", target->place,
                    "semantic error: '{}' can't be written: it is neither in memory nor a whole register here",
                    print_expr(target));
    VarDecl *decl = nullptr;
    if (Symbol *symbol = as<Symbol>(target)) decl = symbol->decl;
    if (Index *index = as<Index>(target)) decl = index->base->decl;
    if (decl) written(*decl, place);
  }

  // Whether the statement is a loop's body or stands directly in it.
  static bool runs_always(const Stmt *st, const Stmt *body) {
    auto *block = as<Block>(body);
    return st == body ||
           (block && std::find(block->statements.begin(), block->statements.end(), st) != block->statements.end());
  }

  // Called for each write: reports one to an array that a foreach around it walks over. `by`: a delete of an element.
  void written(const VarDecl &decl, const Place &place, const Stmt *by = nullptr) {
    for (const Foreach *loop : iterated_) {
      if (loop->array->decl != &decl) continue;
      s_.diag
          .error("modified-during-foreach", place, "semantic error: variable '{}' modified during 'foreach' iteration",
                 decl.name)
          .note("the loop over it", loop->array->place)
          .hint(by && loop->slice.empty() && runs_always(by, loop->body)
                    ? fmt::format("'delete {}' behind the loop empties the array", decl.name)
                    : "");
    }
  }

  // --- aggregates ---

  static VarDecl *stat_variable(Expr *e) {
    if (Symbol *symbol = as<Symbol>(e)) return symbol->decl;
    if (Index *index = as<Index>(e)) return index->base->decl;
    return nullptr;
  }

  void check_statistic(Statistic &st) {
    VarDecl *decl = stat_variable(st.stat);
    if (!decl) {
      s_.diag.error("not-statistics", st.place, "semantic error: {} takes a global variable or an array's element",
                    spelling(st.op));
      return;
    }
    if (st.op != StatisticOp::Variance) return;
    if (st.shift < 0 || st.shift > 62) {
      s_.diag.error("variance-shift", st.place, "semantic error: the bit shift of @variance is from 0 to 62");
      return;
    }
    if (!variance_read_.insert(decl).second && decl->variance_shift != st.shift)
      s_.diag.error("variance-shift", st.place,
                    "semantic error: '{}' is read with two different bit shifts of @variance", decl->name);
    decl->needs_variance = true;
    decl->variance_shift = (int)st.shift;
  }

  // Buckets are counted as values come in, so all histograms of one variable must have the same buckets.
  void check_histograms() {
    auto visit = [&](Expr *&e) {
      Histogram *h = as<Histogram>(e);
      VarDecl *decl = h ? stat_variable(h->stat) : nullptr;
      if (!decl) return;
      const HistogramUse *known = decl->histogram;
      bool differs = known && (known->logarithmic != h->use.logarithmic || known->low != h->use.low ||
                               known->high != h->use.high || known->step != h->use.step);
      if (differs)
        s_.diag.error("two-histograms", e->place, "semantic error: '{}' is read as two different histograms",
                      decl->name);
      decl->histogram = &h->use;
    };
    for (DerivedProbe *p : s_.program.probes) for_each_expr(p->body, visit);
    for (FunctionDecl *f : s_.program.functions)
      if (f->body) for_each_expr(f->body, visit);
  }

  Session &s_;
  int loops_ = 0;
  std::vector<const Foreach *> iterated_;
  std::set<const VarDecl *> variance_read_;
};

// --- warnings: what is never written or never read ---

class VariableWarnings {
 public:
  explicit VariableWarnings(Session &s) : s_(s) {}

  void run() {
    for (DerivedProbe *p : s_.program.probes) locals(p->locals, scope_of(p->place));
    for (FunctionDecl *f : s_.program.functions) locals(f->locals, scope_of(f->place));
    for (const VarDecl *g : s_.program.globals) {
      if (is_library(*g) || g->written || g->initial || !g->read) continue;
      if (g->arity > 0 || g->type != Type::Unknown)
        s_.diag.warning("never-assigned-global", g->place, "never-assigned global variable '{}'", g->name);
    }
    for (DerivedProbe *p : s_.program.probes) statements(p->body);
    for (FunctionDecl *f : s_.program.functions)
      if (f->body) statements(f->body);
  }

 private:
  static bool is_library(const Node &n) {
    const SourceFile *file = scope_of(n.place);
    return file && file->is_tapset;
  }

  void locals(const std::vector<VarDecl *> &all, const SourceFile *) {
    for (const VarDecl *l : all) {
      if (is_library(*l)) continue;
      if (l->read && !l->written) {
        Diagnostic &d =
            s_.diag.warning("never-assigned-local", l->place, "never-assigned local variable '{}'", l->name);
        std::string near = nearest_name(l->name, others(all, *l));
        if (!near.empty()) d.hint("did you mean '{}'?", near);
      }
    }
  }

  std::vector<std::string> others(const std::vector<VarDecl *> &all, const VarDecl &but) const {
    std::vector<std::string> names;
    for (const VarDecl *l : all)
      if (l != &but && l->written) names.push_back(l->name);
    for (const VarDecl *g : s_.program.globals) names.push_back(g->name);
    return names;
  }

  void statements(Block *body) {
    for_each_stmt(body, [&](Stmt *st) {
      ExprStmt *e = as<ExprStmt>(st);
      if (!e || is_library(*e)) return;
      Expr *top = e->expr;
      bool effect = false;
      for_each_expr(top, [&](Expr *&x) {
        effect |= x->kind == ExprKind::Assign || x->kind == ExprKind::PreStep || x->kind == ExprKind::PostStep ||
                  x->kind == ExprKind::Call || x->kind == ExprKind::EmbeddedExpr ||
                  (as<Format>(x) && !as<Format>(x)->to_string) || x->kind == ExprKind::Deref ||
                  x->kind == ExprKind::DerefString;
      });
      if (!effect) s_.diag.warning("no-side-effect", e->place, "Eliding side-effect-free expression");
    });
  }

  Session &s_;
};

}  // namespace

void check_rules(Session &s) { Checker(s).run(); }
void warn_about_variables(Session &s) { VariableWarnings(s).run(); }
