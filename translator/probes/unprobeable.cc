// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's policy: areas of text that kprobes refuse (within_kprobe_blacklist() in kernel/kprobes.c), or that are
// gone when a script runs.
#include "probes/unprobeable.h"

namespace {

const char *refusal_in_kernel(TextArea area) {
  switch (area) {
    case TextArea::Ordinary: return nullptr;
    case TextArea::Init: return "is freed after boot (.init)";
    case TextArea::Exit: return "is not in the running kernel (.exit)";
    case TextArea::Noinstr: return "may not be instrumented (.noinstr.text)";
    case TextArea::Kprobes: return "is part of kprobes itself (.kprobes.text)";
    case TextArea::Entry: return "is kernel entry code (.entry.text)";
    case TextArea::CpuIdle: return "runs where RCU is not watching (.cpuidle.text)";
    case TextArea::Blacklisted: return "is on the kernel's list of functions that can't be probed";
  }
  return nullptr;
}

// A module's initialisation is probed while it is being loaded, and its .exit.text stays until it is unloaded.
const char *refusal_in_module(TextArea area) {
  switch (area) {
    case TextArea::Noinstr:
    case TextArea::Kprobes:
    case TextArea::Entry: return "may not be instrumented";
    case TextArea::Blacklisted: return "is marked as one that can't be probed (NOKPROBE_SYMBOL)";
    case TextArea::Init:
    case TextArea::Ordinary:
    case TextArea::Exit:
    case TextArea::CpuIdle: return nullptr;
  }
  return nullptr;
}

}  // namespace

const char *why_unprobeable(const TargetBinary &binary, TextArea area) {
  return binary.is_kernel() ? refusal_in_kernel(area) : refusal_in_module(area);
}
