// SPDX-License-Identifier: GPL-2.0-or-later
// The oracle's expressions: operands from left to right, each once, variables as they are at that moment.
#include <stdexcept>

#include "interpret.h"
#include "syntax/print.h"

std::vector<Value> Interpreter::keys(const std::vector<Expr *> &list) {
  std::vector<Value> values;
  for (const Expr *e : list) values.push_back(e ? value(e) : Value());
  return values;
}

Value Interpreter::compare(const Compare *e) {
  const Value a = value(e->left), b = value(e->right);
  // Bytes compare as unsigned, which std::string does too.
  const int order = a.number < b.number ? -1 : a.number > b.number ? 1 : a.text.compare(b.text);
  switch (e->op) {
    case CompareOp::Eq: return {order == 0, ""};
    case CompareOp::Ne: return {order != 0, ""};
    case CompareOp::Lt: return {order < 0, ""};
    case CompareOp::Le: return {order <= 0, ""};
    case CompareOp::Gt: return {order > 0, ""};
    case CompareOp::Ge: return {order >= 0, ""};
  }
  return {};
}

Value Interpreter::combine(const Assign *e, const Value &before, const Value &after) {
  if (e->assign == AssignKind::Concat)
    return text(before.text + cut_text(after.text, max_string_ - before.text.size()));
  if (e->assign == AssignKind::Arithmetic) return {compute(e->op, before.number, after.number), ""};
  return after;
}

// Keys, then the right side, then what the target holds by now.
Value Interpreter::assign(const Assign *e) {
  if (auto *symbol = as<Symbol>(e->target)) {
    const Value v = value(e->value);
    if (e->assign == AssignKind::Aggregate) {
      add(symbol->decl, storage(symbol->decl).aggregate, v.number);
      return v;
    }
    const Value result = combine(e, storage(symbol->decl).value, v);
    store(symbol->decl, result);
    return result;
  }
  auto *index = static_cast<const Index *>(e->target);
  const std::vector<Value> at = keys(index->keys);
  const Value v = value(e->value);
  Element &element = obtain(index->base->decl, at);
  if (e->assign == AssignKind::Aggregate) {
    add(index->base->decl, element.aggregate, v.number);
    return v;
  }
  return element.value = combine(e, element.value, v);
}

Value Interpreter::step(const Expr *target, bool decrement, bool before) {
  auto *symbol = as<Symbol>(target);
  auto *index = as<Index>(target);
  Value &v = symbol ? storage(symbol->decl).value : obtain(index->base->decl, keys(index->keys)).value;
  const Value old = v;
  v.number = compute(decrement ? BinaryOp::Sub : BinaryOp::Add, v.number, 1);
  return before ? v : old;
}

const Aggregate *Interpreter::find_aggregate(const Expr *e) {
  if (auto *symbol = as<Symbol>(e)) return &storage(symbol->decl).aggregate;
  auto *index = static_cast<const Index *>(e);
  const Element *element = find(index->base->decl, keys(index->keys));
  return element ? &element->aggregate : nullptr;
}

Value Interpreter::statistic(const Statistic *e) { return {statistic_of(e->op, find_aggregate(e->stat)), ""}; }

Value Interpreter::format(const Format *e) {
  if (e->lenient) throw std::logic_error("a print that the oracle does not know: " + print_expr(e));
  std::vector<Value> values;
  std::string printed;
  if (e->histogram) {
    auto *histogram = static_cast<const Histogram *>(e->histogram);
    const Aggregate *a = find_aggregate(histogram->stat);
    if (!a || !a->count) throw ScriptError{"empty aggregate"};
    printed = draw_histogram(histogram->use, *a, s_.limits.hist_width, s_.limits.hist_elision);
  } else if (e->has_format) {
    for (const Expr *arg : e->args) values.push_back(value(arg));
    printed = format_text(e->format, values);
  } else {
    for (const Expr *arg : e->args) {
      if (e->has_delimiter && arg != e->args[0]) printed += value(e->delimiter).text;
      const Value v = value(arg);
      printed += arg->type == Type::String ? v.text : std::to_string(v.number);
    }
  }
  if (e->newline) printed += '\n';
  if (e->to_string) return text(printed);
  output_ += printed;
  return {};
}

Value Interpreter::match(const RegexMatch *e) {
  const Match found = match_text(value(e->text).text, e->pattern->value);
  match_ = found;
  return {found.found != e->negated, ""};
}

static const Histogram *histogram_of(const Expr *e) { return static_cast<const Histogram *>(e); }

Value Interpreter::bucket(const HistogramIndex *e) {
  const Histogram *histogram = histogram_of(e->histogram);
  auto *index = as<Index>(histogram->stat);
  const std::vector<Value> at = index ? keys(index->keys) : std::vector<Value>();
  const int64_t n = number(e->bucket);
  const Element *element = index ? find(index->base->decl, at) : nullptr;
  const Aggregate *a = element ? &element->aggregate : index ? nullptr : find_aggregate(histogram->stat);
  if (n < 0 || n >= bucket_count(histogram->use)) throw ScriptError{"histogram index out of range"};
  if (!a || !a->count) throw ScriptError{"empty aggregate"};
  return {a->buckets.count(n) ? a->buckets.at(n) : 0, ""};
}

static int64_t apply(UnaryOp op, int64_t n) {
  switch (op) {
    case UnaryOp::Negate: return compute(BinaryOp::Sub, 0, n);
    case UnaryOp::Plus: return n;
    case UnaryOp::Not: return n == 0;
    case UnaryOp::Complement: return compute(BinaryOp::Xor, n, -1);
    case UnaryOp::Address: break;  // the checks have refused it
  }
  return n;
}

Value Interpreter::value(const Expr *e) {
  switch (e->kind) {
    case ExprKind::Number: return {static_cast<const Number *>(e)->value, ""};
    case ExprKind::String: return {0, static_cast<const String *>(e)->value};
    case ExprKind::Symbol: return storage(static_cast<const Symbol *>(e)->decl).value;
    case ExprKind::Index: {
      auto *index = static_cast<const Index *>(e);
      const Element *element = find(index->base->decl, keys(index->keys));
      return element ? element->value : Value();
    }
    case ExprKind::Unary:
      return {apply(static_cast<const Unary *>(e)->op, number(static_cast<const Unary *>(e)->operand)), ""};
    case ExprKind::Binary: {
      auto *b = static_cast<const Binary *>(e);
      const int64_t left = number(b->left), right = number(b->right);
      return {compute(b->op, left, right), ""};
    }
    case ExprKind::Compare: return compare(static_cast<const Compare *>(e));
    case ExprKind::Logical: {
      auto *l = static_cast<const Logical *>(e);
      return {l->is_or ? is_true(l->left) || is_true(l->right) : is_true(l->left) && is_true(l->right), ""};
    }
    case ExprKind::Concat: {
      const std::string left = value(static_cast<const Concat *>(e)->left).text,
                        right = value(static_cast<const Concat *>(e)->right).text;
      return text(left + cut_text(right, max_string_ - left.size()));
    }
    case ExprKind::Ternary: {
      auto *t = static_cast<const Ternary *>(e);
      return value(is_true(t->condition) ? t->yes : t->no);
    }
    case ExprKind::ArrayIn: {
      const Index *index = static_cast<const ArrayIn *>(e)->element;
      const std::vector<Value> wanted = keys(index->keys);
      for (const Element &element : storage(index->base->decl).elements) {
        bool is_it = true;
        for (size_t i = 0; i < wanted.size(); i++) is_it = is_it && (!index->keys[i] || wanted[i] == element.keys[i]);
        if (is_it) return {1, ""};
      }
      return {0, ""};
    }
    case ExprKind::RegexMatch: return match(static_cast<const RegexMatch *>(e));
    case ExprKind::HistogramIndex: return bucket(static_cast<const HistogramIndex *>(e));
    case ExprKind::Assign: return assign(static_cast<const Assign *>(e));
    case ExprKind::PreStep:
      return step(static_cast<const PreStep *>(e)->target, static_cast<const PreStep *>(e)->decrement, true);
    case ExprKind::PostStep:
      return step(static_cast<const PostStep *>(e)->target, static_cast<const PostStep *>(e)->decrement, false);
    case ExprKind::Call: return call(static_cast<const Call *>(e));
    case ExprKind::Format: return format(static_cast<const Format *>(e));
    case ExprKind::Statistic: return statistic(static_cast<const Statistic *>(e));
    case ExprKind::Histogram:
    case ExprKind::Target:
    case ExprKind::AtVar:
    case ExprKind::Cast:
    case ExprKind::Defined:
    case ExprKind::Entry:
    case ExprKind::Perf:
    case ExprKind::Intrinsic:
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
  throw std::logic_error("an expression that the oracle does not know: " + print_expr(e));
}
