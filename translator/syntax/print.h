// SPDX-License-Identifier: GPL-2.0-or-later
// The tree in the script language; it parses back to the same tree (-p1).
#pragma once
#include <string>

#include "syntax/ast.h"

std::string print_script(const ScriptFile &file);
std::string print_expr(const Expr *e);
std::string print_stmt(const Stmt *s);
