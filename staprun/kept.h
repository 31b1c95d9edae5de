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
// The programs of the points, process("/PATH").
void kept_files_add_programs(struct kept_files *k, const struct stap_str *points, u32 count);
// What a process has mapped executable just now.
void kept_files_add_mapped(struct kept_files *k, u32 process);
// The program that the command runs, when it takes no shell.
void kept_files_add_command(struct kept_files *k, const char *command);
// The libraries of all that were added before.
void kept_files_add_libraries(struct kept_files *k);
// Calls visit with each file.
typedef void kept_visit(void *data, const char *path, int fd);
void kept_files_visit(const struct kept_files *k, kept_visit *visit, void *data);
// A descriptor of its own for the file that is mapped from the path; -1: it is not held.
int kept_files_open(const struct kept_files *k, const char *path);

#endif
