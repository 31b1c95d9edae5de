// SPDX-License-Identifier: GPL-2.0-or-later
// Runs a program's begin and end probes by walking its tree: what a script should print, without the emitter and the
// runtime.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/session.h"
#include "value.h"

// A run-time error on its way to a catch or to the end of the probe.
struct ScriptError {
  std::string message;  // without the place it happened at
};

class Interpreter {
 public:
  explicit Interpreter(Session &s);
  // All that the probes print. Throws std::logic_error for what is not part of the oracle's language.
  std::string run();

 private:
  enum class Flow { Normal, Break, Continue, Return, Next };
  using Locals = std::map<const VarDecl *, Storage>;

  void run_probe(const struct DerivedProbe &probe);
  // statements
  Flow run(const Stmt *st);
  Flow run_block(const Block *block);
  Flow run_loop(const Expr *condition, const Expr *step, const Stmt *body);
  Flow run_foreach(const Foreach *loop);
  Flow run_buckets(const Foreach *loop);
  Flow run_try(const Try *st);
  void run_delete(const Delete *st);
  // expressions
  Value value(const Expr *e);
  int64_t number(const Expr *e) { return value(e).number; }
  bool is_true(const Expr *e) { return number(e) != 0; }
  std::vector<Value> keys(const std::vector<Expr *> &list);
  Value compare(const Compare *e);
  Value assign(const Assign *e);
  Value combine(const Assign *e, const Value &before, const Value &after);
  Value step(const Expr *target, bool decrement, bool before);
  Value call(const Call *e);
  Value call_library(const Call *e, const std::vector<Value> &args);
  Value format(const Format *e);
  Value statistic(const Statistic *e);
  Value bucket(const HistogramIndex *e);
  Value match(const RegexMatch *e);
  const Aggregate *find_aggregate(const Expr *e);
  const Match &last_match() const;
  void add(const VarDecl *decl, Aggregate &to, int64_t v) const;
  // storage
  Storage &storage(const VarDecl *decl);
  void store(const VarDecl *decl, const Value &v);
  Element *find(const VarDecl *array, const std::vector<Value> &keys);
  Element &obtain(const VarDecl *array, const std::vector<Value> &keys);
  Value text(const std::string &bytes) const { return {0, cut_text(bytes, max_string_)}; }

  Session &s_;
  size_t max_string_;  // bytes of a string
  Locals globals_;
  Locals *locals_ = nullptr;
  Value result_;
  Match match_;  // of the handler's last =~
  std::string output_;
};

// Wrap-around arithmetic; throws ScriptError for a division by 0.
int64_t compute(BinaryOp op, int64_t a, int64_t b);
// @min @max @avg @variance of nothing: ScriptError.
int64_t statistic_of(StatisticOp op, const Aggregate *a);
