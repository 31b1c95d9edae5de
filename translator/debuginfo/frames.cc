// SPDX-License-Identifier: GPL-2.0-or-later
// The DWARF source: how to go from a place in a program's function to its caller, by the call frame information.
#include <cstdlib>
#include <dwarf.h>

#include "abi/registers_x86_64.h"
#include "debuginfo/dwarf_module.h"

namespace {

// The rule as compilers write it: a register and an offset.
bool read_cfa(Dwarf_Frame *frame, FrameRule &rule) {
  Dwarf_Op *ops;
  size_t count;
  if (dwarf_frame_cfa(frame, &ops, &count) != 0 || count != 1) return false;
  if (ops->atom == DW_OP_bregx) {
    rule.base = static_cast<uint32_t>(ops->number);
    rule.offset = static_cast<int64_t>(ops->number2);
  } else if (ops->atom >= DW_OP_breg0 && ops->atom <= DW_OP_breg31) {
    rule.base = ops->atom - DW_OP_breg0;
    rule.offset = static_cast<int64_t>(ops->number);
  } else {
    return false;
  }
  return rule.base == STAP_STACK_REGISTER || rule.base == STAP_FRAME_REGISTER;
}

// Where a register of the caller's is, from the canonical frame address; none: in its register. False for anything
// else.
bool read_saved(Dwarf_Frame *frame, int reg, std::optional<int64_t> &offset) {
  Dwarf_Op buffer[3], *ops;
  size_t count;
  if (dwarf_frame_register(frame, reg, buffer, &ops, &count) != 0) return false;
  if (count == 0) return true;  // it has kept its value, or nobody says otherwise
  if (ops[0].atom != DW_OP_call_frame_cfa) return false;
  if (count == 1) offset = 0;
  else if (count == 2 && ops[1].atom == DW_OP_plus_uconst) offset = static_cast<int64_t>(ops[1].number);
  else if (count == 3 && ops[1].atom == DW_OP_consts && ops[2].atom == DW_OP_plus)
    offset = static_cast<int64_t>(ops[1].number);
  else return false;
  return true;
}

}  // namespace

std::optional<FrameRule> DwarfModule::frame_at(uint64_t address) {
  Dwarf_Addr bias;
  for (Dwarf_CFI *cfi : {dwfl_module_eh_cfi(module_, &bias), dwfl_module_dwarf_cfi(module_, &bias)}) {
    Dwarf_Frame *frame = nullptr;
    if (!cfi || dwarf_cfi_addrframe(cfi, address, &frame) != 0) continue;
    FrameRule rule;
    std::optional<int64_t> return_address;
    const bool is_known = read_cfa(frame, rule) && read_saved(frame, STAP_FRAME_REGISTER, rule.saved_frame_register) &&
                          read_saved(frame, STAP_RETURN_ADDRESS, return_address) && return_address == -8;
    free(frame);
    if (is_known) return rule;
  }
  return std::nullopt;
}
