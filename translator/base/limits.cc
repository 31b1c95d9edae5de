// SPDX-License-Identifier: GPL-2.0-or-later
// The table of limits, and how -D and other options fill struct Limits.
#include "base/limits.h"

#include <cerrno>
#include <cstdlib>
#include <fmt/core.h>
#include <type_traits>
#include <variant>

#include "abi/bounds.h"
#include "base/diag.h"

namespace {

struct LimitRow {
  const char *name;
  std::variant<bool Limits::*, int32_t Limits::*, uint32_t Limits::*, uint64_t Limits::*,
               std::optional<int32_t> Limits::*>
      member;
  // A switch has none of these: it is on when it is given, with whatever value.
  int64_t low = 0, high = 0;
  std::optional<int64_t> default_value = {};
};

constexpr int64_t any = INT32_MAX;
constexpr auto computed = std::nullopt;  // there is no fixed default: whoever reads the limit computes one

// The manual and the completions have the same names and defaults (testsuite/doc/limits compares).
const LimitRow table[] = {
    // name, member, lowest and highest value, default
    {"HIST_ELISION", &Limits::hist_elision, -1, any, 2},
    {"HIST_WIDTH", &Limits::hist_width, 1, 1000, 50},  // bounded, because a row is put together in a handler's arena
    {"KRETACTIVE", &Limits::max_active, 1, most_active_calls, computed},  // by the runtime, from the number of CPUs
    {"MAXACTION", &Limits::max_action, 1, any, 1000},
    {"MAXACTION_INTERRUPTIBLE", &Limits::max_action_interruptible, 1, any, computed},  // ten times MAXACTION
    {"MAXATOMICTIME", &Limits::max_atomic_time_us, 1, any, 100000},
    {"MAXBACKTRACE", &Limits::max_backtrace, 1, STAP_MAX_BACKTRACE, 20},
    {"MAXERRORS", &Limits::max_errors, -1, any, 0},
    {"MAXMAPENTRIES", &Limits::max_map_entries, 1, any, 2048},
    {"MAXNESTING", &Limits::max_nesting, 1, any, computed},  // from the calls that the script makes
    {"MAXSKIPPED", &Limits::max_skipped, -1, any, 100},
    {"MAXSTRINGLEN", &Limits::max_string_len, 2, 65536, 512},
    {"MAXTRYLOCK", &Limits::max_try_lock, 0, 1000000, 100},
    {"MINSTACKSPACE", &Limits::min_stack_space, 0, any, 1024},
    {"STAP_CALLEE_MATCHALL", &Limits::callee_matchall},
    {"STAP_SUPPRESS_HANDLER_ERRORS", &Limits::suppress_handler_errors},
    {"STP_ALIBI", &Limits::alibi},
    {"STP_NO_BUILDID_CHECK", &Limits::no_build_id_check},
    {"STP_NO_OVERLOAD", &Limits::no_overload},
    {"STP_OVERLOAD_INTERVAL", &Limits::overload_interval, 1, INT64_MAX, 1000000000},
    {"STP_OVERLOAD_THRESHOLD", &Limits::overload_threshold, 0, INT64_MAX, 500000000},
    {"STP_PROCFS_BUFSIZE", &Limits::procfs_size, 1, 16 << 20, computed},  // MAXSTRINGLEN
    {"STP_TIMING", &Limits::timing},
    {"TRYLOCKDELAY", &Limits::try_lock_delay_us, 0, 1000000, 10},
};

int64_t read_value(const LimitRow &row, const std::string &text) {
  const std::string given = fmt::format("-D{}=", row.name);
  char *end = nullptr;
  errno = 0;
  const int64_t value = std::strtoll(text.c_str(), &end, 0);
  if (errno || text.empty() || *end)
    throw FatalError{"bad-limit", fmt::format("{}{} is not a number", given, text), {}};
  if (value < row.low || value > row.high)
    throw FatalError{"bad-limit",
                     fmt::format("{}{} is out of range", given, value),
                     {fmt::format("{} takes a number from {} to {}", row.name, row.low, row.high)}};
  return value;
}

void set(Limits &limits, const LimitRow &row, const std::string *given) {
  std::visit(
      [&]<class T>(T Limits::*member) {
        if constexpr (std::is_same_v<T, bool>) limits.*member = given != nullptr;
        else if (given) limits.*member = static_cast<T>(read_value(row, *given));
        else if constexpr (std::is_same_v<T, std::optional<int32_t>>) limits.*member = std::nullopt;
        else limits.*member = static_cast<T>(row.default_value.value());
      },
      row.member);
}

}  // namespace

Limits::Limits(const Options &options) {
  for (const LimitRow &row : table) {
    const auto given = options.defines.find(row.name);
    set(*this, row, given == options.defines.end() ? nullptr : &given->second);
  }
  timing |= options.timing || alibi;
  if (options.suppress_time_limits) {
    max_action = INT32_MAX / 10;  // small enough for ten times as many to be a number, too
    max_try_lock = INT32_MAX;
    no_overload = true;
  }
}

std::vector<std::string> limit_names() {
  std::vector<std::string> names;
  for (const LimitRow &row : table) names.push_back(row.name);
  return names;
}
