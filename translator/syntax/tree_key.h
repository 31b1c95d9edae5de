// SPDX-License-Identifier: GPL-2.0-or-later
// Makes texts of pieces of the elaborated tree. Pieces with the same text do the same, and report errors at the same
// places.
#pragma once
#include <map>
#include <string>

#include "syntax/ast.h"

class TreeKey {
 public:
  struct Options {
    // The texts of lenient formats ($$parms) don't count, only what they convert: the probe brings the texts.
    bool probe_brings_formats = false;
    // Where things stand doesn't count: what has the same text computes the same.
    bool ignore_places = false;
    // This function is named the same in every key, so that copies which call themselves are alike.
    const FunctionDecl *self = nullptr;
  };
  explicit TreeKey(const Options &options) : options_(options) {}

  void add(const Expr *e);
  void add(const Stmt *st);
  // A variable: a global by what it is, a local or parameter by its type and when it was first met.
  void add(const VarDecl *decl);
  void add(const std::string &text);
  void add(int64_t number);
  const std::string &text() const { return text_; }

 private:
  void add(const Place &place);
  void address(const void *node);
  void details(const Expr *e);
  void details(const Stmt *st);
  void format(const Format *e);
  void assign(const Assign *e);
  void histogram(const HistogramUse &use);
  void target_register(const Register *e);
  void deref(const Deref *e);
  void foreach_loop(const Foreach *st);

  Options options_;
  std::string text_;
  std::map<const VarDecl *, int64_t> locals_;
};
