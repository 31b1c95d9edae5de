// SPDX-License-Identifier: GPL-2.0-or-later
// The oracle's histograms: powers of two in 128 buckets, or equal steps with a bucket on either side, and their bar
// chart.
#include <algorithm>

#include "value.h"

namespace {

constexpr int64_t middle = 64;  // a logarithmic histogram's bucket of 0

int64_t log_bucket(int64_t value) {
  int64_t steps = 0;
  // Towards zero, which a shift of a negative number is not.
  for (int64_t left = value; left; left /= 2) steps++;
  return value < 0 ? middle - steps : middle + steps;
}

// The smallest magnitude in the bucket, with its sign.
int64_t log_start(int64_t bucket) {
  const int64_t steps = bucket - middle;
  if (steps == 0) return 0;
  const auto power = static_cast<int64_t>(uint64_t{1} << (std::max(steps, -steps) - 1));
  return steps > 0 ? power : static_cast<int64_t>(0 - static_cast<uint64_t>(power));
}

std::string label(const HistogramUse &use, int64_t bucket) {
  if (use.logarithmic) return std::to_string(log_start(bucket));
  if (bucket == 0) return "<" + std::to_string(use.low);
  if (bucket == bucket_count(use) - 1) return ">" + std::to_string(use.high);
  return std::to_string(use.low + (bucket - 1) * use.step);
}

std::string right(const std::string &text, size_t columns) {
  return text.size() < columns ? std::string(columns - text.size(), ' ') + text : text;
}

}  // namespace

int64_t bucket_count(const HistogramUse &use) {
  return use.logarithmic ? 2 * middle : (use.high - use.low) / use.step + 3;
}

int64_t bucket_of(const HistogramUse &use, int64_t value) {
  if (use.logarithmic) return log_bucket(value);
  if (value < use.low) return 0;
  return static_cast<int64_t>(std::min<__int128>((__int128{value} - use.low) / use.step + 1, bucket_count(use) - 1));
}

std::string draw_histogram(const HistogramUse &use, const Aggregate &a, int64_t width, int64_t elision) {
  const int64_t end = bucket_count(use) - 1, lowest = a.buckets.begin()->first, highest = a.buckets.rbegin()->first;
  auto count = [&](int64_t bucket) { return a.buckets.count(bucket) ? a.buckets.at(bucket) : 0; };
  int64_t first = std::max<int64_t>(lowest - 2, 0), last = std::min(highest + 2, end), most = 0;
  for (const auto &[bucket, n] : a.buckets) most = std::max(most, n);
  // Empty rows are shown around, but neither beyond a linear histogram's range nor below 0 of a logarithmic one.
  if (!use.logarithmic && !count(0)) first = std::max<int64_t>(first, 1);
  if (!use.logarithmic && !count(end)) last = std::min(last, end - 1);
  if (use.logarithmic && lowest >= middle) first = std::max(first, middle);
  const int64_t per_mark = most / width + (most % width != 0);
  size_t label_columns = 5;
  const size_t count_columns = std::to_string(most).size();
  for (int64_t bucket = first; bucket <= last; bucket++)
    label_columns = std::max(label_columns, label(use, bucket).size());
  std::string text = right("value", label_columns) + " |" + std::string(static_cast<size_t>(width), '-') + " count\n";
  bool elided = false;
  for (int64_t bucket = first; bucket <= last; bucket++) {
    bool is_near = elision < 0;
    for (int64_t other = bucket - elision; other <= bucket + elision; other++) is_near = is_near || count(other) > 0;
    if (is_near) {
      if (elided) text += std::string(label_columns, ' ') + " ~\n";
      const auto marks = static_cast<size_t>(count(bucket) / per_mark);
      text += right(label(use, bucket), label_columns) + " |" + std::string(marks, '@') +
              std::string(static_cast<size_t>(width) - marks + 1, ' ') +
              right(std::to_string(count(bucket)), count_columns) + "\n";
    }
    elided = !is_near;
  }
  return text + "\n";
}
