// SPDX-License-Identifier: GPL-2.0-or-later
// Lowers target variables: $param->member[i], @var, @cast, $$parms and $v$ become nodes that emit can turn into C.
#pragma once
#include "base/session.h"
#include "debuginfo/debuginfo.h"
#include "syntax/make.h"

// A variable of a probe that has no function around it: what the probe's mechanism passes, or takes back.
struct EventVariable {
  std::string name;  // without the $
  EventPart part = EventPart::Number;
  uint32_t index = 0;                   // of a number
  std::string type;                     // "struct sk_buff": the number points to one of the kernel's; "": a plain one
  const char *why_read_only = nullptr;  // null: it may be written
  // Not null: makes the value, which is then nothing that the mechanism passes; `part` only says whether it is a text.
  std::function<Expr *(const NodeFactory &make)> value = nullptr;
};

// A variable as -L shows it.
struct ListedVariable {
  std::string name, type;  // "$skb", "struct sk_buff*"
  bool operator==(const ListedVariable &other) const = default;
};

// The record that the kernel makes of a trace event.
struct TraceRecord {
  const TargetType *type = nullptr;  // struct trace_event_raw_CLASS
  std::vector<TraceEvent::Dynamic> dynamic;
};

// The place in the probed program that a script's target variables are looked up from.
struct TargetContext {
  const FunctionSite *site = nullptr;  // null when there is no function, and so no variables but those of @var
  bool at_return = false;              // the function returns: $return can be had, and locals can't
  AddressSpace space = AddressSpace::Kernel;
  // The site is a call that has arguments and nothing else: no locals, and no file-scope variables around it.
  bool arguments_only = false;
  uint32_t hidden_arguments = 0;                                // how many of the first arguments scripts can't see
  std::string point;                                            // the probe point, for messages
  const std::vector<EventVariable> *event_variables = nullptr;  // of a context without a site
  // Its fields are variables too, but for those that are called as an argument. Null: the probe has none.
  const TraceRecord *record = nullptr;
};

// Reports the error as a diagnostic.
Diagnostic &report(Session &s, const TargetError &e);

// All of these replace a node whose operands (a cast's pointer, an index) have been lowered already, and throw
// TargetError. A parameter's value is the one of the function's entry, and the context of a return probe does not
// change that: the caller keeps it until the function returns.

// $name, $name->member, $$parms. Throws no-such-variable, no-such-member, not-available, optimized-out, bad-target.
// The context has a site.
Expr *lower_variable(Session &s, const TargetContext &context, const Target &target);
// The same of one of context.event_variables.
Expr *lower_event_variable(Session &s, const TargetContext &context, const Target &target);
// @var(...). If it names neither a file nor a module, variables that the context's site can see come first.
Expr *lower_var(Session &s, const TargetContext &context, const AtVar &var);
// Does `@var("name")` mean a variable that lower_variable() would find as `$name`?
bool is_in_scope(const TargetContext &context, const AtVar &var);
// @cast. An empty type name (`->` applied to a plain value) uses the operand's target_type.
Expr *lower_cast(Session &s, const TargetContext &context, const Cast &cast);
// @enum("NAME"): the value of the constant.
Expr *lower_enum(Session &s, const TargetContext &context, const Intrinsic &i);
// @enumname(value[, "enum type"[, "module"]]). Without the name of a type the value's own target_type is used; this may
// only be called once the value has it.
Expr *lower_enumname(Session &s, const TargetContext &context, const Intrinsic &i);

// A site's variables for -L: "$skb" of type "struct sk_buff*"; "$return" first where the function returns, and the
// fields of its record after the others.
std::vector<ListedVariable> describe_variables(const TargetContext &context);
// The same of event variables: "$value" of type "string".
std::vector<ListedVariable> describe_variables(const std::vector<EventVariable> &variables);
