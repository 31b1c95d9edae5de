// SPDX-License-Identifier: GPL-2.0-or-later
// Drives the build library alone: build-driver [-e] [-v] RELEASE RUNTIME_DIR CACHE_DIR C_FILE NAME OUTPUT
#include "base/diag.h"
#include "build/compile.h"

#include <cstdio>
#include <string>
#include <unistd.h>

int main(int argc, char **argv) {
  BuildRequest request;
  int option;
  while ((option = getopt(argc, argv, "ev")) > 0) {
    if (option == 'e') request.embedded_c_needs_kernel_headers = true;
    else if (option == 'v') request.verbose++;
    else return 2;
  }
  if (argc - optind != 6) {
    fprintf(stderr, "usage: build-driver [-e] [-v] RELEASE RUNTIME_DIR CACHE_DIR C_FILE NAME OUTPUT\n");
    return 2;
  }
  argv += optind;
  request.kernel_release = argv[0];
  request.runtime_dir = argv[1];
  request.cache_dir = argv[2];
  request.c_file = argv[3];
  request.name = argv[4];
  request.output = argv[5];
  try {
    build_kernel_module(request);
  } catch (const FatalError &e) {
    fprintf(stderr, "%s\n", e.message.c_str());
    return 1;
  }
  return 0;
}
