// SPDX-License-Identifier: GPL-2.0-or-later
// Marks that programs carry for tracers (<sys/sdt.h>), and what the assembler says of their arguments.
#pragma once
#include <libelf.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arch/arch.h"

struct Mark {
  std::string provider, name;
  std::string arguments;   // as the assembler wrote them: "-4@%eax 8@-16(%rbp)"
  uint64_t address = 0;    // of the no-op in the code
  uint64_t semaphore = 0;  // address of the 16-bit counter of those who listen; 0: it has none
};

// In the order of provider, name and address.
std::vector<Mark> marks_of(Elf *elf);

// Where an argument is.
struct MarkArgument {
  enum class Form : uint8_t {
    Unknown,    // `reason` says why it can't be had
    Register,   // in `base`, from bit `shift`
    Immediate,  // the number itself: offset, and the symbol's address
    Memory,     // at offset + symbol + base + index * scale
  } form = Form::Unknown;
  uint32_t size = 8;  // 1, 2, 4 or 8
  bool is_signed = false;
  std::optional<uint32_t> base, index;  // registers by DWARF's numbers
  uint32_t scale = 1, shift = 0;
  int64_t offset = 0;
  std::optional<uint64_t> symbol;  // its address in the file
  std::string reason;              // "it is in the vector register %xmm0"
};

// The address of a symbol in the file; none when the file does not tell.
using SymbolFinder = std::function<std::optional<uint64_t>(const std::string &name)>;

std::vector<MarkArgument> parse_mark_arguments(const Arch &arch, const std::string &text, const SymbolFinder &symbols);

// Of the file's own symbol tables.
std::optional<uint64_t> symbol_address(Elf *elf, const std::string &name);
