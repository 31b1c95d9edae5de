// SPDX-License-Identifier: GPL-2.0-or-later
// The preprocessor: macros, conditions, and the arguments of the script.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "syntax/token.h"

// @define name(parameters) %( body %)
struct MacroDecl {
  std::string name;
  bool has_parameters = false;
  std::vector<std::string> parameters;
  std::vector<Token> body;
  Place place;
};

// Where macros that a script does not define itself come from: the library.
class MacroSource {
 public:
  virtual ~MacroSource() = default;
  // Null when there is none of that name.
  virtual const MacroDecl *macro(const std::string &name) = 0;
  virtual std::vector<std::string> macro_names() = 0;
};

// Expands macros (the file's own, then the library's), then evaluates %( %? %: %) and puts in $1 @1 $# @#.
std::vector<Token> preprocess(Session &s, std::vector<Token> tokens);

// The macros a library file (.stpm) defines. Adds to `macros`; what is already there is reported as defined twice.
void parse_macro_file(Session &s, const SourceFile *source, std::map<std::string, MacroDecl> &macros);
