// SPDX-License-Identifier: GPL-2.0-or-later
// How addresses are printed whose names the reader finds.
#ifndef STAP_ABI_SYMBOLS_H
#define STAP_ABI_SYMBOLS_H

#include "types.h"

// What the symbol functions of the tapset library say of an address. TYPE(NAME, letter, function)
#define STAP_KERNEL_SYMBOL_TYPES(TYPE) \
	TYPE(SYMNAME, 'A', "symname")  \
	TYPE(SYMDATA, 'B', "symdata")  \
	TYPE(SYMFILE, 'C', "symfile")  \
	TYPE(SYMLINE, 'D', "symline")  \
	TYPE(SYMFILELINE, 'E', "symfileline")

// The same of an address of a process.
#define STAP_USER_SYMBOL_TYPES(TYPE)    \
	TYPE(USYMNAME, 'a', "usymname") \
	TYPE(USYMDATA, 'b', "usymdata") \
	TYPE(USYMFILE, 'c', "usymfile") \
	TYPE(USYMLINE, 'd', "usymline") \
	TYPE(USYMFILELINE, 'e', "usymfileline")

// sprint_usyms(): a line for each address of a process in a string.
#define STAP_USER_SYMBOLS 'f'

// An address of a process. A space is what a process had mapped at some time, and gets its number when something of it
// is first recorded; 0: it has none.
struct stap_user_place {
	u64 address;
	u32 space;
	u32 process;
};

// How a stack is printed: a line for each address.
enum stap_stack_form {
	STAP_STACK_DATA,     // the address and its symdata()
	STAP_STACK_BRIEF,    // name and offset only
	STAP_STACK_FILELINE, // and its symfileline(); the functions that were inlined there have lines of their own
	STAP_STACK_FORMS,
};

#endif
