// SPDX-License-Identifier: GPL-2.0-or-later
// What main needs around the passes: target, sources, temporary files, timing, messages.
#pragma once
#include <chrono>
#include <string>
#include <sys/resource.h>

#include "session.h"

// A pass reported errors; they are printed already.
struct PassFailed {};

class Driver {
 public:
  explicit Driver(Session &s) : session(s) {}
  ~Driver();
  Session &session;

  void choose_target();
  // Around each pass: time for -v, errors printed, PassFailed thrown when there are any.
  void begin(int pass);
  void end();
  void parse();
  void check_global_values();
  std::string compile(const std::string &code);  // returns the module or shared object
  int run(const std::string &object);
  int list();
  int show_tree();
  int show(const std::string &text);
  void report(const FatalError &e);

 private:
  void add_script(const std::string &name, std::string text);
  void choose_kernel();
  void warn_unused_arguments();
  std::string what_was_done() const;
  const std::string &tmpdir();

  int pass_ = 0;
  std::chrono::steady_clock::time_point started_;
  struct rusage used_ = {};
  std::string tmpdir_, built_;
  bool keep_tmpdir_ = false;
};
