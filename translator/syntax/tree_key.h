// SPDX-License-Identifier: GPL-2.0-or-later
// A text for a piece of the elaborated tree: what has the same text does the same and is reported at the same places.
#pragma once
#include <map>
#include <string>

#include "syntax/ast.h"

class TreeKey {
 public:
  // own_formats: the texts of lenient formats ($$parms) don't count, only what they convert (the probe brings the
  // texts). self: this function is named the same in every key, so that copies which call themselves are alike.
  explicit TreeKey(bool own_formats, const FunctionDecl *self = nullptr) : own_formats_(own_formats), self_(self) {}

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
  void foreach_loop(const Foreach *st);

  bool own_formats_;
  const FunctionDecl *self_;
  std::string text_;
  std::map<const VarDecl *, int64_t> locals_;
};
