// SPDX-License-Identifier: GPL-2.0-or-later
// Target variables of a handler or function: @defined and @choose_defined decided, what is taken replaced by fetches.
//
// The walk goes from the top down, because @defined guards what stands beside it:
// in `@defined($a) ? $a : $b` and `if (@defined($a)) ... else ...` only the side
// that is taken is looked up. Attempts that fail leave no message behind.
//
// In a return probe, what a variable leads to is computed when the function is entered, and kept. Inside such a part
// (and inside @entry) values need not be kept one by one: the whole is.
#include "sema/elaborate.h"
#include "syntax/make.h"
#include "syntax/print.h"
#include "target/target.h"

namespace {

class Lowering {
 public:
  // Without a probe: a function that belongs to none.
  Lowering(Session &s, DerivedProbe *probe) : s_(s), probe_(probe), context_(target_context(probe)) {}

  void run() {
    if (probe_->condition) lower(probe_->condition);
    run(probe_->body);
  }

  void run(Block *body) {
    Stmt *st = body;
    lower(st);
  }

 private:
  // Whether e is a constant by now, and which.
  static bool constant(const Expr *e, int64_t &value) {
    const Number *n = as<Number>(e);
    if (n) value = n->value;
    return n != nullptr;
  }

  Expr *number(const Place &place, int64_t value) { return NodeFactory(s_, place).number(value); }

  void lower(Stmt *&st) {
    If *branch = as<If>(st);
    int64_t value;
    if (branch) {
      lower(branch->condition);
      if (decided_ && constant(branch->condition, value)) {
        Stmt *taken = value ? branch->yes : branch->no;
        st = taken ? taken : s_.make<Empty>(st->place);
        decided_ = false;
        return lower(st);
      }
      decided_ = false;
      lower(branch->yes);
      if (branch->no) lower(branch->no);
      return;
    }
    for_each_child(
        st,
        [&](Expr *&e) {
          if (e) {
            lower(e);
            decided_ = false;
          }
        },
        [&](Stmt *&child) {
          if (child) lower(child);
        });
  }

  // Sets decided_ when e became a constant through @defined.
  void lower(Expr *&e) {
    decided_ = false;
    switch (e->kind) {
      case ExprKind::Defined: return lower_defined(e);
      case ExprKind::Ternary: return lower_ternary(e);
      case ExprKind::Logical: return lower_logical(e);
      case ExprKind::Unary: return lower_not(e);
      case ExprKind::Intrinsic: return lower_intrinsic(e);
      case ExprKind::Perf: return find_counter(*as<Perf>(e));
      case ExprKind::Entry: return lower_or_skip(e, [&] { lower_entry(e); });
      case ExprKind::Target:
      case ExprKind::AtVar: return lower_or_skip(e, [&] { lower_variable_node(e); });
      case ExprKind::Cast: return lower_or_skip(e, [&] { lower_cast_node(e); });
      case ExprKind::Assign:
      case ExprKind::PreStep:
      case ExprKind::PostStep:
        if (refuse_write(e)) return;
        break;
      case ExprKind::Number:
      case ExprKind::String:
      case ExprKind::Symbol:
      case ExprKind::Index:
      case ExprKind::HistogramIndex:
      case ExprKind::Binary:
      case ExprKind::Compare:
      case ExprKind::Concat:
      case ExprKind::ArrayIn:
      case ExprKind::RegexMatch:
      case ExprKind::Call:
      case ExprKind::Format:
      case ExprKind::Statistic:
      case ExprKind::Histogram:
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
    lower_operands(e);
  }

  void lower_operands(Expr *e) {
    for_each_child(e, [&](Expr *&child) {
      if (child) lower(child);
    });
    decided_ = false;
  }

  // --skip-badvars: what can't be found is 0, or "" where a text was asked for; @defined still says that it is not
  // there.
  void lower_or_skip(Expr *&e, const std::function<void()> &lower_it) {
    if (!s_.options.skip_bad_variables || asking_) return lower_it();
    size_t mark = s_.diag.mark(), saved = probe_ ? probe_->saved.size() : 0;
    int errors = s_.diag.error_count();
    const bool is_text = is_pretty(e);
    const Place place = e->place;
    lower_it();
    if (s_.diag.error_count() == errors) return;
    s_.diag.rollback(mark);
    if (probe_) probe_->saved.resize(saved);
    if (is_text) e = NodeFactory(s_, place).string("");
    else e = number(place, 0);
  }

  static bool is_pretty(const Expr *e) {
    if (auto *entry = as<Entry>(e)) e = entry->operand;
    auto *target = as<Target>(e);
    auto *var = as<AtVar>(e);
    auto *cast = as<Cast>(e);
    if (!target && !var && !cast) return false;
    const std::vector<TargetComponent> &components = target ? target->components
                                                     : var  ? var->components
                                                            : cast->components;
    if (target && target->name.starts_with("$$")) return true;
    return !components.empty() && components.back().is_pretty();
  }

  void lower_defined(Expr *&e) {
    Expr *operand = as<Defined>(e)->operand;
    bool there = attempt(operand);
    e = number(e->place, there);
    decided_ = true;
  }

  // Lowers a copy quietly; on success `operand` is the lowered copy.
  bool attempt(Expr *&operand) {
    size_t mark = s_.diag.mark(), saved = probe_ ? probe_->saved.size() : 0;
    int errors = s_.diag.error_count();
    Expr *copy = clone(s_, operand);
    asking_++;
    lower(copy);
    asking_--;
    if (s_.diag.error_count() == errors) {
      operand = copy;
      return true;
    }
    s_.diag.rollback(mark);
    if (probe_) probe_->saved.resize(saved);
    return false;
  }

  void lower_ternary(Expr *&e) {
    Ternary &t = *as<Ternary>(e);
    lower(t.condition);
    int64_t value;
    if (decided_ && constant(t.condition, value)) {
      e = value ? t.yes : t.no;
      return lower(e);
    }
    lower(t.yes);
    lower(t.no);
    decided_ = false;
  }

  void lower_logical(Expr *&e) {
    Logical &l = *as<Logical>(e);
    lower(l.left);
    int64_t left, right;
    if (decided_ && constant(l.left, left)) {
      if ((left != 0) == l.is_or) {
        e = number(e->place, l.is_or);
        decided_ = true;
        return;
      }
      lower(l.right);
      if (decided_ && constant(l.right, right)) {
        e = number(e->place, right != 0);
        return;
      }
      decided_ = false;
      return;
    }
    lower(l.right);
    decided_ = false;
  }

  void lower_not(Expr *&e) {
    Unary &u = *as<Unary>(e);
    lower(u.operand);
    int64_t value;
    if (u.op == UnaryOp::Not && decided_ && constant(u.operand, value)) {
      e = number(e->place, !value);
      decided_ = true;
      return;
    }
    decided_ = false;
  }

  // @choose_defined(a, b): a where it can be had, else b.
  void lower_intrinsic(Expr *&e) {
    Intrinsic &i = *as<Intrinsic>(e);
    if (i.op == IntrinsicOp::ChooseDefined && i.args.size() == 2) {
      Expr *first = i.args[0];
      if (attempt(first)) {
        e = first;
      } else {
        e = i.args[1];
        lower(e);
      }
      decided_ = false;
      return;
    }
    if (i.op == IntrinsicOp::ProbeWrite && i.args.size() == 1) {
      e = number(e->place, is_written(i.args[0]));
      decided_ = true;
      return;
    }
    for (Expr *&arg : i.args) lower(arg);
    decided_ = false;
    if (Expr *lowered = lower_operator(s_, i)) e = lowered;
    else lower_enumeration(e, i);
  }

  // Finds the probe that counts what @perf reads.
  void find_counter(Perf &perf) {
    std::vector<std::string> names;
    for (const DerivedProbe *probe : s_.program.probes) {
      const auto *counter = std::get_if<attach::Perf>(&probe->attach);
      if (!counter || counter->counter.empty()) continue;
      names.push_back(counter->counter);
      if (counter->counter == perf.counter) perf.probe = probe;
    }
    if (perf.probe) return;
    Diagnostic &d =
        s_.diag.error("no-such-counter", perf.place, "semantic error: the script has no counter '{}'", perf.counter);
    if (const std::string near = nearest_name(perf.counter, names); !near.empty()) d.hint("did you mean '{}'?", near);
    else d.hint("probe perf.type(1).config(0).counter(\"{}\") {{}}", perf.counter);
  }

  // A broken one leaves a constant behind, so that nothing more is said of it.
  void lower_enumeration(Expr *&e, const Intrinsic &i) {
    const bool is_name = i.op == IntrinsicOp::EnumName;
    if (!is_name && i.op != IntrinsicOp::Enum) return;
    const bool well_formed = !is_name || check_enumname(s_, i);
    if (well_formed && is_name && i.args.size() == 1 && !i.args[0]->target_type)
      return;  // its type comes with its name's
    Expr *lowered = nullptr;
    if (well_formed)
      report_failure([&] { lowered = is_name ? lower_enumname(s_, context_, i) : lower_enum(s_, context_, i); });
    if (!lowered && is_name) lowered = NodeFactory(s_, e->place).string("");
    e = lowered ? lowered : number(e->place, 0);
  }

  // Whether the handler as the user wrote it, aliases' parts aside, assigns to what prints the same.
  bool is_written(const Expr *variable) {
    const std::string name = print_expr(variable);
    bool found = false;
    if (!probe_ || !probe_->base->body) return false;
    for_each_expr(static_cast<Stmt *>(probe_->base->body), [&](Expr *&e) {
      const Expr *target = as<Assign>(e)     ? as<Assign>(e)->target
                           : as<PreStep>(e)  ? as<PreStep>(e)->target
                           : as<PostStep>(e) ? as<PostStep>(e)->target
                                             : nullptr;
      found |= target && print_expr(target) == name;
    });
    return found;
  }

  // What is in memory may be written in guru mode, and a whole register where the probed code goes on with it, unless
  // the family has other rules. True when e may not be looked at any more: it is done, or an error.
  bool refuse_write(Expr *e) {
    Expr *&target = as<Assign>(e)    ? as<Assign>(e)->target
                    : as<PreStep>(e) ? as<PreStep>(e)->target
                                     : as<PostStep>(e)->target;
    if (target->kind != ExprKind::Target && target->kind != ExprKind::AtVar && target->kind != ExprKind::Cast)
      return false;
    const std::string name = print_expr(target);
    const SourceFile *file = scope_of(target->place);
    const WriteRule rule = write_rule(target);
    if (rule.needs_guru && !s_.options.guru && !(file && file->is_tapset)) {
      s_.diag.error("target-write", target->place, "semantic error: writing to '{}' needs guru mode", name)
          .hint("run stap with -g");
      return true;
    }
    int errors = s_.diag.error_count();
    Expr *lowered = target;
    lower(lowered);
    if (s_.diag.error_count() > errors) return true;
    if (lowered->kind == ExprKind::Cast) return false;  // its type comes with its operand's
    if (Assign *a = as<Assign>(e)) lower(a->value);
    target = lowered;
    const bool is_register = register_of(lowered);
    const EventValue *event = as<EventValue>(lowered);
    if (lowered->kind == ExprKind::Deref || (event && !event->why_read_only) || (is_register && !rule.no_registers))
      return true;
    const bool is_saved = lowered->kind == ExprKind::SavedValue;
    Diagnostic &d = s_.diag.error("target-write", target->place, "semantic error: '{}' can't be written: {}", name,
                                  event         ? event->why_read_only
                                  : is_register ? rule.no_registers
                                  : is_saved    ? "this is its value at the function's entry"
                                                : "it is neither in memory nor a whole register here");
    if (is_saved)
      d.hint("a pointer that is kept in a variable is followed when the function returns: p = $pointer; p->member");
    return true;
  }

  WriteRule write_rule(const Expr *target) const {
    const Target *variable = as<Target>(target);
    return variable && probe_ && probe_->family->write_rule ? probe_->family->write_rule(*variable) : WriteRule{};
  }

  // @entry: the operand as it is where the function is entered, kept.
  void lower_entry(Expr *&e) {
    Expr *&operand = as<Entry>(e)->operand;
    if (!context_.at_return) {
      s_.diag.error("entry-outside-return", e->place, "semantic error: @entry is for .return probes");
      return;
    }
    int errors = s_.diag.error_count();
    at_entry([&] { lower(operand); });
    decided_ = false;
    if (s_.diag.error_count() > errors) return;
    if (Cast *cast = as<Cast>(operand); cast && cast->type_name.empty())
      report_failure([&] {
        throw TargetError{"no-target-type",
                          "semantic error: the type this value points to is not known at the function's entry",
                          cast->place,
                          {"say it with @cast(VALUE, \"TYPE\")"},
                          {}};
      });
    e = in_entry_ ? operand : keep_from_entry(s_, *probe_, operand);
  }

  template <class F> void at_entry(F f) {
    in_entry_++;
    f();
    in_entry_--;
  }

  // $variable and @var.
  void lower_variable_node(Expr *&e) {
    const Target *target = as<Target>(e);
    const AtVar *var = as<AtVar>(e);
    if (target && context_.event_variables) {
      lower_operands(e);
      report_failure([&] { e = lower_event_variable(s_, context_, *target); });
      return;
    }
    if (target && !context_.site) return no_variables(e);
    const bool is_result = target && (target->name == "$return" || target->name == "$$return");
    const bool is_kept = context_.at_return && !is_result && (target || is_in_scope(context_, *var));
    if (is_result && in_entry_) {
      s_.diag.error("bad-target", e->place, "semantic error: the value returned is not known at the function's entry");
      return;
    }
    if (is_kept) at_entry([&] { lower_operands(e); });
    else lower_operands(e);
    report_failure([&] { e = target ? lower_variable(s_, context_, *target) : lower_var(s_, context_, *var); });
    if (is_kept && !in_entry_ && e != target && e != var) e = keep_from_entry(s_, *probe_, e);
  }

  void no_variables(const Expr *e) {
    if (!probe_) {
      s_.diag.error("no-target-variables", e->place,
                    "semantic error: '{}' is in a function that belongs to no one probe", print_expr(e));
      return;
    }
    if (is_repeated("no-target-variables", e->place)) return;
    Diagnostic &d = s_.diag.error("no-target-variables", e->place,
                                  "semantic error: probe point '{}' has no target variables, so '{}' can't be found",
                                  probe_->point, print_expr(e));
    if (!scope_of(e->place)->is_tapset) d.note("in this probe", probe_->place);
  }

  void lower_cast_node(Expr *&e) {
    lower_operands(e);
    Cast &cast = *as<Cast>(e);
    if (cast.type_name.empty() && !cast.operand->target_type) return;  // the operand's type comes with its name's
    report_failure([&] { e = lower_cast(s_, context_, cast); });
  }

  // Runs what may throw a TargetError.
  template <class F> void report_failure(F f) {
    try {
      f();
    } catch (const TargetError &error) {
      if (!is_repeated(error.id, error.place)) report(s_, error);
    }
  }

  // A variable that is wrong at many probe points is reported at the first of them, with the count of the others. What
  // may be taken back is not counted.
  bool is_repeated(const std::string &id, const Place &place) {
    return probe_ && !asking_ && !s_.options.skip_bad_variables && s_.diag.repeat(id, place);
  }

  Session &s_;
  DerivedProbe *probe_;
  TargetContext context_;
  bool decided_ = false;
  int asking_ = 0;    // inside @defined and the like
  int in_entry_ = 0;  // inside what is computed at the function's entry
};

}  // namespace

TargetContext target_context(const DerivedProbe *probe) {
  TargetContext context;
  if (probe && probe->family->target_context) context = probe->family->target_context(*probe);
  if (probe) context.point = probe->point;
  return context;
}

void lower_targets(Session &s, const CodeUnit &code) {
  Lowering lowering(s, code.probe);
  if (!code.function) lowering.run();
  else if (code.function->body) lowering.run(code.function->body);
}
