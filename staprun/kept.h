// SPDX-License-Identifier: GPL-2.0-or-later
// Programs and libraries that are held open from the start.
#ifndef STAPRUN_KEPT_H
#define STAPRUN_KEPT_H

#include "staprun.h"

struct kept_files;
struct kept_files *kept_files_create(void); // NULL: no memory
void kept_files_destroy(struct kept_files *k);
// 0, or -1 when there is no such file.
int kept_files_add(struct kept_files *k, const char *path);
// The libraries of all that were added before.
void kept_files_add_libraries(struct kept_files *k);
// A descriptor of its own for the file that is mapped from the path; -1: it is not held.
int kept_files_open(const struct kept_files *k, const char *path);

#endif
