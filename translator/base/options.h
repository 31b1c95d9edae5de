// SPDX-License-Identifier: GPL-2.0-or-later
// The command line, parsed.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/runtime.h"

struct Options {
  // What to run
  std::string script_file;                  // "-" is standard input
  std::vector<std::string> inline_scripts;  // -e
  std::vector<std::string> extra_scripts;   // -E
  std::vector<std::string> script_args;     // $1 @1 ...
  bool list = false, list_vars = false;     // -l, -L
  std::string format;                       // --format: text, json, man; "" when not given
  std::string list_pattern;
  int last_pass = 5;  // -p N
  // How
  const Runtime *runtime = &kernel_runtime;  // --runtime
  bool guru = false;                         // -g
  bool check_version = false;                // --check-version
  bool unoptimized = false;                  // -u
  bool suppress_warnings = false;            // -w
  bool warnings_are_errors = false;          // -W
  bool timing = false;                       // -t
  bool skip_bad_variables = false;           // --skip-badvars
  bool suppress_time_limits = false;         // --suppress-time-limits
  bool print_unread_globals = true;          // --no-global-var-display
  std::string compatible;                    // --compatible=VERSION
  bool dump_probe_types = false, dump_probe_aliases = false, dump_functions = false;
  bool help_tapset = false;                    // --help-tapset; script_args are the names
  bool example = false, show_example = false;  // --example, --show; script_args begins with its name
  bool keep_tmpdir = false;                    // -k
  int verbose = 0;                             // -v; within a pass, --vp's part included
  std::string pass_verbosity;                  // --vp: a digit for each pass
  std::string tmpdir;                          // --tmpdir
  std::vector<std::string> include_dirs;       // -I
  std::map<std::string, std::string> defines;  // -D NAME[=VALUE] (value "1" when none)
  std::string release;                         // -r RELEASE or build tree
  std::string module_name;                     // -m
  std::string color = "auto";                  // --color[=WHEN]
  bool disable_cache = false;                  // neither read nor write it
  bool poison_cache = false;                   // write it only
  bool clean_cache = false;                    // clean it, and nothing else
  bool prepare = false;                        // --prepare[=RELEASE]: make a kernel's runtime, and nothing else
  std::vector<std::string> compile_options;    // as given, those that are not about running or messages
  // Running
  std::string command;                               // -c
  int target_pid = 0;                                // -x
  std::string output;                                // -o
  int64_t timeout_ms = 0;                            // -T seconds
  int buffer_mb = 0;                                 // -s
  std::vector<std::string> kept_symbols;             // -d and --all-modules: modules by name, files by path
  bool with_libraries = false;                       // --ldd
  std::map<std::string, std::string> global_values;  // -G
  bool vm = false;                                   // --vm
  std::string vm_release;                            // --vm=RELEASE
  std::string vm_command;                            // --vm-run
  bool help = false, version = false;
};

// Fills `o`; throws FatalError for what the command line can't mean.
void parse_command_line(int argc, char **argv, Options &o);
std::string help_text();
// Whether the word names an option of stap. A long option may be shortened, and have a value behind `=`.
bool is_option(const std::string &word);
// A hint for a word that looks like an option and is none: the option whose name is near.
std::string near_option(const std::string &word);
// The value of a numeric global: decimal, or hexadecimal and octal as in C. False when the whole text is no such
// number.
bool read_global_number(const std::string &text, int64_t &value);
