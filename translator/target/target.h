// SPDX-License-Identifier: GPL-2.0-or-later
// Target variables to fetches: $param->member[i], @var, @cast, @entry, $$parms, $v$ become nodes that emit understands.
#pragma once
#include "base/session.h"
#include "debuginfo/debuginfo.h"
#include "sema/match.h"
#include "syntax/ast.h"

// FamilyData of a probe on a function.
struct FunctionProbe : FamilyData {
  FunctionSite site;
  bool is_return = false;
};

// Makes a diagnostic of it.
void report(Session &s, const TargetError &e);

// Replaces a Target, AtVar, Cast, Entry or Defined in a probe on a function (its data is a FunctionProbe).
// Null after reporting: error[no-such-variable], [no-such-member], [not-available], [optimized-out], [bad-target].
// Operands (a cast's pointer, an index, what @entry saves) may have been lowered before or are left for the caller,
// except that target variables inside @entry and @defined are lowered here.
Expr *lower_function_target(Session &s, DerivedProbe &probe, Expr *target);

// Replaces a Cast (or AtVar). `probe` is null in functions; it gives the default module.
// An empty type name (autocast) uses the operand's target_type.
Expr *lower_cast(Session &s, DerivedProbe *probe, Cast *cast);
Expr *lower_var(Session &s, DerivedProbe *probe, AtVar *var);

// Replaces @enum("NAME") by its value; null after error[no-such-enumerator]. `probe` as for a cast.
Expr *lower_enum(Session &s, DerivedProbe *probe, const Intrinsic &i);
// Replaces @enumname(value[, "enum type"[, "module"]]); null after an error. The type of a value without one comes with
// the names it is made of: as long as the value has none, this is not to be called.
Expr *lower_enumname(Session &s, DerivedProbe *probe, const Intrinsic &i);

// 1 or 0: can the operand be fetched? Reports nothing. `probe` may be null.
Expr *lower_defined(Session &s, DerivedProbe *probe, Defined *defined);

// Variables of a function's probe for -L: "skb:struct sk_buff*", "$return:int" first in a return probe.
std::vector<std::string> describe_variables(const FunctionSite &site, bool is_return);
