// SPDX-License-Identifier: GPL-2.0-or-later
// x86-64: the facts of the System V AMD64 psABI, 3.2.3, in the numbers that the runtime uses too.
#include "arch/arch.h"

#include "abi/registers_x86_64.h"

namespace {

const uint32_t argument_registers[] = STAP_ARGUMENT_REGISTERS;

// The parts of the registers that have had names from the beginning: of 8, 4, 2 and 1 bytes, and the second byte.
struct NamedParts {
  uint32_t dwarf_number;
  std::string_view whole, half, word, byte, second_byte;
};

constexpr NamedParts named_parts[] = {
    {0, "rax", "eax", "ax", "al", "ah"}, {1, "rdx", "edx", "dx", "dl", "dh"}, {2, "rcx", "ecx", "cx", "cl", "ch"},
    {3, "rbx", "ebx", "bx", "bl", "bh"}, {4, "rsi", "esi", "si", "sil", ""},  {5, "rdi", "edi", "di", "dil", ""},
    {6, "rbp", "ebp", "bp", "bpl", ""},  {7, "rsp", "esp", "sp", "spl", ""},
};

// r8 to r15, with d, w or b behind the number for a part.
std::optional<RegisterPart> find_numbered(std::string_view name) {
  size_t at = 1;
  uint32_t number = 0;
  while (at < name.size() && at < 3 && name[at] >= '0' && name[at] <= '9')
    number = number * 10 + static_cast<uint32_t>(name[at++] - '0');
  if (name.empty() || name[0] != 'r' || number < 8 || number > 15) return std::nullopt;
  const std::string_view part = name.substr(at);
  if (part.empty()) return RegisterPart{number, 8, 0};
  if (part == "d") return RegisterPart{number, 4, 0};
  if (part == "w") return RegisterPart{number, 2, 0};
  if (part == "b") return RegisterPart{number, 1, 0};
  return std::nullopt;
}

std::optional<RegisterPart> find_register(std::string_view name) {
  for (const NamedParts &parts : named_parts) {
    if (name.empty()) break;
    if (name == parts.whole) return RegisterPart{parts.dwarf_number, 8, 0};
    if (name == parts.half) return RegisterPart{parts.dwarf_number, 4, 0};
    if (name == parts.word) return RegisterPart{parts.dwarf_number, 2, 0};
    if (name == parts.byte) return RegisterPart{parts.dwarf_number, 1, 0};
    if (name == parts.second_byte) return RegisterPart{parts.dwarf_number, 1, 8};
  }
  return find_numbered(name);
}

}  // namespace

const Arch x86_64 = {
    .name = "x86_64",
    .last_register = STAP_DWARF_REGISTER_LAST,
    .return_register = STAP_RETURN_REGISTER,
    .second_return_register = STAP_SECOND_RETURN_REGISTER,
    .stack_register = STAP_STACK_REGISTER,
    .thread_register = STAP_THREAD_REGISTER,
    .argument_registers = argument_registers,
    .word_size = 8,
    .stack_arguments = STAP_STACK_ARGUMENTS,
    .max_words_in_registers = 2,
    .system_call_prefix = "__x64_",
    .find_register = find_register,
    .kernel_directory = "x86",
};
