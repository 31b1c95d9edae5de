// SPDX-License-Identifier: GPL-2.0-or-later
// One optimisation a file. Each keeps what the script does, its run-time errors included; -u leaves them all out.
#pragma once
#include "base/session.h"
#include "syntax/ast.h"

// Arithmetic, comparisons, concatenations and conditions of literals.
void fold_constants(Session &s);
// Branches never taken, statements after return/next/break/continue, statements without effect.
void remove_dead_statements(Session &s);
// Assignments to locals that nothing reads (as analyze_access marked them) keep only their right side.
void remove_unread_assignments(Session &s);
// Concatenations of more than two strings are done in one step.
void join_concatenations(Session &s);
// Locals nothing mentions, globals nothing touches (after analyze_access).
void remove_unused_variables(Session &s);

// Functions of embedded C whose value does not change within a handler are called once in it.
void keep_stable_values(Session &s);
// Copies of a function that came out the same become one. Needs functions callees first (analyze_access).
void merge_functions(Session &s);
// Says of each probe whose handler it shares (DerivedProbe::same_hit, same_entry).
void merge_handlers(Session &s);

// Whether all that evaluating e does is to yield a value: nothing is assigned, printed or called, and it can't fail.
bool may_be_dropped(Expr *e);
// Whether e names a local that nothing reads (analyze_access has marked it).
bool is_unread_local(const Expr *e);
