// SPDX-License-Identifier: GPL-2.0-or-later
// Constant folding: operators on literals, with the wrap-around arithmetic of the run time.
#include <algorithm>

#include "optimize/optimize.h"
#include "sema/elaborate.h"
#include "syntax/make.h"

namespace {

// False: not computed here (a division by zero stays a run-time error).
bool compute(BinaryOp op, int64_t a, int64_t b, int64_t &result) {
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  switch (op) {
    case BinaryOp::Add: result = (int64_t)(x + y); return true;
    case BinaryOp::Sub: result = (int64_t)(x - y); return true;
    case BinaryOp::Mul: result = (int64_t)(x * y); return true;
    case BinaryOp::Div:
      if (b == 0) return false;
      result = b == -1 ? (int64_t)(0 - x) : a / b;
      return true;
    case BinaryOp::Mod:
      if (b == 0) return false;
      result = b == -1 ? 0 : a % b;
      return true;
    case BinaryOp::Shl: result = (int64_t)(x << (y & 63)); return true;
    case BinaryOp::Shr: result = a >> (y & 63); return true;
    case BinaryOp::ShrLogical: result = (int64_t)(x >> (y & 63)); return true;
    case BinaryOp::And: result = a & b; return true;
    case BinaryOp::Or: result = a | b; return true;
    case BinaryOp::Xor: result = a ^ b; return true;
  }
  return false;
}

bool compare(CompareOp op, int order) {
  switch (op) {
    case CompareOp::Eq: return order == 0;
    case CompareOp::Ne: return order != 0;
    case CompareOp::Lt: return order < 0;
    case CompareOp::Le: return order <= 0;
    case CompareOp::Gt: return order > 0;
    case CompareOp::Ge: return order >= 0;
  }
  return false;
}

class Folder {
 public:
  explicit Folder(Session &s) : s_(s) {}

  // Children have been folded before: for_each_expr goes bottom up.
  void fold(Expr *&e) {
    switch (e->kind) {
      case ExprKind::Unary: return fold_unary(e);
      case ExprKind::Binary: return fold_binary(e);
      case ExprKind::Compare: return fold_compare(e);
      case ExprKind::Logical: return fold_logical(e);
      case ExprKind::Ternary: {
        Ternary *t = as<Ternary>(e);
        if (Number *n = as<Number>(t->condition)) e = n->value ? t->yes : t->no;
        return;
      }
      case ExprKind::Concat: return fold_concat(e);
      case ExprKind::Number:
      case ExprKind::String:
      case ExprKind::Symbol:
      case ExprKind::Index:
      case ExprKind::HistogramIndex:
      case ExprKind::ArrayIn:
      case ExprKind::RegexMatch:
      case ExprKind::Assign:
      case ExprKind::PreStep:
      case ExprKind::PostStep:
      case ExprKind::Call:
      case ExprKind::Format:
      case ExprKind::Statistic:
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
      case ExprKind::EventValue: return;
    }
  }

 private:
  Expr *number(const Expr *old, int64_t value) { return NodeFactory(s_, old->place).number(value); }

  void fold_unary(Expr *&e) {
    Unary *u = as<Unary>(e);
    Number *n = as<Number>(u->operand);
    if (!n) return;
    uint64_t v = (uint64_t)n->value;
    switch (u->op) {
      case UnaryOp::Negate: e = number(e, (int64_t)(0 - v)); break;
      case UnaryOp::Plus: e = n; break;
      case UnaryOp::Not: e = number(e, !v); break;
      case UnaryOp::Complement: e = number(e, (int64_t)~v); break;
      case UnaryOp::Address: break;  // the checks have refused it
    }
  }

  void fold_binary(Expr *&e) {
    Binary *b = as<Binary>(e);
    Number *left = as<Number>(b->left), *right = as<Number>(b->right);
    int64_t result;
    if (left && right && compute(b->op, left->value, right->value, result)) e = number(e, result);
  }

  void fold_compare(Expr *&e) {
    Compare *c = as<Compare>(e);
    if (Number *a = as<Number>(c->left))
      if (Number *b = as<Number>(c->right)) {
        e = number(e, compare(c->op, a->value < b->value ? -1 : a->value > b->value));
        return;
      }
    String *a = as<String>(c->left), *b = as<String>(c->right);
    // Literals longer than MAXSTRINGLEN are cut at run time, so only short ones are compared here.
    if (a && b && a->value.size() < 64 && b->value.size() < 64)
      e = number(e, compare(c->op, a->value.compare(b->value)));
  }

  // `0 && x` never looks at x; `1 && x` still yields 0 or 1, so it stays unless x is a literal too.
  void fold_logical(Expr *&e) {
    Logical *l = as<Logical>(e);
    Number *left = as<Number>(l->left), *right = as<Number>(l->right);
    if (left && (left->value != 0) == l->is_or) e = number(e, l->is_or);
    else if (left && right) e = number(e, right->value != 0);
  }

  void fold_concat(Expr *&e) {
    Concat *c = as<Concat>(e);
    String *a = as<String>(c->left), *b = as<String>(c->right);
    // What the run time would cut is left to it.
    const auto longest = std::min<size_t>(s_.limits.max_string_len, 128);
    if (!a || !b || a->value.size() + b->value.size() >= longest) return;
    e = NodeFactory(s_, e->place).string(a->value + b->value);
  }

  Session &s_;
};

}  // namespace

void fold_constants(Session &s) {
  Folder folder(s);
  auto fold = [&](Expr *&e) { folder.fold(e); };
  for (DerivedProbe *p : s.program.probes) {
    if (p->condition) for_each_expr(p->condition, fold);
    for_each_expr(p->body, fold);
  }
  for (FunctionDecl *f : s.program.functions)
    if (f->body) for_each_expr(f->body, fold);
}
