// SPDX-License-Identifier: GPL-2.0-or-later
// Which functions, globals, aliases and macros a tapset file defines, found without parsing it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

struct ScannedName {
  enum Kind { Function, Global, Alias, Macro } kind;
  std::string name;  // of an alias with its dots and without arguments: "syscall.open.return"
  bool is_private;
};

// The names in both branches of a condition, %( %? %: %), are listed. Which of them exist is known when the file is
// parsed.
std::vector<ScannedName> scan_names(std::string_view text);
// The macros of a .stpm file.
std::vector<ScannedName> scan_macros(std::string_view text);
