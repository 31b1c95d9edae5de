// SPDX-License-Identifier: GPL-2.0-or-later
// Which architecture is meant.
#include "arch/arch.h"

const Arch &host_arch() { return x86_64; }

const Arch &arch_of(const Session &) { return host_arch(); }
