// SPDX-License-Identifier: GPL-2.0-or-later
// What the translator asks of an architecture: its name, its registers, and how functions are called there.
//
// An architecture is a folder beside this file. What the runtime has to know too stands in runtime/abi.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

class Session;

// What a name of the assembler's stands for: `size` bytes of a register, from bit `shift` on.
struct RegisterPart {
  uint32_t dwarf_number, size, shift;
};

struct Arch {
  const char *name;  // as in `%( arch == "x86_64" %? ... %)` and in the folders of a tapset library
  // Registers have DWARF's numbers; those up to this one are saved at a hit.
  uint32_t last_register;
  // A structure of two words is returned in both of the first.
  uint32_t return_register, second_return_register, stack_register;
  // The base of the thread's own data. It is not saved at a hit but asked for.
  uint32_t thread_register;
  // Those that pass the first arguments that are numbers or pointers.
  std::span<const uint32_t> argument_registers;
  uint32_t word_size;  // bytes of a register, and of an argument on the stack
  // Bytes from the stack pointer at a function's entry to the first argument on the stack, which is also the canonical
  // frame address of DWARF.
  uint32_t stack_arguments;
  // A structure of up to so many words is passed and returned in registers, a larger one in memory.
  uint32_t max_words_in_registers;
  // The kernel's own prefix for the function that a system call enters: "sys_open" is __x64_sys_open.
  const char *system_call_prefix;
  // Of a general register or a part of it, without the %: "rax", "ah".
  std::optional<RegisterPart> (*find_register)(std::string_view name);
  // Its directory below arch/ in the kernel's sources, which kbuild calls SRCARCH.
  const char *kernel_directory;
};

// One for each folder.
extern const Arch x86_64;

// The architecture of this machine, for which it compiles.
const Arch &host_arch();
// The architecture of what is probed.
const Arch &arch_of(const Session &s);
