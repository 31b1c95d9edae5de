// SPDX-License-Identifier: GPL-2.0-or-later
// Functions that the kernel's probes can't be put into.
#pragma once
#include "debuginfo/binary.h"
#include "debuginfo/text_area.h"

// Why a function of the kernel or a module can't be probed, by where it is: words that follow its name. Null when it
// can. It is the policy of a family's Refusals.
const char *why_unprobeable(const TargetBinary &binary, TextArea area);
