// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's trace events: the groups that tracefs shows them in ("sched" of sched_switch), and what is in the
// records that the kernel makes of them.
#pragma once
#include <string>
#include <vector>

#include "debuginfo/elf_image.h"
#include "debuginfo/kallsyms.h"

struct TraceEvent {
  std::string group, name;
  std::string record;  // NAME of struct trace_event_raw_NAME, the record's type; "" when it is not known
  // The fields of the record whose data lies behind its fixed part, each with its elements' type: {"filename", "char"}.
  struct Dynamic {
    std::string name, element;
  };
  std::vector<Dynamic> dynamic;
};

// The trace events of the image that are of a tracepoint, as lines for parse_trace_events(); "" when their table is not
// found. `field_size` is the size of the kernel's struct trace_event_fields; 0: not known.
std::string read_trace_events(const std::vector<KernelSymbol> &symbols, const ElfImage &image, uint64_t field_size);
// The same of a module's file.
std::string read_module_trace_events(const ElfImage &module, uint64_t field_size);
// The same of the running kernel, as tracefs shows it, which does not tell of records; "" when this user may not look.
std::string read_running_trace_events();

std::vector<TraceEvent> parse_trace_events(const std::string &lines);
