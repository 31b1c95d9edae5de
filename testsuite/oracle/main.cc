// SPDX-License-Identifier: GPL-2.0-or-later
// The test oracle: makes random scripts, and says what a script should print without compiling it.
//
//   oracle generate SEED COUNT       COUNT scripts in one, on standard output
//   oracle stress SEED PLACES        what `generate SEED 1` makes, with probes on places that the file PLACES lists
//   oracle expect OPTION... SCRIPT   what stap with these options should print
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "driver/driver.h"
#include "generate.h"
#include "interpret.h"
#include "sema/elaborate.h"

static int generate(uint64_t seed, int count) {
  std::string text;
  for (int i = 0; i < count; i++) text += Generator(seed * 1000 + static_cast<uint64_t>(i), i).script();
  std::printf("# seed %llu\n%sprobe begin { exit() }\n", static_cast<unsigned long long>(seed), text.c_str());
  return 0;
}

static int stress(uint64_t seed, const std::string &places) {
  const std::string text = Generator(seed * 1000, 0).stress(read_stress_places(places));
  std::printf("# seed %llu\n%s", static_cast<unsigned long long>(seed), text.c_str());
  return 0;
}

static int expect(int argc, char **argv) {
  Session session;
  Driver driver(session);
  try {
    parse_command_line(argc, argv, session.options);
    session.limits = Limits(session.options);
    session.options.last_pass = 2;
    session.options.suppress_warnings = true;
    session.options.unoptimized = true;  // the optimisations are to be tested, not believed
    driver.choose_target();
    driver.begin(1);
    driver.parse();
    driver.end();
    driver.begin(2);
    elaborate(session);
    driver.end();
    return driver.show(Interpreter(session).run());
  } catch (const PassFailed &) {
    return 1;
  } catch (const FatalError &e) {
    driver.report(e);
    return 1;
  }
}

int main(int argc, char **argv) {
  try {
    if (argc == 4 && !std::strcmp(argv[1], "generate"))
      return generate(std::strtoull(argv[2], nullptr, 10), std::atoi(argv[3]));
    if (argc == 4 && !std::strcmp(argv[1], "stress")) return stress(std::strtoull(argv[2], nullptr, 10), argv[3]);
    if (argc > 2 && !std::strcmp(argv[1], "expect")) return expect(argc - 1, argv + 1);
  } catch (const std::exception &e) {
    std::fprintf(stderr, "oracle: %s\n", e.what());
    return 1;
  }
  std::fprintf(stderr, "usage: oracle generate SEED COUNT | stress SEED PLACES | expect OPTION... SCRIPT\n");
  return 2;
}
