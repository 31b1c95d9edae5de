// SPDX-License-Identifier: GPL-2.0-or-later
// All code that a probe's handler can come to.
#pragma once
#include <functional>

#include "sema/elaborate.h"

struct ReachedCode {
  std::function<void(const Stmt &)> statement;
  std::function<void(const Expr &)> expression;
  std::function<void(const FunctionDecl &)> embedded;  // a function in C
};

// Calls them for the probe's condition, its body and what it calls, each function once. What is empty is not called.
void visit_reached(DerivedProbe &probe, const ReachedCode &visit);
