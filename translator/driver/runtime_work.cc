// SPDX-License-Identifier: GPL-2.0-or-later
// Finds how the session's runtime is built and run.
#include "driver/runtime_work.h"

const RuntimeWork &runtime_work(const Session &s) { return &s.runtime() == &user_runtime ? user_work : kernel_work; }
