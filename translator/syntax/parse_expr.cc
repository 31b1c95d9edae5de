// SPDX-License-Identifier: GPL-2.0-or-later
// Expressions for the grammar: operators, calls, and the language's own @operators.
#include <algorithm>
#include <fmt/core.h>

#include "base/session.h"
#include "syntax/parse.h"
#include "syntax/preprocess.h"

Expr *ParseContext::number(const Token *t) {
  auto *e = session.make<Number>(t->place);
  e->value = t->number;
  e->type = Type::Long;
  return e;
}

Expr *ParseContext::string(const Token *t) {
  auto *e = session.make<String>(t->place);
  e->value = t->text;
  e->type = Type::String;
  if (t->unknown_escape) unknown_escapes_[e] = t->unknown_escape;
  return e;
}

Expr *ParseContext::symbol(const Token *t) {
  auto *e = session.make<Symbol>(t->place);
  e->name = t->text;
  return e;
}

Expr *ParseContext::broken(const Place &place) {
  auto *e = session.make<Number>(place);
  e->type = Type::Long;
  broken_.insert(e);
  return e;
}

Expr *ParseContext::parenthesized(Expr *e) {
  parenthesized_.insert(e);
  return e;
}

Expr *ParseContext::embedded(const Token *t) {
  may_embed_c(t);
  auto *e = session.make<EmbeddedExpr>(t->place);
  e->text = t->text;
  e->pragmas = parse_pragmas(t->text);
  return e;
}

// ---------------------------------------------------------------- operators

Expr *ParseContext::unary(UnaryOp op, Expr *operand, const Place &place) {
  // -5 is one literal. - -5 and -(5) stay operators, so that a tree that is printed and parsed again is the same.
  auto *literal = as<Number>(operand);
  if (op == UnaryOp::Negate && literal && (literal->value >= 0 || literal->value == INT64_MIN) &&
      !parenthesized_.count(operand) && !is_broken(operand) && !negated_.count(operand)) {
    literal->value = static_cast<int64_t>(-static_cast<uint64_t>(literal->value));  // 2**63 has wrapped already
    literal->place = place;
    negated_.insert(literal);
    return literal;
  }
  auto *e = session.make<Unary>(place);
  e->op = op;
  e->operand = operand;
  return deepened(e, operand);
}

Expr *ParseContext::binary(BinaryOp op, Expr *left, Expr *right, const Place &place, const Place &op_place) {
  auto *e = session.make<Binary>(place);
  e->op = op;
  e->op_place = op_place;
  e->left = left;
  e->right = right;
  return deepened(e, left, right);
}

Expr *ParseContext::compare(CompareOp op, Expr *left, Expr *right, const Place &place) {
  auto *e = session.make<Compare>(place);
  e->op = op;
  e->left = left;
  e->right = right;
  return deepened(e, left, right);
}

Expr *ParseContext::logical(bool is_or, Expr *left, Expr *right, const Place &place) {
  auto *e = session.make<Logical>(place);
  e->is_or = is_or;
  e->left = left;
  e->right = right;
  return deepened(e, left, right);
}

Expr *ParseContext::concat(Expr *left, Expr *right, const Place &place) {
  auto *e = session.make<Concat>(place);
  e->left = left;
  e->right = right;
  return deepened(e, left, right);
}

Expr *ParseContext::ternary(Expr *condition, Expr *yes, Expr *no, const Place &place) {
  auto *e = session.make<Ternary>(place);
  e->condition = condition;
  e->yes = yes;
  e->no = no;
  return deepened(e, condition, yes, no);
}

Expr *ParseContext::match(bool negated, Expr *text, Expr *pattern, const Place &place) {
  auto *literal = as<String>(pattern);
  if (!literal) {
    if (!is_broken(pattern))
      session.diag.error("regex-not-literal", pattern->place,
                         "parse error: a regular expression must be a string literal");
    return broken(place);
  }
  // A string loses the backslash before a letter that is no escape sequence. As a regular expression the letter alone
  // is rarely what was meant, so this is an error; "\." is only warned of, because existing scripts have it and work.
  if (auto escape = unknown_escapes_.find(pattern); escape != unknown_escapes_.end())
    session.diag
        .error("bad-regex", escape->second, "parse error: the backslash of this regular expression would be lost")
        .hint("a backslash is written \\\\ in a string");
  auto *e = session.make<RegexMatch>(place);
  e->text = text;
  e->pattern = literal;
  e->negated = negated;
  return deepened(e, text, pattern);
}

Expr *ParseContext::in_array(std::vector<Expr *> keys, const Token *array, const Place &place) {
  auto *element = session.make<Index>(place);
  element->base = static_cast<Symbol *>(symbol(array));
  element->keys = std::move(keys);
  auto *e = session.make<ArrayIn>(place);
  e->element = element;
  return deepened(e, element->keys);
}

bool ParseContext::check_lvalue(Expr *e, const char *what) {
  if (is_broken(e)) return false;
  bool ok = as<Symbol>(e) || as<Index>(e);
  if (auto *t = as<Target>(e)) ok = !t->address_of;
  if (auto *t = as<AtVar>(e)) ok = !t->address_of;
  if (auto *t = as<Cast>(e)) ok = !t->address_of && !t->components.empty();
  if (auto *t = as<Intrinsic>(e))
    ok = t->op == IntrinsicOp::Kregister || t->op == IntrinsicOp::Uregister || t->op == IntrinsicOp::Kderef ||
         t->op == IntrinsicOp::Uderef;
  if (!ok)
    session.diag
        .error("not-assignable", e->place, "parse error: {} needs a variable, an array element or a $target", what)
        .hint(std::string(what) == "assignment" ? "== compares" : "");
  return ok;
}

Expr *ParseContext::assign(AssignKind kind, BinaryOp op, Expr *target, Expr *value, const Place &place,
                           const Place &op_place) {
  check_lvalue(target, "assignment");
  auto *e = session.make<Assign>(place);
  e->op_place = op_place;
  e->assign = kind;
  e->op = op;
  e->target = target;
  e->value = value;
  return deepened(e, target, value);
}

Expr *ParseContext::step(bool before, bool decrement, Expr *target, const Place &place) {
  check_lvalue(target, decrement ? "--" : "++");
  if (before) {
    auto *e = session.make<PreStep>(place);
    e->decrement = decrement;
    e->target = target;
    return deepened(e, target);
  }
  auto *e = session.make<PostStep>(place);
  e->decrement = decrement;
  e->target = target;
  return deepened(e, target);
}

// ---------------------------------------------------------------- targets and components

Expr *ParseContext::target(const Token *t) {
  auto *e = session.make<Target>(t->place);
  e->name = t->text;
  return e;
}

namespace {
std::vector<TargetComponent> *components_of(Expr *e) {
  if (auto *t = as<Target>(e)) return &t->components;
  if (auto *v = as<AtVar>(e)) return &v->components;
  if (auto *c = as<Cast>(e)) return &c->components;
  return nullptr;
}
}  // namespace

Expr *ParseContext::component(Expr *base, TargetComponent c, const Place &place) {
  std::vector<TargetComponent> *components = parenthesized_.count(base) ? nullptr : components_of(base);
  if (!components) {  // `->` on any other expression: an autocast
    auto *cast = session.make<Cast>(place);
    cast->operand = base;
    base = deepened(cast, base);
    components = &cast->components;
  }
  const bool ended = !components->empty() && components->back().is_pretty();
  if (ended) session.diag.error("after-pretty", c.place, "parse error: nothing can follow the pretty-printing '$'");
  Expr *index = c.expr_index;
  components->push_back(std::move(c));
  base->place.length = place.length;
  set_depth(base, std::max(depth_of(base), depth_of(index) + 1));
  return base;
}

Expr *ParseContext::subscript(Expr *base, std::vector<Expr *> keys, const Place &place, const Place &component_place) {
  auto *array = as<Symbol>(base);
  if (array && !parenthesized_.count(base)) {
    auto *e = session.make<Index>(place);
    e->base = array;
    e->keys = std::move(keys);
    for (const Expr *key : e->keys)
      if (!key) slices_[e] = place;
    return deepened(e, e->keys);
  }
  if (keys.size() != 1 || !keys[0]) {
    session.diag.error("one-index", place, "parse error: only an array takes several keys or '*'");
    return broken(place);
  }
  if (as<Histogram>(base)) {
    auto *e = session.make<HistogramIndex>(place);
    e->histogram = base;
    e->bucket = keys[0];
    return deepened(e, base, keys[0]);
  }
  TargetComponent c{TargetComponent::Kind::ExprIndex, "", 0, keys[0], component_place};
  if (auto *literal = as<Number>(keys[0]); literal && !is_broken(literal))
    c = {TargetComponent::Kind::Index, "", literal->value, nullptr, component_place};
  return component(base, std::move(c), place);
}

Expr *ParseContext::address_of(Expr *operand, const Place &place) {
  bool *flag = nullptr;
  std::vector<TargetComponent> *components = components_of(operand);
  if (auto *t = as<Target>(operand)) flag = &t->address_of;
  if (auto *v = as<AtVar>(operand)) flag = &v->address_of;
  if (auto *c = as<Cast>(operand)) flag = &c->address_of;
  const bool pretty = components && !components->empty() && components->back().is_pretty();
  if (is_broken(operand)) return operand;
  if (!flag || *flag || pretty) return unary(UnaryOp::Address, operand, place);
  *flag = true;
  operand->place = place;
  return parenthesized(operand);
}

// Reports the slices that are read like a value. Only delete, foreach and `in` can do something with several elements.
void ParseContext::finish() {
  for (const auto &[element, place] : slices_)
    session.diag.error("slice-value", place, "parse error: '*' as a key is for delete, foreach and in only");
}

// ---------------------------------------------------------------- calls

bool ParseContext::is_format(const std::string &name) {
  static const std::unordered_set<std::string> formats = {"print",  "println",  "printf",  "printd",  "printdln",
                                                          "sprint", "sprintln", "sprintf", "sprintd", "sprintdln"};
  return formats.count(name) > 0;
}

Expr *ParseContext::call(const Token *name, std::vector<Expr *> args, const Place &place) {
  if (is_format(name->text)) return format_call(name, std::move(args), place);
  auto *e = session.make<Call>(place);
  e->name = name->text;
  e->args = std::move(args);
  return deepened(e, e->args);
}

Expr *ParseContext::format_call(const Token *name, std::vector<Expr *> args, const Place &place) {
  auto *e = session.make<Format>(place);
  e->name = name->text;
  e->to_string = e->name[0] == 's';
  const std::string base = e->name.substr(e->to_string);
  e->newline = base == "println" || base == "printdln";
  e->has_format = base == "printf";
  e->has_delimiter = base == "printd" || base == "printdln";
  e->type = e->to_string ? Type::String : Type::Void;
  if (e->has_format || e->has_delimiter) {
    auto *literal = args.empty() ? nullptr : as<String>(args[0]);
    if (!literal) {
      if (args.empty() || !is_broken(args[0]))
        session.diag
            .error("format-not-literal", args.empty() ? place : args[0]->place,
                   "parse error: the first argument of {} must be a string literal", e->name)
            .hint(e->has_format ? fmt::format("use {}(\"%s\", ...) for text that is computed", e->name) : "");
      return broken(place);
    }
    e->format_place = literal->place;
    if (e->has_format) e->format = literal->value;
    else e->delimiter = literal;
    args.erase(args.begin());
  }
  if (args.size() == 1 && !e->has_format && !e->has_delimiter && as<Histogram>(args[0])) {
    e->histogram = args[0];
    args.clear();
  } else if (args.empty() && !e->has_format && !e->newline) {
    session.diag.error("nothing-to-print", place, "parse error: {} needs something to print", e->name);
  } else if (e->has_delimiter && args.size() < 2) {
    session.diag.error("nothing-to-print", place, "parse error: {} needs a delimiter and at least two values", e->name);
  }
  e->args = std::move(args);
  return deepened(e, e->args, e->histogram);
}

bool ParseContext::check_args(const Token *name, const std::vector<Expr *> &args, size_t least, size_t most,
                              const Place &place, const char *usage) {
  for (const Expr *a : args)
    if (is_broken(a)) return false;
  if (args.size() >= least && args.size() <= most) return true;
  session.diag.error("operator-arguments", place, "parse error: @{} has the wrong number of arguments", name->text)
      .hint(usage);
  return false;
}

const String *ParseContext::literal(const Token *name, Expr *arg, const char *usage) {
  auto *s = as<String>(arg);
  if (!s && !is_broken(arg))
    session.diag.error("operator-arguments", arg->place, "parse error: @{} needs a string literal here", name->text)
        .hint(usage);
  return s;
}

std::optional<StatisticOp> ParseContext::statistic_named(const std::string &name) {
  static const std::unordered_map<std::string, StatisticOp> table = {
      {"count", StatisticOp::Count}, {"sum", StatisticOp::Sum}, {"min", StatisticOp::Min},
      {"max", StatisticOp::Max},     {"avg", StatisticOp::Avg}, {"variance", StatisticOp::Variance}};
  auto found = table.find(name);
  if (found == table.end()) return std::nullopt;
  return found->second;
}

Expr *ParseContext::statistic(StatisticOp op, const Token *name, const std::vector<Expr *> &args, const Place &place) {
  const bool variance = op == StatisticOp::Variance;
  const std::string usage =
      fmt::format("write @{}(aggregate){}", name->text, variance ? " or @variance(aggregate, bit-shift)" : "");
  if (!check_args(name, args, 1, variance ? 2 : 1, place, usage.c_str())) return broken(place);
  auto *e = session.make<Statistic>(place);
  e->op = op;
  e->stat = args[0];
  e->type = Type::Long;
  if (args.size() == 2) {
    auto *shift = as<Number>(args[1]);
    if (!shift || shift->value < 0 || shift->value > 62)
      session.diag.error("variance-shift", args[1]->place,
                         "parse error: the bit-shift of @variance must be a number from 0 to 62");
    else e->shift = shift->value;
  }
  return deepened(e, args[0]);
}

// Limits the number of buckets. Every aggregate has room for all of them, and a handler that draws them or loops over
// them takes time for each.
void ParseContext::check_histogram_bounds(const HistogramUse &use, const Place &place) {
  constexpr uint64_t most = 2048;
  if (use.step <= 0) {
    session.diag.error("histogram-bounds", place, "parse error: the step of @hist_linear must be positive");
  } else if (use.high < use.low) {
    session.diag.error("histogram-bounds", place, "parse error: @hist_linear's high bound is below its low one");
  } else if (const uint64_t steps = (uint64_t(use.high) - uint64_t(use.low)) / uint64_t(use.step); steps >= most) {
    session.diag
        .error("histogram-bounds", place, "parse error: these bounds and this step ask for more than {} buckets", most)
        .hint("take a step of {} or more, or @hist_log", steps / most * uint64_t(use.step) + uint64_t(use.step));
  }
}

Expr *ParseContext::histogram(const Token *name, const std::vector<Expr *> &args, const Place &place) {
  const bool logarithmic = name->text == "hist_log";
  const char *usage = logarithmic ? "write @hist_log(aggregate)" : "write @hist_linear(aggregate, low, high, step)";
  if (!check_args(name, args, logarithmic ? 1 : 4, logarithmic ? 1 : 4, place, usage)) return broken(place);
  auto *e = session.make<Histogram>(place);
  e->use.logarithmic = logarithmic;
  e->stat = args[0];
  if (!logarithmic) {
    int64_t *values[] = {&e->use.low, &e->use.high, &e->use.step};
    for (int i = 0; i < 3; i++) {
      auto *n = as<Number>(args[i + 1]);
      if (!n) {
        session.diag
            .error("operator-arguments", args[i + 1]->place,
                   "parse error: the bounds and step of @hist_linear must be number literals")
            .hint(usage);
        return broken(place);
      }
      *values[i] = n->value;
    }
    check_histogram_bounds(e->use, place);
  }
  return deepened(e, args[0]);
}

Expr *ParseContext::var_operator(const Token *name, const std::vector<Expr *> &args, const Place &place) {
  const char *usage = "write @var(\"name@file\") or @var(\"name@file\", \"module\")";
  if (!check_args(name, args, 1, 2, place, usage)) return broken(place);
  const String *variable = literal(name, args[0], usage);
  const String *module = args.size() > 1 ? literal(name, args[1], usage) : nullptr;
  if (!variable || (args.size() > 1 && !module)) return broken(place);
  auto *e = session.make<AtVar>(place);
  e->name = variable->value;
  if (module) e->module = module->value;
  return e;
}

Expr *ParseContext::cast_operator(const Token *name, const std::vector<Expr *> &args, const Place &place) {
  const char *usage = "write @cast(pointer, \"type\") or @cast(pointer, \"type\", \"module\")";
  if (!check_args(name, args, 2, 3, place, usage)) return broken(place);
  const String *type = literal(name, args[1], usage);
  const String *module = args.size() > 2 ? literal(name, args[2], usage) : nullptr;
  if (!type || (args.size() > 2 && !module)) return broken(place);
  if (type->value.empty()) {
    session.diag.error("operator-arguments", type->place, "parse error: @cast needs the name of a type").hint(usage);
    return broken(place);
  }
  auto *e = session.make<Cast>(place);
  e->operand = args[0];
  e->type_name = type->value;
  if (module) e->module = module->value;
  return deepened(e, args[0]);
}

static IntrinsicOp intrinsic_named(const std::string &name) {
  static const std::unordered_map<std::string, IntrinsicOp> known = {
      {"choose_defined", IntrinsicOp::ChooseDefined},
      {"const", IntrinsicOp::Const},
      {"enum", IntrinsicOp::Enum},
      {"enumname", IntrinsicOp::EnumName},
      {"errno", IntrinsicOp::Errno},
      {"kderef", IntrinsicOp::Kderef},
      {"kregister", IntrinsicOp::Kregister},
      {"probewrite", IntrinsicOp::ProbeWrite},
      {"uderef", IntrinsicOp::Uderef},
      {"uregister", IntrinsicOp::Uregister},
  };
  auto it = known.find(name);
  return it == known.end() ? IntrinsicOp::Other : it->second;
}

Expr *ParseContext::at_operator(const Token *name, bool has_args, std::vector<Expr *> args, const Place &place) {
  const std::string &op = name->text;
  if (auto statistic_op = statistic_named(op)) return statistic(*statistic_op, name, args, place);
  if (op == "hist_log" || op == "hist_linear") return histogram(name, args, place);
  if (op == "var") return var_operator(name, args, place);
  if (op == "cast") return cast_operator(name, args, place);
  if (op == "defined" || op == "entry") {
    if (!check_args(name, args, 1, 1, place, fmt::format("write @{}(expression)", op).c_str())) return broken(place);
    if (op == "defined") {
      auto *e = session.make<Defined>(place);
      e->operand = args[0];
      return deepened(e, args[0]);
    }
    auto *e = session.make<Entry>(place);
    e->operand = args[0];
    return deepened(e, args[0]);
  }
  if (op == "perf") {
    const char *usage = "write @perf(\"counter\")";
    const String *counter = check_args(name, args, 1, 1, place, usage) ? literal(name, args[0], usage) : nullptr;
    if (!counter) return broken(place);
    if (counter->value.empty()) {
      session.diag.error("operator-arguments", counter->place, "parse error: @perf needs the name of a counter")
          .hint(usage);
      return broken(place);
    }
    auto *e = session.make<Perf>(place);
    e->counter = counter->value;
    return e;
  }
  auto *e = session.make<Intrinsic>(place);
  e->op = intrinsic_named(op);
  e->name = op;
  (void)has_args;
  e->args = std::move(args);
  return deepened(e, e->args);
}
