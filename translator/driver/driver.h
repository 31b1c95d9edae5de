// SPDX-License-Identifier: GPL-2.0-or-later
// What main needs around the passes: kernel, sources, temporary files, timing, messages.
#pragma once
#include <chrono>
#include <string>
#include <sys/resource.h>

#include "base/files.h"
#include "base/session.h"
#include "build/compile.h"
#include "build/script_cache.h"

// A pass reported errors; they are printed already.
struct PassFailed {};

// Warns of each -D that is no limit and that no embedded C of the program mentions. After elaboration.
void warn_unknown_defines(Session &s);

class Driver {
 public:
  explicit Driver(Session &s);
  ~Driver();
  Session &session;

  void choose_target();
  // Around each pass: time for -v, errors printed, PassFailed thrown when there are any.
  void begin(int pass);
  void end();
  // The module or shared object of the same script with the same everything, compiled before; "" when there is none.
  std::string find_cached();
  int prepare();      // --prepare
  int clean_cache();  // --clean-cache
  void parse();
  void check_settings();
  std::string compile(const std::string &code);  // returns the module or shared object, kept in the cache
  int finish(const std::string &object);         // -p4: its name; else pass 5
  int list();
  int show_tree();
  int show(const std::string &text);
  void report(const FatalError &e);

 private:
  void read_scripts();
  BuildRequest build_request();
  void compile_failed(FatalError error);
  std::string keep_compiled(const BuildRequest &request, const std::string &code);
  std::string copy_named(const std::string &object);
  int run(const std::string &object);
  void print_pass(const std::string &passes, const std::string &what);
  void choose_kernel();
  void choose_colors();
  void warn_unused_arguments();
  std::string what_was_done() const;
  const std::string &tmpdir();

  int pass_ = 0;
  std::chrono::steady_clock::time_point started_;
  struct rusage used_ = {}, used_by_children_ = {};
  int verbose_ = 0;                                           // -v, without --vp
  std::vector<std::pair<std::string, std::string>> scripts_;  // name and text
  std::unique_ptr<ScriptCache> cache_;                        // null: not to be used
  size_t printed_before_ = 0;                                 // of Diagnostics::printed(), when the passes began
  std::string tmpdir_, built_;
  std::optional<TemporaryDirectory> own_tmpdir_;  // unless --tmpdir names one
};
