// SPDX-License-Identifier: GPL-2.0-or-later
// --example: the scripts of the example library, found by name or by words of their descriptions.
#pragma once
#include <string>
#include <vector>

struct Options;

// Lists the examples that have all the words in their names, titles or keywords, one a line; all without a word. Throws
// FatalError when there are none.
std::string list_examples(const std::vector<std::string> &words);
// The text of the example that o.script_args names first, with its description behind it.
std::string show_example(const Options &o);
// Makes the example that o.script_args names first the script to run, and takes it from the arguments; what its
// description says of limits holds where no option does. False when no example has the name: the words are to be
// searched for.
bool choose_example(Options &o);
