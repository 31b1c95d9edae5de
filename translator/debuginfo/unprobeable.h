// SPDX-License-Identifier: GPL-2.0-or-later
// Areas of the kernel's text that kprobes refuse, or that are gone after boot, by the symbols that bound them.
#pragma once

struct UnprobeableArea {
  const char *start, *end;  // include/asm-generic/sections.h, vmlinux.lds.h
  const char *reason;       // follows the function's name
};

inline constexpr UnprobeableArea unprobeable_areas[] = {
    {"__init_begin", "__init_end", "is freed after boot (.init)"},
    {"_sinittext", "_einittext", "is freed after boot (.init)"},
    {"__noinstr_text_start", "__noinstr_text_end", "may not be instrumented (.noinstr.text)"},
    {"__kprobes_text_start", "__kprobes_text_end", "is part of kprobes itself (.kprobes.text)"},
    {"__entry_text_start", "__entry_text_end", "is kernel entry code (.entry.text)"},
    {"__cpuidle_text_start", "__cpuidle_text_end", "runs where RCU is not watching (.cpuidle.text)"},
};
inline constexpr const char *on_blacklist = "is on the kernel's list of functions that can't be probed";
