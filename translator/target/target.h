// SPDX-License-Identifier: GPL-2.0-or-later
// Target variables to fetches: $param->member[i], @var, @cast, $$parms and $v$ become nodes that emit understands.
#pragma once
#include "base/session.h"
#include "debuginfo/debuginfo.h"
#include "syntax/ast.h"

// The place in the probed program that a script's target variables are looked up from.
struct TargetContext {
  const FunctionSite *site = nullptr;  // null: no function, so that there are no variables but those of @var
  bool at_return = false;              // the function returns: $return can be had, and locals can't
  AddressSpace space = AddressSpace::Kernel;
  // The site is a call that has arguments and nothing else: no locals, and no file-scope variables around it.
  bool arguments_only = false;
  uint32_t hidden_arguments = 0;  // the first ones, which are not for scripts
  std::string point;              // the probe point, for messages
};

// Makes a diagnostic of it.
Diagnostic &report(Session &s, const TargetError &e);

// All of these replace a node whose operands (a cast's pointer, an index) have been lowered already, and throw
// TargetError. A parameter's value is the one of the function's entry, and the context of a return probe does not
// change that: the caller keeps it until the function returns.

// $name, $name->member, $$parms. Throws no-such-variable, no-such-member, not-available, optimized-out, bad-target.
// The context has a site.
Expr *lower_variable(Session &s, const TargetContext &context, const Target &target);
// @var: one of the context's site when it names neither a file nor a module.
Expr *lower_var(Session &s, const TargetContext &context, const AtVar &var);
// Does `@var("name")` mean a variable that lower_variable() would find as `$name`?
bool is_in_scope(const TargetContext &context, const AtVar &var);
// @cast. An empty type name (`->` applied to a plain value) uses the operand's target_type.
Expr *lower_cast(Session &s, const TargetContext &context, const Cast &cast);
// @enum("NAME"): its value.
Expr *lower_enum(Session &s, const TargetContext &context, const Intrinsic &i);
// @enumname(value[, "enum type"[, "module"]]). The type of a value without one comes with the names it is made of: as
// long as the value has none, this is not to be called.
Expr *lower_enumname(Session &s, const TargetContext &context, const Intrinsic &i);

// A site's variables for -L: "$skb:struct sk_buff*", "$return:int" first where the function returns.
std::vector<std::string> describe_variables(const TargetContext &context);
