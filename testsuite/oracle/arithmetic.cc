// SPDX-License-Identifier: GPL-2.0-or-later
// The oracle's numbers: two's complement of 64 bits, and what aggregates answer.
#include "interpret.h"

namespace {

using Wide = __int128;

int64_t wrap(Wide n) { return static_cast<int64_t>(static_cast<uint64_t>(n)); }

int64_t quotient(int64_t a, int64_t b) { return b == 0 ? 0 : wrap(static_cast<Wide>(a) / b); }

int64_t shift_left(int64_t a, int64_t by) { return static_cast<int64_t>(static_cast<uint64_t>(a) << (by & 63)); }

}  // namespace

int64_t compute(BinaryOp op, int64_t a, int64_t b) {
  const Wide x = a, y = b;
  switch (op) {
    case BinaryOp::Add: return wrap(x + y);
    case BinaryOp::Sub: return wrap(x - y);
    case BinaryOp::Mul:
      return wrap(static_cast<Wide>(static_cast<unsigned __int128>(x) * static_cast<unsigned __int128>(y)));
    case BinaryOp::Div:
    case BinaryOp::Mod:
      if (b == 0) throw ScriptError{"division by 0"};
      return wrap(op == BinaryOp::Div ? x / y : x % y);
    case BinaryOp::Shl: return shift_left(a, b);
    case BinaryOp::Shr: return a >> (b & 63);
    case BinaryOp::ShrLogical: return static_cast<int64_t>(static_cast<uint64_t>(a) >> (b & 63));
    case BinaryOp::And: return a & b;
    case BinaryOp::Or: return a | b;
    case BinaryOp::Xor: return a ^ b;
  }
  return 0;
}

void Interpreter::add(const VarDecl *decl, Aggregate &to, int64_t v) const {
  to.min = to.count && to.min < v ? to.min : v;
  to.max = to.count && to.max > v ? to.max : v;
  to.count++;
  to.sum = compute(BinaryOp::Add, to.sum, v);
  if (decl->histogram) to.buckets[bucket_of(*decl->histogram, v)]++;
  if (!decl->needs_variance) return;
  const int64_t scaled = shift_left(v, decl->variance_shift), delta = compute(BinaryOp::Sub, scaled, to.mean);
  to.mean = compute(BinaryOp::Add, to.mean, quotient(delta, to.count));
  to.squares =
      compute(BinaryOp::Add, to.squares, compute(BinaryOp::Mul, delta, compute(BinaryOp::Sub, scaled, to.mean)));
}

int64_t statistic_of(StatisticOp op, const Aggregate *a, int shift) {
  static const Aggregate nothing;
  if (!a) a = &nothing;
  if (op == StatisticOp::Count) return a->count;
  if (op == StatisticOp::Sum) return a->sum;
  if (!a->count) throw ScriptError{"empty aggregate"};
  switch (op) {
    case StatisticOp::Min: return a->min;
    case StatisticOp::Max: return a->max;
    case StatisticOp::Avg: return quotient(a->sum, a->count);
    case StatisticOp::Count:
    case StatisticOp::Sum:
    case StatisticOp::Variance: break;
  }
  if (a->count < 2) return 0;
  const int64_t off = compute(BinaryOp::Sub, quotient(shift_left(a->sum, shift), a->count), a->mean);
  const int64_t squares =
      compute(BinaryOp::Add, a->squares, compute(BinaryOp::Mul, a->count, compute(BinaryOp::Mul, off, off)));
  return quotient(squares, a->count - 1) >> (shift & 63) >> (shift & 63);
}
