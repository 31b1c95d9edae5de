// SPDX-License-Identifier: GPL-2.0-or-later
// Shell-style patterns: *, ?, [a-z].
#pragma once
#include <string>

bool wildcard_match(const std::string &pattern, const std::string &text);
bool has_wildcard(const std::string &text);
