// SPDX-License-Identifier: GPL-2.0-or-later
// Values of the language as the oracle keeps them: numbers, strings, aggregates, arrays in order of insertion.
#pragma once
#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "syntax/ast.h"

// A number or a string; the syntax tree's types say which.
struct Value {
  int64_t number = 0;
  std::string text;
  bool operator==(const Value &) const = default;
};

struct Aggregate {
  int64_t count = 0, sum = 0, min = 0, max = 0;
  std::vector<int64_t> values;         // all of them, where @variance is asked for
  std::map<int64_t, int64_t> buckets;  // of its histogram: those that are not 0
};

struct Element {
  std::vector<Value> keys;
  Value value;
  Aggregate aggregate;
};

// A global, local or parameter while the program runs.
struct Storage {
  Value value;
  Aggregate aggregate;
  std::list<Element> elements;  // oldest first
};

// At most `max` bytes of it, cut before a UTF-8 character that does not fit; bytes that are no UTF-8 are cut as they
// are.
std::string cut_text(const std::string &text, size_t max);

// What =~ found in a text: the whole and each subexpression, empty when that took no part.
struct Match {
  bool found = false;
  std::vector<std::string> parts;
};
Match match_text(const std::string &text, const std::string &pattern);

// The bucket a value falls into, how many there are, and the bar chart of them.
int64_t bucket_of(const HistogramUse &use, int64_t value);
int64_t bucket_count(const HistogramUse &use);
std::string draw_histogram(const HistogramUse &use, const Aggregate &a, int64_t width, int64_t elision);

// What printf makes of a format that elaboration has accepted.
std::string format_text(const std::string &format, const std::vector<Value> &values);
