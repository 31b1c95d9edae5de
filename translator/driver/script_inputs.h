// SPDX-License-Identifier: GPL-2.0-or-later
// All that decides what a script compiles to, as one text: the key of the script cache.
#pragma once
#include <string>
#include <utility>
#include <vector>

class Session;

class ScriptInputs {
 public:
  // Lengths stand before the values, so that no two sets of inputs make the same text.
  void add(const std::string &name, const std::string &value);
  void add_stamp(const std::string &path);
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// `scripts` are the user's script and the -E ones, in order. Nothing is parsed: the text names the script, the options
// that are not about running, stap itself, the runtime, the tapset library's files, the kernel, its build tree and
// where its debuginfo is. Files that a pass looks at besides these go to Session::looked_at.
std::string script_inputs(const Session &s, const std::vector<std::string> &scripts);
