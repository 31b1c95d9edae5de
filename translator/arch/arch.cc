// SPDX-License-Identifier: GPL-2.0-or-later
// Which architecture is meant.
#include "arch/arch.h"

const Arch &arch_of(const Session &) { return x86_64; }
