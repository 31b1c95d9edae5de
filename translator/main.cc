// SPDX-License-Identifier: GPL-2.0-or-later
// stap's entry: so far it says its version and how it is called.
#include "config.h"

#include <cstdio>
#include <string_view>

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (std::string_view(argv[i]) == "--version" || std::string_view(argv[i]) == "-V") {
      std::printf("stap %s\n", STAP_VERSION);
      return 0;
    }
    if (std::string_view(argv[i]) == "--help" || std::string_view(argv[i]) == "-h") {
      std::printf("usage: stap [options] script.stp [args]\n");
      return 0;
    }
  }
  std::fprintf(stderr, "usage: stap [options] script.stp [args]\n");
  return 1;
}
