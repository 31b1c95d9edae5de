// SPDX-License-Identifier: GPL-2.0-or-later
// The tapset library: which file defines which function, global, alias or macro; files are parsed when first needed.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "syntax/ast.h"
#include "syntax/preprocess.h"

class Session;

// The files the library is made of: *.stp and *.stpm of the -I directories, then of the system's.
std::vector<std::string> tapset_files(const Session &s);

class Library : public MacroSource {
 public:
  explicit Library(Session &s);
  ~Library() override;
  // Functions of that name (all overloads), parsing the files that define it. Marks those files used.
  std::vector<FunctionDecl *> functions(const std::string &name);
  VarDecl *global(const std::string &name);
  // Aliases whose first component matches `first` (wildcards allowed). The files are parsed, not marked used. Of system
  // calls only those whose second component matches `second` are made, besides those that were made before.
  std::vector<ProbeDecl *> aliases(const std::string &first, const std::string &second);
  // Takes the file that defines an alias into the program, so that the file's own probes and embedded C run, too.
  void use(const ProbeDecl *alias);
  // Text of a library macro (.stpm), "" when there is none.
  const MacroDecl *macro(const std::string &name) override;
  std::vector<std::string> function_names();
  std::vector<std::string> alias_names();
  std::vector<std::string> macro_names() override;
  size_t file_count() const;
  size_t files_read() const;  // in this run

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Makes s.library, unless it is there.
void open_library(Session &s);
