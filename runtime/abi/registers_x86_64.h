// SPDX-License-Identifier: GPL-2.0-or-later
// The registers of x86-64 by DWARF's numbers, and which of them a call uses (System V AMD64 psABI, 3.2.3 and
// figure 3.36).
//
// The translator names registers by these numbers, and the runtime finds their values by them.
#ifndef STAP_ABI_REGISTERS_X86_64_H
#define STAP_ABI_REGISTERS_X86_64_H

// X(number, the field of struct stap_regs that holds it). Number 16 is the return address: where the code goes on.
#define STAP_DWARF_REGISTERS(X) \
	X(0, ax)                \
	X(1, dx)                \
	X(2, cx)                \
	X(3, bx)                \
	X(4, si)                \
	X(5, di)                \
	X(6, bp)                \
	X(7, sp)                \
	X(8, r8)                \
	X(9, r9)                \
	X(10, r10)              \
	X(11, r11)              \
	X(12, r12)              \
	X(13, r13)              \
	X(14, r14)              \
	X(15, r15)              \
	X(16, ip)

enum {
	STAP_DWARF_REGISTER_LAST = 16,
	STAP_RETURN_REGISTER = 0,        // ax
	STAP_SECOND_RETURN_REGISTER = 1, // dx
	STAP_FRAME_REGISTER = 6,         // bp
	STAP_STACK_REGISTER = 7,         // sp
	STAP_RETURN_ADDRESS = 16,        // ip
	STAP_THREAD_REGISTER = 58,       // the base of fs
	// Bytes between the stack pointer at a function's entry and the first argument that is on the stack: the return
	// address.
	STAP_STACK_ARGUMENTS = 8,
};

// What passes the first arguments that are numbers or pointers, by DWARF's numbers: di si dx cx r8 r9.
#define STAP_ARGUMENT_REGISTERS  \
	{                        \
		5, 4, 1, 2, 8, 9 \
	}

#endif
