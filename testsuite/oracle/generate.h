// SPDX-License-Identifier: GPL-2.0-or-later
// Random scripts that are well typed and end: the same seed gives the same script.
#pragma once
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

enum class Sort { Number, Text };

struct ArrayShape {
  std::string name;
  std::vector<Sort> keys;
  Sort value = Sort::Number;
  bool is_aggregate = false;
};

struct FunctionShape {
  std::string name;
  Sort result = Sort::Number;
  std::vector<Sort> parameters;  // the first, a number, bounds the recursion
  bool changes_arrays = false;
  bool is_overloaded = false;
};

// A place where the stress puts probes (testsuite/stress/points).
struct StressPlace {
  enum Kind { Function, Files, Tracepoint, Timer } kind = Function;
  std::string module;  // "" for the kernel
  std::string name;    // of a timer the whole point
};

// Reads the list of places. Throws std::runtime_error when it has none, or one of an unknown kind.
std::vector<StressPlace> read_stress_places(const std::string &path);

// One independent script: globals, functions, and the probes that use them, with names made of `number`.
class Generator {
 public:
  Generator(uint64_t seed, int number);
  std::string script();
  // The same script with probes on some of `places` behind it (generate_stress.cc).
  std::string stress(const std::vector<StressPlace> &places);

 private:
  // --- chance ---
  int below(int n) { return static_cast<int>(chance_() % static_cast<uint64_t>(n)); }
  bool once_in(int n) { return below(n) == 0; }
  template <class T> const T &any(const std::vector<T> &list) {
    return list[static_cast<size_t>(below(static_cast<int>(list.size())))];
  }

  // --- expressions (generate_expr.cc); `depth` bounds how deep they nest ---
  std::string expr(Sort sort, int depth) { return sort == Sort::Number ? number(depth) : text(depth); }
  std::string number(int depth);
  std::string number_leaf();
  std::string literal();
  std::string arithmetic(int depth);
  std::string comparison(int depth);
  std::string number_effect(int depth);
  std::string statistic();
  std::string any_aggregate(int depth, std::string &histogram);
  std::string drawing(int depth);
  std::string bucket(int depth);
  std::string regex_match(int depth);
  std::string matched(int depth);
  std::string text(int depth);
  std::string text_leaf();
  std::string text_literal();
  std::string text_effect(int depth);
  std::string sprint(int depth);
  std::string format_arguments(int depth);
  std::string directive(Sort sort, int depth, std::string &arguments);
  std::string element(const ArrayShape &array, int depth);
  std::string keys(const ArrayShape &array, int depth, bool slices);
  std::string membership(int depth);
  std::string call(Sort result, int depth);

  // --- statements (generate.cc) ---
  void line(const std::string &text) { out_ += std::string(static_cast<size_t>(indent_) * 2, ' ') + text + "\n"; }
  void block(int count);
  void braced(const std::string &head, int count);
  void statement();
  void simple_statement();
  void print_statement();
  void delete_statement();
  void while_statement();
  void for_statement();
  void foreach_statement();
  void histogram_statement();
  void bucket_loop();
  void try_statement();
  void leave_statement();
  void declare_globals();
  std::string histogram_shape();
  std::string first_overload(const FunctionShape &f, const std::string &head);
  void function(int number);
  void probe(const std::string &point);
  void feed();
  void print_globals();
  void begin_body();

  // --- the stress (generate_stress.cc) ---
  std::string stress_point(const StressPlace &place, bool at_return);
  std::string stress_text(const StressPlace &place, bool at_return);
  std::string stress_statement(const StressPlace &place, bool at_return);
  void stress_probe(const std::vector<StressPlace> &places, bool prints, bool is_wild);

  bool may_change(const ArrayShape &array) const;
  const ArrayShape *any_array(bool aggregate, bool to_change);
  const std::vector<std::string> &variables(Sort sort) const { return sort == Sort::Number ? numbers_ : texts_; }
  std::string fresh(const char *prefix) { return prefix + std::to_string(next_name_++); }

  std::mt19937_64 chance_;
  std::string id_, out_;
  int indent_ = 0, next_name_ = 0;
  // What may be named where generation stands.
  std::vector<std::string> numbers_, texts_;  // readable and assignable
  std::vector<std::string> fixed_numbers_;    // readable only: loop counters, recursion depths
  std::vector<ArrayShape> arrays_;
  std::vector<std::string> aggregates_;
  std::map<std::string, std::string>
      histograms_;  // of an aggregate or array of them: "@hist_log(&)"; a name it lacks has none
  std::vector<FunctionShape> functions_;
  std::vector<std::string> iterated_;  // arrays under a foreach
  int loops_ = 0, nesting_ = 0, tries_ = 0, budget_ = 0, variance_shift_ = 0;
  const FunctionShape *self_ = nullptr;  // the function being made
  bool allows_calls_ = true;
};
