// SPDX-License-Identifier: GPL-2.0-or-later
// Which functions, globals, aliases and macros a tapset file defines, found without parsing it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

struct ScannedName {
  enum Kind { Function, Global, Alias, Macro } kind;
  std::string name;  // an alias's is dotted, arguments left out: "syscall.open.return"
  bool is_private;
};

// Names of both branches of a %( %? %: %) are listed: parsing the file settles which exists.
std::vector<ScannedName> scan_names(std::string_view text);
// The macros of a .stpm file.
std::vector<ScannedName> scan_macros(std::string_view text);
