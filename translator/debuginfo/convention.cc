// SPDX-License-Identifier: GPL-2.0-or-later
// Arguments by the System V calling convention, as far as types tell: numbers, pointers, and structures.
#include "debuginfo/convention.h"

#include <algorithm>

#include "arch/arch.h"
#include "syntax/make.h"

// Integers and pointers take the next of the registers for arguments, then a word each on the stack. A small structure
// takes one register for each word if there are enough, else it is on the stack as a whole.
TargetLocation argument_at_entry(Session &s, const Place &place, const Prototype &prototype, size_t wanted) {
  const Arch &arch = arch_of(s);
  const uint32_t register_count = uint32_t(arch.argument_registers.size());
  uint32_t used = 0;
  uint64_t stack = arch.stack_arguments;
  // A structure returned in memory: its address is the first argument.
  const uint64_t largest = arch.max_words_in_registers * arch.word_size;
  if (prototype.result && prototype.result->is_composite() && prototype.result->object_size() > largest) used++;
  for (size_t i = 0; i < prototype.parameters.size(); i++) {
    const TargetType *type = prototype.parameters[i];
    const bool is_wanted = i == wanted;
    if (type->kind == TypeKind::Float) {
      if (is_wanted) return {nullptr, false, "it is in a floating-point register"};
      continue;
    }
    if (!type->is_composite() && !type->is_scalar()) break;
    uint64_t size = type->object_size(), words = (size + arch.word_size - 1) / arch.word_size;
    bool in_registers = size <= largest && used + words <= register_count;
    bool in_memory = size > largest;  // as a whole, on the stack
    if (is_wanted && type->is_composite() && !in_memory && type->has_floats())
      return {nullptr, false, "a part of it is in a floating-point register"};
    if (is_wanted) {
      const NodeFactory make(s, place);
      if (in_registers && words > 1) {
        TargetLocation location{nullptr, false, "it is in several registers"};
        for (uint32_t word = 0; word < words; word++)
          location.pieces.push_back({8 * std::min<uint64_t>(arch.word_size, size - word * arch.word_size),
                                     make.target_register(arch.argument_registers[used + word]), false});
        return location;
      }
      Register *base = make.target_register(in_registers ? arch.argument_registers[used] : arch.stack_register);
      if (in_registers) return {base, false, ""};
      return {make.binary(BinaryOp::Add, base, make.number(int64_t(stack))), true, ""};
    }
    if (in_registers) used += uint32_t(words);
    else stack += words * arch.word_size;
  }
  return {nullptr, false, "its place does not follow from the function's prototype"};
}
