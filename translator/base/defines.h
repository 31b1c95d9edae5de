// SPDX-License-Identifier: GPL-2.0-or-later
// The names that -D sets: limits and switches of the language.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

// Throws FatalError (bad-limit) when the limit can't have that value.
void check_limit(const std::string &name, int64_t value);

std::vector<std::string> limit_names();
