// SPDX-License-Identifier: GPL-2.0-or-later
// Bounds that the translator checks and the runtime has room for.
#ifndef STAP_ABI_BOUNDS_H
#define STAP_ABI_BOUNDS_H

#define STAP_MAX_BACKTRACE 128 // frames of a stack

#endif
