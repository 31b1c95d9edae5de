// SPDX-License-Identifier: GPL-2.0-or-later
// The probe families there are.
#pragma once
#include "sema/match.h"

extern const ProbeFamily begin_family;
extern const ProbeFamily function_family;
extern const ProbeFamily never_family;
extern const ProbeFamily timer_family;
extern const ProbeFamily tracepoint_family;
