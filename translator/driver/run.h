// SPDX-License-Identifier: GPL-2.0-or-later
// Pass 5: staprun, here or in the guest.
#pragma once
#include <string>

#include "base/session.h"

// Runs the compiled script `object` and relays signals to it. Returns staprun's exit status, 128 + N for signal N.
int run_script(const Session &s, const std::string &object);

// The newest kernel that the guest can boot; "" when there is none.
std::string find_guest_kernel();
inline const char *const guest_kernel_packages = "linux-image-amd64 (Debian, Ubuntu) or kernel-core (Fedora)";

// The same, but throws FatalError when there is none.
std::string newest_guest_kernel();
