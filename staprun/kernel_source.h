// SPDX-License-Identifier: GPL-2.0-or-later
// The debuginfo of the kernel that runs, for files and lines of its addresses.
#ifndef STAPRUN_KERNEL_SOURCE_H
#define STAPRUN_KERNEL_SOURCE_H

#include <elfutils/libdwfl.h>

#include "abi/types.h"

struct kernel_source;
struct kernel_source *kernel_source_create(void); // NULL: no memory
void kernel_source_destroy(struct kernel_source *k);
// Where the address is known: NULL when it is not. *place is the address as it is there; `text` is where the kernel's
// text begins.
Dwfl *kernel_source_find(struct kernel_source *k, u64 text, u64 address, u64 *place);

#endif
