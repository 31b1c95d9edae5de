// SPDX-License-Identifier: GPL-2.0-or-later
// Pass 5: staprun, here or in the guest.
#pragma once
#include <string>

#include "base/session.h"

// Runs the compiled script `object` and relays signals to it. Returns staprun's exit status, 128 + N for signal N.
int run_script(const Session &s, const std::string &object);

// Whether this user can load modules; throws FatalError naming the cures when not.
void check_may_load_modules(const Session &s);

// The newest kernel that the guest can boot; throws FatalError when there is none.
std::string newest_guest_kernel();
