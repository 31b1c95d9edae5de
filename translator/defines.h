// SPDX-License-Identifier: GPL-2.0-or-later
// The names that -D sets: limits and switches of the language.
#pragma once
#include <cstdint>
#include <string>

class Session;

// Throws FatalError (bad-limit) when the limit can't have that value.
void check_limit(const std::string &name, int64_t value);

// Warns of each -D that is no limit and that no embedded C of the program mentions. After elaboration.
void warn_unknown_defines(Session &s);
