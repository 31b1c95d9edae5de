// SPDX-License-Identifier: GPL-2.0-or-later
// Hints for words and forms of other languages, given where these can mean nothing else.
#pragma once
#include <string>
#include <vector>

#include "syntax/token.h"

// Whether other languages declare a variable with this word: int, string, var.
bool declares_elsewhere(const std::string &word);

// What to write instead of the call of a function of this name; "" when nothing is recognised.
std::string call_habit(const std::string &name);

// What to write instead, for a syntax error at tokens[at]; "" when nothing is recognised.
std::string habit_hint(const std::vector<Token> &tokens, size_t at);
