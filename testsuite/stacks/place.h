// SPDX-License-Identifier: GPL-2.0-or-later
// The library that place.c calls.
#ifndef PLACE_H
#define PLACE_H

void library_calls(void (*function)(void));  // calls it
void library_binds(void);                    // waits when the dynamic linker binds it, and does nothing itself

#endif
