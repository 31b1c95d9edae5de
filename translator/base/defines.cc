// SPDX-License-Identifier: GPL-2.0-or-later
// What -D can set. Other names go to the compiler as they are, for embedded C; a misspelled limit would be lost there.
#include "base/defines.h"

#include "base/diag.h"

namespace {

// As documented in stap(1), "SAFETY AND SECURITY"; Session::limit and the emitter read them.
struct Limit {
  const char *name;
  int64_t low, high;  // what makes sense of it; both 0: a switch, whatever its value is
};
constexpr int64_t any = INT32_MAX;
const std::vector<Limit> limits = {
    {"HIST_ELISION", -1, any},  // -1: empty buckets are all drawn
    {"HIST_WIDTH", 1, 1000},    // characters; a row is made on the stack
    {"KRETACTIVE", 1, 65536},
    {"MAXACTION", 1, any},
    {"MAXACTION_INTERRUPTIBLE", 1, any},
    {"MAXBACKTRACE", 1, 128},  // frames; MAX_FRAMES of runtime/kernel/symbols.c
    {"MAXERRORS", -1, any},    // -1: never
    {"MAXMAPENTRIES", 1, any},
    {"MAXNESTING", 1, any},
    {"MAXSKIPPED", -1, any},
    {"MAXSTRINGLEN", 2, 65536},  // with the NUL byte
    {"MAXTRYLOCK", 0, 1000000},
    {"MINSTACKSPACE", 0, any},  // bytes
    {"STAP_SUPPRESS_HANDLER_ERRORS", 0, 0},
    {"STP_ALIBI", 0, 0},
    {"STP_NO_BUILDID_CHECK", 0, 0},
    {"STP_NO_OVERLOAD", 0, 0},
    {"STP_OVERLOAD_INTERVAL", 1, INT64_MAX},
    {"STP_OVERLOAD_THRESHOLD", 0, INT64_MAX},
    {"STP_TIMING", 0, 0},
    {"TRYLOCKDELAY", 0, 1000000},  // microseconds
};

}  // namespace

std::vector<std::string> limit_names() {
  std::vector<std::string> names;
  for (const Limit &limit : limits) names.push_back(limit.name);
  return names;
}

void check_limit(const std::string &name, int64_t value) {
  for (const Limit &limit : limits)
    if (name == limit.name && (value < limit.low || value > limit.high) && limit.low < limit.high)
      throw FatalError{
          "bad-limit",
          "-D" + name + "=" + std::to_string(value) + " is out of range",
          {name + " takes a number from " + std::to_string(limit.low) + " to " + std::to_string(limit.high)}};
}
