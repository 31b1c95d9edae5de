// SPDX-License-Identifier: GPL-2.0-or-later
// Type inference: every expression, variable and function is long, string or stats; nothing needs to be declared.
//
// The walk over all bodies is repeated until nothing new is learned. What an
// expression is and what its surroundings want meet in unify(): whichever is known
// fills in the other. A conflict is reported once, with the place where the other
// type was learned. What is unknown at the end is an error.
#include <algorithm>
#include <fmt/core.h>
#include <unordered_map>

#include "debuginfo/type.h"
#include "library/library.h"
#include "sema/elaborate.h"
#include "syntax/format_spec.h"
#include "syntax/make.h"
#include "syntax/print.h"

namespace {

class Inference {
 public:
  explicit Inference(Session &s) : s_(s), order_(s.program.functions) {}

  void run() {
    for (VarDecl *g : s_.program.globals) start_global(*g);
    for (FunctionDecl *f : s_.program.functions)
      if (f->type != Type::Unknown) f->type_is_declared = true;
    // Each round finds at least one type. A chain of calls in the worst order needs one round for each call.
    learn_all();
    if (take_given_types()) learn_all();
    for (VarDecl *g : s_.program.globals) take_given(*g);
    for (FunctionDecl *f : s_.program.functions)
      if (f->type == Type::Unknown) f->type = Type::Void;
    reporting_ = true;
    order_ = s_.program.functions;
    std::reverse(order_.begin(), order_.end());
    walk_all();
    if (s_.diag.error_count() == 0) report_unresolved();
  }

 private:
  void start_global(VarDecl &g) {
    if (g.initial) {
      g.initial->type = g.initial->kind == ExprKind::String ? Type::String : Type::Long;
      set(g, g.initial->type, g.initial->place);
    }
  }

  void learn_all() {
    do {
      changed_ = false;
      walk_all();
    } while (changed_);
  }

  // Globals whose type the script does not show get the type of the value that -G gives them. Returns whether there was
  // one.
  bool take_given_types() {
    bool learned = false;
    for (VarDecl *g : s_.program.globals) {
      if (!g->given || g->type != Type::Unknown || g->arity > 0) continue;
      int64_t number;
      set(*g, read_global_number(*g->given, number) ? Type::Long : Type::String, g->place);
      learned = true;
    }
    return learned;
  }

  // -G NAME=VALUE becomes the initial value.
  void take_given(VarDecl &g) {
    if (!g.given || (g.type != Type::Long && g.type != Type::String)) return;
    if (g.type == Type::String) {
      g.initial = NodeFactory(s_, g.place).string(*g.given);
    } else {
      Number *n = NodeFactory(s_, g.place).number(0);
      if (!read_global_number(*g.given, n->value)) {
        auto it = learned_.find(&g.type);
        s_.diag
            .error("bad-global-value", {},
                   "semantic error: -G {0}={1}: '{0}' holds a number of 64 bits, which '{1}' is not", g.name, *g.given)
            .note("it is a number because of this", it != learned_.end() ? it->second : g.place);
      }
      g.initial = n;
    }
    g.given = nullptr;
  }

  void walk_all() {
    for (DerivedProbe *p : s_.program.probes) {
      function_ = nullptr;
      TrailScope led_by(s_.diag, &p->trail);
      if (p->condition) infer(p->condition, Type::Long);
      probe_ = p;
      for (Expr *e : p->saved) infer(e, Type::Unknown);
      infer(p->body);
      probe_ = nullptr;
    }
    // Types pass from callers to functions and back. Walking the functions in the other order next time lets a type
    // pass along a whole chain of calls in one round.
    std::reverse(order_.begin(), order_.end());
    for (FunctionDecl *f : order_) {
      function_ = f;
      probe_ = f->probe;
      TrailScope led_by(s_.diag, &f->trail);
      if (f->body) infer(f->body);
      probe_ = nullptr;
    }
  }

  // The type of a value that @entry saved. It counts as a number until its expression is known to be a string.
  Type saved_type(const SavedValue &value) const {
    const bool text = probe_ && value.index < probe_->saved.size() && probe_->saved[value.index]->type == Type::String;
    return text ? Type::String : Type::Long;
  }

  // --- meeting of types ---

  void set(VarDecl &decl, Type type, const Place &place) {
    decl.type = type;
    learned_[&decl.type] = place;
    changed_ = true;
  }

  // `slot` (of a variable, key or function) and `wanted` must agree; returns what is known of both.
  Type unify(Type &slot, Type wanted, const Place &place, const std::string &what, const Place &declared) {
    if (wanted == Type::Unknown || slot == wanted) return slot;
    if (slot == Type::Unknown) {
      slot = wanted;
      learned_[&slot] = place;
      changed_ = true;
      return slot;
    }
    if (reporting_) {
      Diagnostic &d =
          s_.diag.error("type-mismatch", place, "semantic error: type mismatch: {} is {}, but {} is needed here", what,
                        type_name(slot), type_name(wanted));
      auto it = learned_.find(&slot);
      d.note(fmt::format("it became {} here", type_name(slot)), it != learned_.end() ? it->second : declared);
    }
    return slot;
  }

  // The expression has the type `is`, and the place where it stands needs `want`.
  void expect(Expr *e, Type is, Type want) {
    e->type = is;
    if (is == Type::Unknown || want == Type::Unknown || is == want || !reporting_) return;
    if (is == Type::Void) {
      s_.diag.error("void-value", e->place, "semantic error: '{}' has no value", print_expr(e));
      return;
    }
    s_.diag
        .error("type-mismatch", e->place, "semantic error: type mismatch: this is {}, but {} is needed here",
               type_name(is), type_name(want))
        .hint(want == Type::String ? text_hint(*e) + member_hint(*e) : "");
  }

  // For `$file.f_mode`, where `.` joins strings; "" for anything else. `e` is a number.
  std::string member_hint(const Expr &e) const {
    const Symbol *member = concat_ && concat_->left == &e ? as<Symbol>(concat_->right) : nullptr;
    const TargetType *type = e.target_type;
    if (!member || !type || type->kind != TypeKind::Pointer || !type->target()->is_composite()) return "";
    return "'.' joins strings; a member is read with '->': ->" + member->name;
  }

  // For a number that is the address of text in the target; "" for any other.
  static std::string text_hint(const Expr &e) {
    const TargetType *type = e.target_type;
    if (!type || (type->kind != TypeKind::Pointer && type->kind != TypeKind::Array) || !type->target()->is_char())
      return "";
    return fmt::format("this is the address of text: {}(...) reads it",
                       type->in_user_space() ? "user_string" : "kernel_string");
  }

  // --- expressions ---

  void infer(Expr *e, Type want) {
    switch (e->kind) {
      case ExprKind::Number: return expect(e, Type::Long, want);
      case ExprKind::String: return expect(e, Type::String, want);
      case ExprKind::Symbol: return infer_symbol(*as<Symbol>(e), want);
      case ExprKind::Index: return infer_index(*as<Index>(e), want);
      case ExprKind::Unary:
      case ExprKind::Binary:
      case ExprKind::Logical:
      case ExprKind::PreStep:
      case ExprKind::PostStep:
      case ExprKind::Deref:
      case ExprKind::Register:
      case ExprKind::SymbolAddress: return infer_operands(e, Type::Long, Type::Long, want);
      case ExprKind::Perf: return expect(e, Type::Long, want);
      case ExprKind::EventValue:
        return expect(e, as<EventValue>(e)->part == EventPart::Text ? Type::String : Type::Long, want);
      case ExprKind::DerefString:
      case ExprKind::EnumName: return infer_operands(e, Type::Long, Type::String, want);
      case ExprKind::Concat: concat_ = as<Concat>(e); return infer_operands(e, Type::String, Type::String, want);
      case ExprKind::RegexMatch: return infer_operands(e, Type::String, Type::Long, want);
      case ExprKind::Statistic: return infer_operands(e, Type::Stats, Type::Long, want);
      case ExprKind::Compare: return infer_compare(*as<Compare>(e), want);
      case ExprKind::Ternary: {
        Ternary *t = as<Ternary>(e);
        infer(t->condition, Type::Long);
        Type type = infer_pair(t->yes, t->no, want);
        return expect(e, type, want);
      }
      case ExprKind::ArrayIn: infer_keys(*as<ArrayIn>(e)->element); return expect(e, Type::Long, want);
      case ExprKind::Assign: return infer_assign(*as<Assign>(e), want);
      case ExprKind::Call: return infer_call(*as<Call>(e), want);
      case ExprKind::Format: return infer_format(*as<Format>(e), want);
      case ExprKind::Histogram:
        infer_histogram(e);
        if (reporting_) histogram_as_value(*e);
        return;
      case ExprKind::HistogramIndex:
        infer_histogram(as<HistogramIndex>(e)->histogram);
        infer(as<HistogramIndex>(e)->bucket, Type::Long);
        return expect(e, Type::Long, want);
      case ExprKind::EmbeddedExpr:
        return expect(e, as<EmbeddedExpr>(e)->pragmas.string ? Type::String : Type::Long, want);
      case ExprKind::SavedValue: return expect(e, saved_type(*as<SavedValue>(e)), want);
      case ExprKind::Target:
      case ExprKind::AtVar:
      case ExprKind::Cast:
      case ExprKind::Defined:
      case ExprKind::Entry:
      case ExprKind::Intrinsic:
      case ExprKind::Kept:
        for_each_child(e, [&](Expr *&child) {
          if (child) infer(child, Type::Unknown);
        });
    }
  }

  // An expression whose operands are all of one type; there may be none.
  void infer_operands(Expr *e, Type operands, Type result, Type want) {
    for_each_child(e, [&](Expr *&child) {
      if (child) infer(child, operands);
    });
    expect(e, result, want);
  }

  void infer_compare(Compare &c, Type want) {
    // Where text is compared with the address of text, it is the address that is wrong.
    const bool is_text = (!text_hint(*c.left).empty() && c.right->type == Type::String) ||
                         (!text_hint(*c.right).empty() && c.left->type == Type::String);
    infer_pair(c.left, c.right, is_text ? Type::String : Type::Unknown);
    expect(&c, Type::Long, want);
  }

  // Two expressions of one type. What the second tells the first is used in the next round: inferring
  // an operand twice here would take time exponential in the depth of nested ?:.
  Type infer_pair(Expr *a, Expr *b, Type want) {
    Type before = b->type;
    if (want == Type::Unknown) want = usable(a->type) != Type::Unknown ? a->type : usable(before);
    infer(a, want);
    if (want == Type::Unknown) want = usable(a->type);
    infer(b, want);
    if (want == Type::Unknown) want = usable(b->type);
    changed_ |= b->type != before;
    return want;
  }
  static std::string key_name(const VarDecl &array, size_t i) {
    return fmt::format("key {} of '{}'", i + 1, array.name);
  }
  // Statistics can't be keys, arguments or results; that has been reported where they stand.
  static Type value_type(const Expr *e) {
    return e->type == Type::Long || e->type == Type::String ? e->type : Type::Unknown;
  }
  static Type usable(Type t) { return t == Type::Void ? Type::Unknown : t; }

  void infer_symbol(Symbol &symbol, Type want) {
    VarDecl *decl = symbol.decl;
    if (!decl) return;
    symbol.type = unify(decl->type, want, symbol.place, fmt::format("'{}'", decl->name), decl->place);
    if (reporting_ && decl->type == Type::Stats && want == Type::Unknown) stats_as_value(symbol);
  }

  void infer_keys(Index &index) {
    VarDecl *decl = index.base->decl;
    for (size_t i = 0; i < index.keys.size(); i++) {
      Expr *key = index.keys[i];
      if (!key) continue;
      bool typed = decl && i < decl->key_types.size();
      infer(key, typed && !reporting_ ? decl->key_types[i] : Type::Unknown);
      if (typed) unify(decl->key_types[i], value_type(key), key->place, key_name(*decl, i), decl->place);
      if (reporting_ && key->type == Type::Void) expect(key, key->type, Type::Long);
    }
  }

  void infer_index(Index &index, Type want) {
    infer_keys(index);
    VarDecl *decl = index.base->decl;
    if (!decl) return;
    index.type = unify(decl->type, want, index.place, fmt::format("the value of '{}'", decl->name), decl->place);
    if (reporting_ && decl->type == Type::Stats && want == Type::Unknown) stats_as_value(index);
  }

  void stats_as_value(const Expr &e) {
    s_.diag.error("stats-as-value", e.place, "semantic error: '{}' holds statistics, not a value", print_expr(&e))
        .hint("ask for one of them: @count, @sum, @min, @max, @avg");
  }

  void infer_histogram(Expr *e) { infer(as<Histogram>(e)->stat, Type::Stats); }

  void histogram_as_value(const Expr &e) {
    s_.diag.error("histogram-as-value", e.place, "semantic error: '{}' is a histogram, not a value", print_expr(&e))
        .hint("print it alone, run over its buckets with foreach, or ask for one of them: {}[1]", print_expr(&e));
  }

  void infer_assign(Assign &a, Type want) {
    switch (a.assign) {
      case AssignKind::Aggregate:
        infer(a.value, Type::Long);
        infer(a.target, Type::Stats);
        return expect(&a, Type::Long, want);
      case AssignKind::Arithmetic:
        infer(a.value, Type::Long);
        infer(a.target, Type::Long);
        return expect(&a, Type::Long, want);
      case AssignKind::Concat:
        infer(a.value, Type::String);
        infer(a.target, Type::String);
        return expect(&a, Type::String, want);
      case AssignKind::Plain: break;
    }
    Type before = a.target->type;
    infer(a.value, want != Type::Unknown || reporting_ ? want : usable(before));
    Type type = a.value->type;
    if (reporting_ && type == Type::Void) expect(&a, type, Type::Long);
    infer(a.target, value_type(a.value) != Type::Unknown ? type : want);
    if (type == Type::Unknown) changed_ |= a.target->type != before;
    a.type = a.target->type;
  }

  void infer_call(Call &call, Type want) {
    Type result = want;
    for (size_t i = 0; i < call.args.size(); i++) {
      Type hint = Type::Unknown;
      for (FunctionDecl *f : call.callees)
        if (!reporting_ && hint == Type::Unknown) hint = f->parameters[i]->type;
      infer(call.args[i], hint);
      if (reporting_ && call.args[i]->type == Type::Void) expect(call.args[i], Type::Void, Type::Long);
    }
    // An overload that never returns a value, because it always says `next`, has no type: the call has that of another.
    for (const FunctionDecl *f : call.callees)
      if (result == Type::Unknown) result = usable(f->type);
    for (FunctionDecl *f : call.callees) {
      for (size_t i = 0; i < call.args.size(); i++) {
        VarDecl *p = f->parameters[i];
        unify(p->type, value_type(call.args[i]), call.args[i]->place,
              fmt::format("parameter '{}' of '{}'", p->name, f->name), p->place);
      }
      if (f->type == Type::Void) {
        result = Type::Void;
        continue;
      }
      result = unify(f->type, result, call.place, fmt::format("the value of '{}'", f->name), f->place);
    }
    expect(&call, result, result == Type::Void ? want : Type::Unknown);
    call.type = result;
  }

  // --- print and its kin ---

  static Type wanted_by(const FormatDirective &d) { return d.takes_string ? Type::String : Type::Long; }

  void infer_format(Format &f, Type want) {
    if (f.has_format) {
      infer_directives(f);
    } else {
      if (f.delimiter) infer(f.delimiter, Type::String);
      for (Expr *arg : f.args) {
        infer(arg, Type::Unknown);
        if (reporting_ && arg->type == Type::Void) expect(arg, Type::Void, Type::Long);
      }
    }
    if (f.histogram) infer_histogram(f.histogram);
    expect(&f, f.to_string ? Type::String : Type::Void, want);
  }

  static Place directive_place(const Format &f, size_t at, size_t length) {
    return f.format_place ? place_in_string(f.format_place, at, length) : f.place;
  }

  void infer_directives(Format &f) {
    std::vector<FormatDirective> directives;
    FormatProblem problem;
    if (!parse_format(f.format, directives, problem)) {
      if (reporting_)
        s_.diag.error("bad-format", directive_place(f, problem.at, problem.length), "semantic error: {}: {}", f.name,
                      problem.message);
      return;
    }
    size_t at = 0;
    for (const FormatDirective &d : directives) {
      for (int star = 0; star < d.width_star + d.precision_star; star++)
        if (at < f.args.size()) infer_argument(f.args[at++], Type::Long, d, "the '*' of");
      if (!d.conversion) continue;
      if (at < f.args.size()) infer_argument(f.args[at], wanted_by(d), d, "");
      else if (reporting_ && at == f.args.size()) too_few(f, d);
      at++;
    }
    if (!reporting_ || at >= f.args.size()) return;
    s_.diag.error("format-arguments", f.args[at]->place,
                  "semantic error: too many arguments for {}: its format has directives for {}", f.name, at);
  }

  void too_few(const Format &f, const FormatDirective &d) {
    s_.diag.error("format-arguments", directive_place(f, d.at, d.text.size()),
                  "semantic error: too few arguments for {}: nothing left for '{}'", f.name, d.text);
  }

  void infer_argument(Expr *arg, Type want, const FormatDirective &d, const char *part) {
    int errors = s_.diag.error_count();
    size_t mark = s_.diag.mark();
    infer(arg, want);
    if (!reporting_ || s_.diag.error_count() == errors || arg->type == want) return;
    if (arg->type != Type::Long && arg->type != Type::String) return;
    s_.diag.rollback(mark);
    s_.diag
        .error("format-type", arg->place, "semantic error: {}{}'{}' takes a {}, but this is a {}", part,
               *part ? " " : "", d.text, type_name(want), type_name(arg->type))
        .hint(want == Type::Long        ? "print a string with %s"
              : text_hint(*arg).empty() ? "print a number with %d"
                                        : text_hint(*arg));
  }

  // --- statements ---

  void infer(Stmt *st) {
    if (Return *r = as<Return>(st)) return infer_return(*r);
    if (Foreach *loop = as<Foreach>(st)) return infer_foreach(*loop);
    if (Try *t = as<Try>(st)) {
      infer(t->body);
      if (t->message) infer_symbol(*t->message, Type::String);
      infer(t->handler);
      return;
    }
    if (Delete *d = as<Delete>(st)) {
      if (Index *index = as<Index>(d->target)) infer_keys(*index);
      if (Index *index = as<Index>(d->target))
        index->type = index->base->decl ? index->base->decl->type : Type::Unknown;
      if (Symbol *symbol = as<Symbol>(d->target)) symbol->type = symbol->decl ? symbol->decl->type : Type::Unknown;
      return;
    }
    if (If *i = as<If>(st)) {
      infer(i->condition, Type::Long);
      infer(i->yes);
      if (i->no) infer(i->no);
      return;
    }
    if (While *w = as<While>(st)) {
      infer(w->condition, Type::Long);
      infer(w->body);
      return;
    }
    if (For *f = as<For>(st)) {
      if (f->init) infer(f->init, Type::Unknown);
      if (f->condition) infer(f->condition, Type::Long);
      if (f->step) infer(f->step, Type::Unknown);
      infer(f->body);
      return;
    }
    for_each_child(
        st,
        [&](Expr *&e) {
          if (e) infer(e, Type::Unknown);
        },
        [&](Stmt *&child) {
          if (child) infer(child);
        });
  }

  void infer_return(Return &r) {
    if (!function_) {
      if (r.value) infer(r.value, Type::Unknown);
      return;
    }
    if (!r.value) return;
    infer(r.value, reporting_ ? Type::Unknown : usable(function_->type));
    unify(function_->type, value_type(r.value), r.value->place, fmt::format("the value of '{}'", function_->name),
          function_->place);
    if (reporting_ && r.value->type == Type::Void) expect(r.value, Type::Void, Type::Long);
  }

  void infer_foreach(Foreach &loop) {
    if (loop.histogram) {
      infer_histogram(loop.histogram);
      for (Symbol *key : loop.keys) infer_symbol(*key, Type::Long);
      if (loop.value) infer_symbol(*loop.value, Type::Long);
    } else if (loop.array && loop.array->decl) {
      VarDecl &array = *loop.array->decl;
      for (size_t i = 0; i < loop.keys.size() && i < array.key_types.size(); i++) {
        infer_symbol(*loop.keys[i], array.key_types[i]);
        unify(array.key_types[i], loop.keys[i]->type, loop.keys[i]->place, key_name(array, i), array.place);
      }
      for (size_t i = 0; i < loop.slice.size() && i < array.key_types.size(); i++)
        if (loop.slice[i]) {
          infer(loop.slice[i], reporting_ ? Type::Unknown : array.key_types[i]);
          unify(array.key_types[i], value_type(loop.slice[i]), loop.slice[i]->place, key_name(array, i), array.place);
        }
      infer_loop_value(loop, array);
    }
    if (loop.limit) infer(loop.limit, Type::Long);
    infer(loop.body);
  }

  void infer_loop_value(Foreach &loop, VarDecl &array) {
    if (loop.value && array.type == Type::Stats) {
      if (reporting_) stats_as_value(*loop.value);
    } else if (loop.value) {
      infer_symbol(*loop.value, array.type);
      unify(array.type, loop.value->type, loop.value->place, fmt::format("the value of '{}'", array.name), array.place);
    }
    if (loop.sort_by_statistic)
      unify(array.type, Type::Stats, loop.array->place, fmt::format("the value of '{}'", array.name), array.place);
    loop.array->type = array.type;
  }

  // --- what stayed unknown ---

  void unresolved(const VarDecl &decl, const char *what, const std::vector<VarDecl *> &others = {}) {
    Diagnostic &d =
        s_.diag.error("unresolved-type", decl.place, "semantic error: unresolved type of {} '{}'", what, decl.name);
    static const std::string argument = "argument $";  // how script_argument() names its text
    if (decl.place.file && decl.place.file->name.starts_with(argument)) {
      const std::string number = decl.place.file->name.substr(argument.size());
      d.hint("${0} is the argument as it stands, a name here; @{0} is it as a string", number);
      return;
    }
    if (decl.kind == VarDecl::Kind::Local && s_.library && !s_.library->functions(decl.name).empty()) {
      d.hint("there is a function of that name; a call has parentheses: {}()", decl.name);
      return;
    }
    std::vector<std::string> names;
    for (const ScriptFile *file : s_.user_files)
      for (const VarDecl *g : file->globals) names.push_back(g->name);
    for (const VarDecl *l : others)
      if (l != &decl && l->type != Type::Unknown) names.push_back(l->name);
    if (const std::string near = nearest_name(decl.name, names); decl.kind == VarDecl::Kind::Local && !near.empty()) {
      d.hint("did you mean '{}'?", near);
      return;
    }
    d.hint("nothing in the script says whether it is a number or a string: " +
           (decl.kind == VarDecl::Kind::Parameter ? fmt::format("declare it as '{}:long'", decl.name)
                                                  : std::string("assign to it")));
  }

  // Reports locals and parameters that were assigned statistics, which only globals can hold.
  void check_local(const VarDecl &decl, const char *what, const std::vector<VarDecl *> &others = {}) {
    if (decl.type == Type::Unknown) return unresolved(decl, what, others);
    if (decl.type != Type::Stats) return;
    const auto it = learned_.find(&decl.type);
    s_.diag
        .error("local-statistics", it != learned_.end() ? it->second : decl.place,
               "semantic error: only a global can hold statistics, and '{}' is a {}", decl.name, what)
        .hint("declare it outside of the probes and functions: global " + decl.name);
  }

  void report_unresolved() {
    for (const VarDecl *g : s_.program.globals) {
      bool keys_known = true;
      for (Type t : g->key_types) keys_known &= t != Type::Unknown;
      if (g->type == Type::Unknown || !keys_known) unresolved(*g, g->arity > 0 ? "array" : "global");
    }
    for (const DerivedProbe *p : s_.program.probes)
      for (const VarDecl *l : p->locals) check_local(*l, "local variable", p->locals);
    for (const FunctionDecl *f : s_.program.functions) {
      for (const VarDecl *p : f->parameters) check_local(*p, "parameter");
      for (const VarDecl *l : f->locals) check_local(*l, "local variable", f->locals);
    }
  }

  Session &s_;
  std::vector<FunctionDecl *> order_;
  FunctionDecl *function_ = nullptr;
  const DerivedProbe *probe_ = nullptr;
  bool changed_ = false;
  const Concat *concat_ = nullptr;  // the last that was entered
  bool reporting_ = false;
  std::unordered_map<const Type *, Place> learned_;
};

}  // namespace

void infer_types(Session &s) { Inference(s).run(); }
