// SPDX-License-Identifier: GPL-2.0-or-later
// stap: the list of passes.
#include "config.h"
#include "driver/listing.h"
#include "emit/translate.h"

#include <climits>
#include <cstdio>
#include <exception>
#include <malloc.h>

#include "driver/driver.h"
#include "driver/examples.h"
#include "library/library.h"
#include "sema/elaborate.h"

// What follows reads: text to tree, tree to typed program, program to C, C to module, module to output.
static int run_passes(Driver &driver) {
  Session &s = driver.session;
  if (s.options.clean_cache) return driver.clean_cache();
  if (s.options.show_example) return driver.show(show_example(s.options));
  if (s.options.example) {
    if (!choose_example(s.options)) return driver.show(list_examples(s.options.script_args));
    s.limits = Limits(s.options);  // the example's own are among them now
  }
  driver.choose_target();  // which kernel, which runtime
  if (s.options.prepare) return driver.prepare();
  if (s.options.list) return driver.list();
  if (s.options.dump_probe_types) return driver.show(dump_probe_types());
  if (s.options.dump_probe_aliases) return driver.show(dump_probe_aliases(s));
  if (s.options.help_tapset) return driver.show(help_tapset(s));
  if (s.options.dump_functions) return driver.show(dump_functions(s));

  // The same script as before: there is nothing to compile.
  if (const std::string object = driver.find_cached(); !object.empty()) return driver.finish(object);

  driver.begin(1);
  driver.parse();
  driver.end();
  if (s.options.last_pass == 1) return driver.show_tree();

  driver.begin(2);
  elaborate(s);
  driver.check_settings();
  driver.end();
  if (s.options.last_pass == 2) return driver.show(print_program(s));

  driver.begin(3);
  const std::string code = translate(s);
  driver.end();
  if (s.options.last_pass == 3) return driver.show(code);

  driver.begin(4);
  const std::string object = driver.compile(code);
  driver.end();
  return driver.finish(object);
}

// A run is short: memory that it has had once is used again rather than given back to the kernel, which would have to
// clear it anew.
static void keep_memory() {
  mallopt(M_TOP_PAD, 64 << 20);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
}

int main(int argc, char **argv) {
  keep_memory();
  Session session;
  Driver driver(session);
  try {
    parse_command_line(argc, argv, session.options);
    if (session.options.help) return driver.show(help_text());
    if (session.options.version) return driver.show("stap " STAP_VERSION "\n");
    session.limits = Limits(session.options);
    return run_passes(driver);
  } catch (const PassFailed &) {
    return 1;
  } catch (const FatalError &e) {
    driver.report(e);
    return 1;
  } catch (const std::exception &e) {  // no memory, or a directory that can't be looked into
    driver.report(FatalError{"internal", e.what(), {}});
    return 1;
  }
}
