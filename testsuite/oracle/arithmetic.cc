// SPDX-License-Identifier: GPL-2.0-or-later
// The oracle's numbers: two's complement of 64 bits, and what aggregates answer.
#include <array>

#include "interpret.h"

namespace {

using Wide = __int128;

int64_t wrap(Wide n) { return static_cast<int64_t>(static_cast<uint64_t>(n)); }

int64_t quotient(int64_t a, int64_t b) { return b == 0 ? 0 : wrap(static_cast<Wide>(a) / b); }

int64_t shift_left(int64_t a, int64_t by) { return static_cast<int64_t>(static_cast<uint64_t>(a) << (by & 63)); }

// Numbers of 320 bits, in digits of 32, the lowest first: room for what the variance of any numbers needs on the way.
using Digits = std::array<uint64_t, 10>;

void carry_over(Digits &n) {
  for (size_t i = 0; i + 1 < n.size(); i++) {
    n[i + 1] += n[i] >> 32;
    n[i] &= 0xffffffff;
  }
}

Digits digits_of(unsigned __int128 n) {
  Digits all{};
  for (size_t i = 0; i < 4; i++) all[i] = static_cast<uint32_t>(n >> (32 * i));
  return all;
}

Digits product(const Digits &a, const Digits &b) {
  Digits all{};
  for (size_t i = 0; i < all.size(); i++) {
    for (size_t k = 0; i + k < all.size(); k++) all[i + k] += a[i] * b[k];
    carry_over(all);
  }
  return all;
}

// a - b, which is not negative.
Digits difference(Digits a, const Digits &b) {
  uint64_t borrow = 0;
  for (size_t i = 0; i < a.size(); i++) {
    const uint64_t take = b[i] + borrow;
    borrow = a[i] < take;
    a[i] = (a[i] | borrow << 32) - take;
  }
  return a;
}

Digits quotient(Digits a, uint32_t by) {
  uint64_t rest = 0;
  for (size_t i = a.size(); i-- > 0;) {
    rest = rest << 32 | a[i];
    a[i] = rest / by;
    rest %= by;
  }
  return a;
}

// (n * sum of squares - sum * sum) / (n * (n - 1)), downwards, and the lowest 64 bits of it.
int64_t variance_of(const std::vector<int64_t> &values) {
  const auto n = static_cast<uint32_t>(values.size());
  if (n < 2) return 0;
  Wide sum = 0;
  Digits squares{};
  for (const int64_t v : values) {
    sum += v;
    const Digits square = digits_of(static_cast<unsigned __int128>(Wide{v} * v));
    for (size_t i = 0; i < square.size(); i++) squares[i] += square[i];
    carry_over(squares);
  }
  const Digits magnitude = digits_of(static_cast<unsigned __int128>(sum < 0 ? -sum : sum));
  const Digits all = difference(product(squares, digits_of(n)), product(magnitude, magnitude));
  const Digits result = quotient(quotient(all, n), n - 1);
  return static_cast<int64_t>(result[1] << 32 | result[0]);
}

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
  if (decl->needs_variance) to.values.push_back(v);
}

int64_t statistic_of(StatisticOp op, const Aggregate *a) {
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
  return variance_of(a->values);
}
