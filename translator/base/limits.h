// SPDX-License-Identifier: GPL-2.0-or-later
// The limits and switches of the language that -D sets, with one member for each. Their names, ranges and defaults
// stand in one table, in limits.cc.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/options.h"

struct Limits {
  // What the options say, and the defaults for the rest. Throws FatalError (bad-limit) for a value that the limit
  // can't have.
  explicit Limits(const Options &options = {});

  uint32_t max_string_len;                          // bytes of a string, the NUL included
  uint32_t max_map_entries;                         // of an array that declares no size
  int32_t max_action;                               // statements that a handler may execute
  std::optional<int32_t> max_action_interruptible;  // the same in begin, end and error probes
  uint32_t max_atomic_time_us;                      // how long a handler may keep interrupts off
  std::optional<int32_t> max_nesting;               // calls within calls
  int32_t max_errors;                               // errors after which the script goes on
  int32_t max_skipped;                              // hits that may be skipped; -1: any number
  uint32_t max_try_lock;                            // tries to lock the globals of a handler
  uint32_t try_lock_delay_us;                       // microseconds between two tries
  uint32_t min_stack_space;                         // bytes of kernel stack that a handler needs
  uint32_t max_backtrace;                           // frames of a stack
  std::optional<int32_t> max_active;                // calls that a return probe follows at once
  uint64_t overload_interval;                       // cycles
  uint64_t overload_threshold;                      // cycles of an interval that handlers may take on a CPU
  std::optional<int32_t> procfs_size;               // bytes that a read of a procfs probe's file gives at most
  uint32_t hist_width;                              // columns of a histogram's bars
  int32_t hist_elision;                             // empty rows drawn beside rows that count something; -1: all
  bool suppress_handler_errors;                     // errors are not reported and don't end the script
  bool no_overload;                                 // there is no overload check
  bool callee_matchall;                             // a callee's probe is hit by every call of it
  bool no_build_id_check;                           // the script runs on other builds of what it was compiled for
  bool timing;                                      // hits and cycles are reported
  bool alibi;                                       // hits are counted, handlers don't run
};

// The largest value of KRETACTIVE and of .maxactive.
constexpr int32_t most_active_calls = 65536;

// What -D can set, sorted.
std::vector<std::string> limit_names();
