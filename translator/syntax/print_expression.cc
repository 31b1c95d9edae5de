// SPDX-License-Identifier: GPL-2.0-or-later
// Expressions in the script language again.
#include <cinttypes>
#include <cstdio>
#include <fmt/core.h>

#include "syntax/printer.h"

namespace print {

std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      default:
        if (c >= 0x20 && c != 0x7f) {
          out += static_cast<char>(c);
        } else {
          char octal[5];  // always three digits: one that follows is not taken in
          std::snprintf(octal, sizeof octal, "\\%03o", c);
          out += octal;
        }
    }
  }
  return out + "\"";
}

static Level level_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Sub: return AddLevel;
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Mod: return MulLevel;
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::ShrLogical: return ShiftLevel;
    case BinaryOp::And: return BitAndLevel;
    case BinaryOp::Or: return BitOrLevel;
    case BinaryOp::Xor: return XorLevel;
  }
  return Lowest;
}

static bool takes_address(const Expr *e) {
  if (auto *t = as<Target>(e)) return t->address_of;
  if (auto *t = as<AtVar>(e)) return t->address_of;
  if (auto *t = as<Cast>(e)) return t->address_of;
  return false;
}

static Level level_of(const Expr *e) {
  switch (e->kind) {
    case ExprKind::Assign: return AssignLevel;
    case ExprKind::Ternary: return TernaryLevel;
    case ExprKind::Logical: return static_cast<const Logical *>(e)->is_or ? OrLevel : AndLevel;
    case ExprKind::Binary: return level_of(static_cast<const Binary *>(e)->op);
    case ExprKind::ArrayIn: return InLevel;
    case ExprKind::Compare: return static_cast<const Compare *>(e)->op <= CompareOp::Ne ? EqualLevel : RelationLevel;
    case ExprKind::RegexMatch: return EqualLevel;
    case ExprKind::Concat: return ConcatLevel;
    case ExprKind::Unary:
    case ExprKind::PreStep: return UnaryLevel;
    case ExprKind::PostStep: return PostfixLevel;
    case ExprKind::Number: {
      const int64_t value = static_cast<const Number *>(e)->value;
      return value < 0 ? UnaryLevel : PrimaryLevel;
    }
    case ExprKind::Target:
    case ExprKind::AtVar:
    case ExprKind::Cast: return takes_address(e) ? UnaryLevel : PrimaryLevel;
    case ExprKind::String:
    case ExprKind::Symbol:
    case ExprKind::Index:
    case ExprKind::HistogramIndex:
    case ExprKind::Call:
    case ExprKind::Format:
    case ExprKind::Statistic:
    case ExprKind::Histogram:
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
  return PrimaryLevel;
}

void Printer::expr(const Expr *e, Level at_least) {
  if (!e) {
    out += '*';  // a slice's key
    return;
  }
  const bool parentheses = level_of(e) < at_least;
  if (parentheses) out += '(';
  if (takes_address(e)) out += '&';
  plain(e);
  if (parentheses) out += ')';
}

void Printer::infix(const Expr *left, const char *op, const Expr *right, Level level) {
  expr(left, level);
  out += std::string(" ") + op + " ";
  expr(right, static_cast<Level>(level + 1));
}

void Printer::list(const std::vector<Expr *> &items) {
  bool first = true;
  for (const Expr *item : items) {
    if (!first) out += ", ";
    first = false;
    expr(item);
  }
}

void Printer::operation(const std::string &name, const Expr *operand) {
  out += name + "(";
  expr(operand);
  out += ')';
}

void Printer::subscript(const std::string &name, const std::vector<Expr *> &keys) {
  out += name + "[";
  list(keys);
  out += ']';
}

void Printer::ternary(const Ternary *e) {
  expr(e->condition, OrLevel);
  out += " ? ";
  expr(e->yes);
  out += " : ";
  expr(e->no, TernaryLevel);
}

void Printer::var(const AtVar *e) {
  out += fmt::format("@var({}{})", quoted(e->name), e->module.empty() ? "" : ", " + quoted(e->module));
  components(e->components);
}

void Printer::intrinsic(const Intrinsic *e) {
  out += "@" + e->name;
  if (e->args.empty()) return;
  out += '(';
  list(e->args);
  out += ')';
}

void Printer::deref(const Deref *e) {
  out += fmt::format("{}({}, ", e->user ? "@uderef" : "@kderef", e->size);
  expr(e->address);
  out += ')';
  if (e->bit_width) out += fmt::format(" /* bits {}+{} */", e->bit_shift, e->bit_width);
}

void Printer::call(const Call *e) {
  out += e->name + "(";
  list(e->args);
  out += ')';
}

void Printer::target_register(const Register *e) {
  out += fmt::format("{}({})", e->user ? "@uregister" : "@kregister", e->dwarf_number);
}

template <class T> static const T *to(const Expr *e) { return static_cast<const T *>(e); }

void Printer::plain(const Expr *e) {
  switch (e->kind) {
    case ExprKind::Number: out += std::to_string(to<Number>(e)->value); return;
    case ExprKind::String: out += quoted(to<String>(e)->value); return;
    case ExprKind::Symbol: out += to<Symbol>(e)->name; return;
    case ExprKind::Index: return subscript(to<Index>(e)->base->name, to<Index>(e)->keys);
    case ExprKind::HistogramIndex:
      expr(to<HistogramIndex>(e)->histogram, PrimaryLevel);
      return subscript("", {to<HistogramIndex>(e)->bucket});
    case ExprKind::Unary: return unary(to<Unary>(e));
    case ExprKind::Binary: {
      auto *b = to<Binary>(e);
      return infix(b->left, spelling(b->op), b->right, level_of(e));
    }
    case ExprKind::Compare:
      return infix(to<Compare>(e)->left, spelling(to<Compare>(e)->op), to<Compare>(e)->right, level_of(e));
    case ExprKind::Logical:
      return infix(to<Logical>(e)->left, to<Logical>(e)->is_or ? "||" : "&&", to<Logical>(e)->right, level_of(e));
    case ExprKind::Concat: return infix(to<Concat>(e)->left, ".", to<Concat>(e)->right, level_of(e));
    case ExprKind::RegexMatch: {
      auto *m = to<RegexMatch>(e);
      return infix(m->text, m->negated ? "!~" : "=~", m->pattern, level_of(e));
    }
    case ExprKind::Ternary: return ternary(to<Ternary>(e));
    case ExprKind::ArrayIn: return array_in(to<ArrayIn>(e));
    case ExprKind::Assign: return assign(to<Assign>(e));
    case ExprKind::PreStep:
      out += to<PreStep>(e)->decrement ? "--" : "++";
      return expr(to<PreStep>(e)->target, PrimaryLevel);
    case ExprKind::PostStep:
      expr(to<PostStep>(e)->target, PrimaryLevel);
      out += to<PostStep>(e)->decrement ? "--" : "++";
      return;
    case ExprKind::Call: return call(to<Call>(e));
    case ExprKind::Format: return format(to<Format>(e));
    case ExprKind::Statistic: return statistic(to<Statistic>(e));
    case ExprKind::Histogram: return histogram(to<Histogram>(e));
    case ExprKind::Target: out += to<Target>(e)->name; return components(to<Target>(e)->components);
    case ExprKind::AtVar: return var(to<AtVar>(e));
    case ExprKind::Cast: return cast(to<Cast>(e));
    case ExprKind::Defined: return operation("@defined", to<Defined>(e)->operand);
    case ExprKind::Entry: return operation("@entry", to<Entry>(e)->operand);
    case ExprKind::Perf: out += fmt::format("@perf({})", quoted(to<Perf>(e)->counter)); return;
    case ExprKind::Intrinsic: return intrinsic(to<Intrinsic>(e));
    case ExprKind::EmbeddedExpr: out += "%{" + to<EmbeddedExpr>(e)->text + "%}"; return;
    case ExprKind::Register: return target_register(to<Register>(e));
    case ExprKind::Deref: return deref(to<Deref>(e));
    case ExprKind::DerefString:
      return operation(to<DerefString>(e)->user ? "user_string" : "kernel_string", to<DerefString>(e)->address);
    case ExprKind::EnumName: return operation("@enumname", to<EnumName>(e)->operand);
    case ExprKind::Kept: return expr(to<Kept>(e)->value);
    case ExprKind::SavedValue: out += fmt::format("@saved({})", to<SavedValue>(e)->index); return;
    case ExprKind::EventValue: {
      static const char *const parts[] = {"number", "text", "result", "record"};
      out += fmt::format("@event({}, {})", parts[static_cast<int>(to<EventValue>(e)->part)], to<EventValue>(e)->index);
      return;
    }
    case ExprKind::SymbolAddress: out += fmt::format("@symbol({})", to<SymbolAddress>(e)->symbol); return;
  }
}

// A blank where two signs would run into one token: `- -x`, `! ~x`.
void Printer::unary(const Unary *e) {
  const char sign = "-+!~&"[static_cast<int>(e->op)];
  out += sign;
  const size_t behind = out.size();
  // -(5) is not the literal -5.
  auto *literal = as<Number>(e->operand);
  const bool bracketed = e->op == UnaryOp::Negate && literal && literal->value >= 0;
  expr(e->operand, bracketed                   ? static_cast<Level>(PrimaryLevel + 1)
                   : e->op == UnaryOp::Address ? PrimaryLevel
                                               : UnaryLevel);
  const char next = out[behind];
  if (next == sign || (sign == '!' && next == '~')) out.insert(behind, " ");
}

void Printer::assign(const Assign *e) {
  expr(e->target, PrimaryLevel);
  switch (e->assign) {
    case AssignKind::Plain: out += " = "; break;
    case AssignKind::Aggregate: out += " <<< "; break;
    case AssignKind::Concat: out += " .= "; break;
    case AssignKind::Arithmetic: out += std::string(" ") + spelling(e->op) + "= "; break;
  }
  expr(e->value, AssignLevel);
}

void Printer::array_in(const ArrayIn *e) {
  const Index *element = e->element;
  if (element->keys.size() == 1 && element->keys[0]) {
    expr(element->keys[0], InLevel);
  } else {
    out += '[';
    list(element->keys);
    out += ']';
  }
  out += " in " + element->base->name;
}

void Printer::format(const Format *e) {
  out += e->name + "(";
  std::string separator;
  if (e->has_format) out += quoted(e->format), separator = ", ";
  if (e->has_delimiter) expr(e->delimiter), separator = ", ";
  if (e->histogram) expr(e->histogram);
  if (!e->args.empty()) out += separator;
  list(e->args);
  out += ')';
}

void Printer::statistic(const Statistic *e) {
  out += std::string(spelling(e->op)) + "(";
  expr(e->stat);
  if (e->shift) out += ", " + std::to_string(e->shift);
  out += ')';
}

void Printer::histogram(const Histogram *e) {
  out += e->use.logarithmic ? "@hist_log(" : "@hist_linear(";
  expr(e->stat);
  if (!e->use.logarithmic) out += fmt::format(", {}, {}, {}", e->use.low, e->use.high, e->use.step);
  out += ')';
}

void Printer::components(const std::vector<TargetComponent> &list) {
  for (const TargetComponent &c : list) {
    switch (c.kind) {
      case TargetComponent::Kind::Member: out += "->" + c.member; break;
      case TargetComponent::Kind::Index: {
        Number n;
        n.value = c.index;
        out += '[';
        expr(&n);
        out += ']';
        break;
      }
      case TargetComponent::Kind::ExprIndex:
        out += '[';
        expr(c.expr_index);
        out += ']';
        break;
      case TargetComponent::Kind::Pretty: out += '$'; break;
      case TargetComponent::Kind::PrettyDeep: out += "$$"; break;
    }
  }
}

// Parentheses keep the operand's own components apart from the cast's, and `(name)[i]` from an array's element.
void Printer::autocast_operand(const Cast *e) {
  const Expr *operand = e->operand;
  const bool subscripted = !e->components.empty() && e->components[0].kind != TargetComponent::Kind::Member;
  const bool merges =
      as<Target>(operand) || as<AtVar>(operand) || as<Cast>(operand) || (as<Symbol>(operand) && subscripted);
  if (merges) out += '(';
  expr(operand, merges ? Lowest : PrimaryLevel);
  if (merges) out += ')';
}

void Printer::cast(const Cast *e) {
  if (e->type_name.empty()) {
    autocast_operand(e);
  } else {
    out += "@cast(";
    expr(e->operand);
    out += ", " + quoted(e->type_name) + (e->module.empty() ? "" : ", " + quoted(e->module)) + ")";
  }
  components(e->components);
}

}  // namespace print

const char *spelling(BinaryOp op) {
  static const char *const names[] = {"+", "-", "*", "/", "%", "<<", ">>", ">>>", "&", "|", "^"};
  return names[static_cast<int>(op)];
}

const char *spelling(CompareOp op) {
  static const char *const names[] = {"==", "!=", "<", "<=", ">", ">="};
  return names[static_cast<int>(op)];
}

const char *spelling(StatisticOp op) {
  static const char *const names[] = {"@count", "@sum", "@min", "@max", "@avg", "@variance"};
  return names[static_cast<int>(op)];
}
