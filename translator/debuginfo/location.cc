// SPDX-License-Identifier: GPL-2.0-or-later
// DWARF location expressions to syntax-tree nodes: the stack machine is run here, on expressions instead of values.
#include <dwarf.h>

#include <cstring>

#include "arch/arch.h"
#include "debuginfo/dwarf_module.h"
#include "syntax/make.h"

namespace {

constexpr size_t max_operations = 256, max_stack = 64;

struct Unavailable {
  std::string reason;
};

class Machine {
 public:
  Machine(LocationContext &context) : c_(context), make_(context.session, context.place) {}

  TargetLocation run(const Dwarf_Op *ops, size_t count) {
    if (count == 0) throw Unavailable{"it was optimised away here"};
    if (count > max_operations) throw Unavailable{"its location is too complicated"};
    TargetLocation whole;
    for (size_t at = 0; at < count;) {
      const bool is_missing = is_piece(ops[at]);  // nothing says where that piece is
      TargetLocation part = is_missing ? TargetLocation{} : simple_location(ops, count, at);
      if (at == count && whole.pieces.empty()) return part;
      if (at == count) throw Unavailable{"its location is damaged"};
      if (part.object) throw Unavailable{"a part of it points to something that was optimised away"};
      whole.pieces.push_back({piece_bits(ops[at++]), part.expr, part.is_address});
    }
    whole.reason = "it is split between several places";
    return whole;
  }

  // The value an expression computes (of a frame base's registers and the CFA).
  Expr *value(const Dwarf_Op *ops, size_t count) {
    TargetLocation location = run(ops, count);
    if (!location.expr) throw Unavailable{location.reason};
    return location.expr;
  }

 private:
  static bool is_piece(const Dwarf_Op &op) { return op.atom == DW_OP_piece || op.atom == DW_OP_bit_piece; }
  uint64_t piece_bits(const Dwarf_Op &op) {
    if (op.atom == DW_OP_piece) return op.number * 8;
    if (op.number2) throw Unavailable{"a part of it is in the middle of something else"};
    return op.number;
  }

  // Runs from operation `at` to the next piece or the end.
  TargetLocation simple_location(const Dwarf_Op *ops, size_t count, size_t &at) {
    auto ends_here = [&] { return at == count || is_piece(ops[at]); };
    stack_.clear();
    while (!ends_here()) {
      const Dwarf_Op &op = ops[at++];
      TargetLocation found;
      if (op.atom >= DW_OP_reg0 && op.atom <= DW_OP_reg31) found.expr = reg(op.atom - DW_OP_reg0);
      else if (op.atom == DW_OP_regx) found.expr = reg(op.number);
      else if (op.atom == DW_OP_stack_value) found.expr = pop();
      else if (op.atom == DW_OP_implicit_value) found.expr = implicit(op);
      else if (op.atom == DW_OP_implicit_pointer || op.atom == DW_OP_GNU_implicit_pointer) found = implied_pointer(op);
      else {
        step(op);
        continue;
      }
      if (!ends_here()) throw Unavailable{"its location is damaged"};
      return found;
    }
    return {pop(), true, ""};
  }

  Expr *reg(uint64_t dwarf_number) {
    if (dwarf_number > arch_of(c_.session).last_register)
      throw Unavailable{"it is in a floating-point or vector register"};
    return make_.target_register(uint32_t(dwarf_number));
  }
  Expr *deref(Expr *address, uint64_t size) {
    if (size != 1 && size != 2 && size != 4 && size != 8) throw Unavailable{"its location reads an odd size"};
    Deref *read = make_.deref(address, uint32_t(size));
    read->user = c_.space == AddressSpace::User;
    return read;
  }
  void push(Expr *e) {
    if (stack_.size() >= max_stack) throw Unavailable{"its location is too complicated"};
    stack_.push_back(e);
  }
  Expr *pop() {
    if (stack_.empty()) throw Unavailable{"its location is damaged"};
    Expr *e = stack_.back();
    stack_.pop_back();
    return e;
  }
  Expr *pick(uint64_t depth) {
    if (depth >= stack_.size()) throw Unavailable{"its location is damaged"};
    return clone(c_.session, stack_[stack_.size() - 1 - depth]);
  }
  Expr *implicit(const Dwarf_Op &op) {
    Dwarf_Block block;
    if (!c_.attribute || dwarf_getlocation_implicit_value(c_.attribute, &op, &block) != 0 || block.length > 8)
      throw Unavailable{"it is a constant wider than 64 bits"};
    int64_t value = 0;
    memcpy(&value, block.data, block.length);
    return make_.number(value);
  }
  // The pointer was optimised away; what it points into may still be somewhere.
  TargetLocation implied_pointer(const Dwarf_Op &op) {
    TargetLocation location;
    Dwarf_Die object;
    if (!c_.attribute || !c_.locate_die || dwarf_getlocation_die(c_.attribute, &op, &object) != 0)
      throw Unavailable{"it points to something that was optimised away"};
    location.object = std::make_shared<TargetLocation>(c_.locate_die(&object));
    location.object_offset = op.number2;
    location.reason = "the pointer was optimised away, only what it points to can be read";
    return location;
  }
  void operate(BinaryOp op) {
    Expr *right = pop(), *left = pop();
    push(make_.binary(op, left, right));
  }
  void compare(CompareOp op) {
    Expr *right = pop(), *left = pop();
    push(make_.compare(op, left, right));
  }
  Expr *cfa();
  Expr *frame_base();
  void entry_value(const Dwarf_Op &op);
  void convert(const Dwarf_Op &op);
  void thread_local_address();
  Dwarf_Addr indexed_address(const Dwarf_Op &op);
  int64_t indexed_constant(const Dwarf_Op &op);
  void step(const Dwarf_Op &op);
  bool step_constant(const Dwarf_Op &op);
  bool step_arithmetic(const Dwarf_Op &op);

  LocationContext &c_;
  const NodeFactory make_;
  std::vector<Expr *> stack_;
};

// The canonical frame address: the stack pointer before the call.
Expr *Machine::cfa() {
  Expr *result = nullptr;
  Dwarf_Frame *frame = nullptr;
  const Arch &arch = arch_of(c_.session);
  if (c_.at_entry) return make_.binary(BinaryOp::Add, reg(arch.stack_register), make_.number(arch.stack_arguments));
  if (c_.cfi && dwarf_cfi_addrframe(c_.cfi, c_.address, &frame) == 0) {
    Dwarf_Op *ops;
    size_t count;
    if (dwarf_frame_cfa(frame, &ops, &count) == 0 && count > 0) {
      try {
        result = Machine(c_).value(ops, count);
      } catch (Unavailable &) {
        result = nullptr;
      }
    }
    free(frame);
  }
  if (!result) throw Unavailable{"the stack frame's layout is not known here"};
  return result;
}

Expr *Machine::frame_base() {
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  size_t count;
  if (!c_.function || !dwarf_attr_integrate(c_.function, DW_AT_frame_base, &attribute) ||
      dwarf_getlocation_addr(&attribute, c_.address, &ops, &count, 1) != 1)
    throw Unavailable{"the function has no frame base here"};
  for (size_t i = 0; i < count; i++)
    if (ops[i].atom == DW_OP_fbreg) throw Unavailable{"its location is damaged"};
  return Machine(c_).value(ops, count);
}

// A register's value when the function was entered: known only where the probe is there.
void Machine::entry_value(const Dwarf_Op &op) {
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  size_t count;
  if (!c_.at_entry || !c_.attribute || dwarf_getlocation_attr(c_.attribute, &op, &attribute) != 0 ||
      dwarf_getlocation(&attribute, &ops, &count) != 0 || count != 1)
    throw Unavailable{"only its value at the function's entry is known"};
  push(Machine(c_).value(ops, count));
}

// Values of a type on the stack are kept as 64 bits with the type's sign.
void Machine::convert(const Dwarf_Op &op) {
  Dwarf_Die type;
  Dwarf_Attribute attribute;
  Dwarf_Word encoding;
  if (op.number == 0) return;  // the type of addresses
  if (!c_.attribute || dwarf_getlocation_die(c_.attribute, &op, &type) != 0 ||
      dwarf_formudata(dwarf_attr(&type, DW_AT_encoding, &attribute), &encoding) != 0)
    throw Unavailable{"its location is damaged"};
  if (encoding == DW_ATE_float) throw Unavailable{"it is computed as a floating-point number"};
  const int bits = 8 * dwarf_bytesize(&type);
  if (bits <= 0 || bits > 64) throw Unavailable{"its location reads an odd size"};
  if (bits == 64) return;
  const bool is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
  Expr *up = make_.binary(BinaryOp::Shl, pop(), make_.number(64 - bits));
  push(make_.binary(is_signed ? BinaryOp::Shr : BinaryOp::ShrLogical, up, make_.number(64 - bits)));
}

// The operand is where the variable is in its file's block.
void Machine::thread_local_address() {
  const ThreadBlock block = c_.thread_block ? c_.thread_block() : ThreadBlock{nullptr, "it is thread-local", 0, 0};
  if (!block.address) throw Unavailable{block.reason};
  Expr *distance = pop();
  // gcc's split DWARF has the address of the initial value instead (gcc 12, .debug_addr).
  if (const Number *n = as<Number>(distance); n && uint64_t(n->value) >= block.size)
    if (const uint64_t from_start = uint64_t(n->value) - block.start; from_start < block.size)
      distance = make_.number(int64_t(from_start));
  push(make_.binary(BinaryOp::Add, block.address, distance));
}

// The entries of .debug_addr that operations of split DWARF name.
Dwarf_Addr Machine::indexed_address(const Dwarf_Op &op) {
  Dwarf_Attribute attribute;
  Dwarf_Addr address;
  if (!c_.attribute || dwarf_getlocation_attr(c_.attribute, &op, &attribute) != 0 ||
      dwarf_formaddr(&attribute, &address) != 0)
    throw Unavailable{"its location is damaged"};
  return address;
}

int64_t Machine::indexed_constant(const Dwarf_Op &op) {
  Dwarf_Attribute attribute;
  Dwarf_Word value;
  if (!c_.attribute || dwarf_getlocation_attr(c_.attribute, &op, &attribute) != 0 ||
      dwarf_formudata(&attribute, &value) != 0)
    throw Unavailable{"its location is damaged"};
  return int64_t(value);
}

bool Machine::step_constant(const Dwarf_Op &op) {
  uint8_t atom = op.atom;
  if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) {
    push(make_.number(atom - DW_OP_lit0));
  } else if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
    push(make_.binary(BinaryOp::Add, reg(atom - DW_OP_breg0), make_.number(int64_t(op.number))));
  } else {
    switch (atom) {
      case DW_OP_bregx: push(make_.binary(BinaryOp::Add, reg(op.number), make_.number(int64_t(op.number2)))); break;
      case DW_OP_const1u:
      case DW_OP_const1s:
      case DW_OP_const2u:
      case DW_OP_const2s:
      case DW_OP_const4u:
      case DW_OP_const4s:
      case DW_OP_const8u:
      case DW_OP_const8s:
      case DW_OP_constu:
      case DW_OP_consts: push(make_.number(int64_t(op.number))); break;
      case DW_OP_addr: push(c_.address_of(op.number)); break;
      case DW_OP_addrx:
      case DW_OP_GNU_addr_index: push(c_.address_of(indexed_address(op))); break;
      case DW_OP_constx:
      case DW_OP_GNU_const_index: push(make_.number(indexed_constant(op))); break;
      case DW_OP_fbreg: push(make_.binary(BinaryOp::Add, frame_base(), make_.number(int64_t(op.number)))); break;
      case DW_OP_call_frame_cfa: push(cfa()); break;
      default: return false;
    }
  }
  return true;
}

bool Machine::step_arithmetic(const Dwarf_Op &op) {
  switch (op.atom) {
    case DW_OP_plus: operate(BinaryOp::Add); break;
    case DW_OP_minus: operate(BinaryOp::Sub); break;
    case DW_OP_mul: operate(BinaryOp::Mul); break;
    case DW_OP_and: operate(BinaryOp::And); break;
    case DW_OP_or: operate(BinaryOp::Or); break;
    case DW_OP_xor: operate(BinaryOp::Xor); break;
    case DW_OP_shl: operate(BinaryOp::Shl); break;
    case DW_OP_shr: operate(BinaryOp::ShrLogical); break;
    case DW_OP_shra: operate(BinaryOp::Shr); break;
    case DW_OP_plus_uconst: push(make_.binary(BinaryOp::Add, pop(), make_.number(int64_t(op.number)))); break;
    case DW_OP_neg: push(make_.unary(UnaryOp::Negate, pop())); break;
    case DW_OP_not: push(make_.unary(UnaryOp::Complement, pop())); break;
    case DW_OP_eq: compare(CompareOp::Eq); break;
    case DW_OP_ne: compare(CompareOp::Ne); break;
    case DW_OP_lt: compare(CompareOp::Lt); break;
    case DW_OP_le: compare(CompareOp::Le); break;
    case DW_OP_gt: compare(CompareOp::Gt); break;
    case DW_OP_ge: compare(CompareOp::Ge); break;
    default: return false;
  }
  return true;
}

void Machine::step(const Dwarf_Op &op) {
  if (step_constant(op) || step_arithmetic(op)) return;
  switch (op.atom) {
    case DW_OP_nop: break;
    case DW_OP_dup: push(pick(0)); break;
    case DW_OP_over: push(pick(1)); break;
    case DW_OP_pick: push(pick(op.number)); break;
    case DW_OP_drop: pop(); break;
    case DW_OP_swap: {
      Expr *first = pop(), *second = pop();
      push(first);
      push(second);
      break;
    }
    case DW_OP_deref: push(deref(pop(), 8)); break;
    case DW_OP_deref_size: push(deref(pop(), op.number)); break;
    case DW_OP_entry_value:
    case DW_OP_GNU_entry_value: entry_value(op); break;
    case DW_OP_convert:
    case DW_OP_GNU_convert: convert(op); break;
    case DW_OP_form_tls_address:
    case DW_OP_GNU_push_tls_address: thread_local_address(); break;
    case DW_OP_GNU_parameter_ref: throw Unavailable{"only its value in the caller is known"};
    default: throw Unavailable{"its location uses an operation that can't be followed"};
  }
}

}  // namespace

TargetLocation lower_location(LocationContext &context, const Dwarf_Op *ops, size_t count) {
  try {
    return Machine(context).run(ops, count);
  } catch (Unavailable &u) {
    return {nullptr, false, u.reason};
  }
}
