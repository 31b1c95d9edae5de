// SPDX-License-Identifier: GPL-2.0-or-later
// The list of probe families: a new family is named here, once, and its file in local.mk.
#pragma once
#include "sema/match.h"

// FAMILY(name) for each; its file defines name_family.
#define PROBE_FAMILIES(FAMILY) \
  FAMILY(begin)                \
  FAMILY(function)             \
  FAMILY(input)                \
  FAMILY(kprobe)               \
  FAMILY(mark)                 \
  FAMILY(netfilter)            \
  FAMILY(never)                \
  FAMILY(perf)                 \
  FAMILY(plt)                  \
  FAMILY(process)              \
  FAMILY(process_code)         \
  FAMILY(procfs)               \
  FAMILY(statement)            \
  FAMILY(timer)                \
  FAMILY(tracepoint)           \
  FAMILY(watch)

#define STAP_FAMILY(name) extern const ProbeFamily name##_family;
PROBE_FAMILIES(STAP_FAMILY)
#undef STAP_FAMILY
