// SPDX-License-Identifier: GPL-2.0-or-later
// What is fuzzed: one text through lexer, preprocessor, parser, elaborator, optimiser and emitter, for the user host.
#include "fuzz.h"

#include <cstdio>

#include "base/session.h"
#include "driver/listing.h"
#include "emit/translate.h"
#include "library/library.h"
#include "sema/elaborate.h"
#include "syntax/parse.h"
#include "syntax/print.h"

static void run_passes(Session &s, const std::string &text, std::FILE *messages) {
  open_library(s);
  if (ScriptFile *file = parse_script(s, s.add_source("fuzz.stp", text))) s.user_files.push_back(file);
  if (s.diag.error_count() == 0) require_probe(s);
  s.diag.flush(messages);
  if (s.diag.error_count()) return;
  for (const ScriptFile *file : s.user_files) print_script(*file);
  elaborate(s);
  s.diag.flush(messages);
  if (s.diag.error_count()) return;
  print_program(s);
  translate(s);
  s.diag.flush(messages);
}

void run_target(const std::string &text) {
  static std::FILE *const messages = std::fopen("/dev/null", "w");
  Session session;
  session.options.runtime = &user_runtime;
  session.options.guru = text.size() % 2;
  session.options.unoptimized = text.size() % 8 == 7;
  session.options.script_args = {"12", "word", "/a/path"};
  session.kernel_release = "6.1.0";
  try {
    run_passes(session, text, messages);
  } catch (const FatalError &e) {
    // A message to the user; but never that a pass met what an earlier one should have refused.
    if (e.id.rfind("internal", 0) == 0) {
      std::fprintf(stderr, "%s: %s\n", e.id.c_str(), e.message.c_str());
      __builtin_trap();
    }
  }
}
