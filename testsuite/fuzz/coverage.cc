// SPDX-License-Identifier: GPL-2.0-or-later
// What -fsanitize-coverage=trace-pc calls in every basic block of the fuzzed objects.
#include "fuzz.h"

uint8_t coverage[coverage_size];

extern "C" void __sanitizer_cov_trace_pc() {
  static uintptr_t before;
  const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  // Only distances within the program count: where it is loaded differs between runs.
  const uintptr_t place = here - reinterpret_cast<uintptr_t>(&run_target);
  uint8_t &count = coverage[(place ^ before) % coverage_size];
  if (count != 255) count++;
  before = place >> 1;
}
