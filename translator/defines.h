// SPDX-License-Identifier: GPL-2.0-or-later
// The names that -D sets: limits and switches of the language.
#pragma once

class Session;

// Warns of each -D that is no limit and that no embedded C of the program mentions. After elaboration.
void warn_unknown_defines(Session &s);
