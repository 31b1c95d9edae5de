// SPDX-License-Identifier: GPL-2.0-or-later
// x86-64: the facts of the System V AMD64 psABI, 3.2.3, in the numbers that the runtime uses too.
#include "arch/arch.h"

#include "abi/registers_x86_64.h"

namespace {

const uint32_t argument_registers[] = STAP_ARGUMENT_REGISTERS;

}  // namespace

const Arch x86_64 = {
    .name = "x86_64",
    .last_register = STAP_DWARF_REGISTER_LAST,
    .return_register = STAP_RETURN_REGISTER,
    .second_return_register = STAP_SECOND_RETURN_REGISTER,
    .stack_register = STAP_STACK_REGISTER,
    .argument_registers = argument_registers,
    .word_size = 8,
    .stack_arguments = STAP_STACK_ARGUMENTS,
    .max_words_in_registers = 2,
    .system_call_prefix = "__x64_",
    .kernel_directory = "x86",
};
