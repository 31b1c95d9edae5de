// SPDX-License-Identifier: GPL-2.0-or-later
// What preprocessor conditions ask: kernel, configuration, arguments of the script.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "syntax/token.h"

// CONFIG_NAME to value, without quotes, of the kernel compiled for; an option that is not set is not there. Empty when
// the configuration can't be read.
const std::map<std::string, std::string> &kernel_config(Session &s);

// The tokens between %( and %?: comparisons joined by && and ||. An error is reported and counts as false.
bool evaluate_condition(Session &s, const std::vector<Token> &tokens, const Place &place);

// What $N, @N, $# or @# stands for: the tokens of the argument's text, or one string. An argument that was not given is
// reported and replaced by 0 or "".
std::vector<Token> script_argument(Session &s, const Token &reference);

// The documented language's version that `systemtap_v` compares with.
extern const char *const language_version;
