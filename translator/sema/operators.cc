// SPDX-License-Identifier: GPL-2.0-or-later
// Operators that need no debuginfo: @kderef @uderef @kregister @uregister @const.
#include <fmt/core.h>

#include "arch/arch.h"
#include "sema/elaborate.h"
#include "syntax/make.h"

namespace {

Expr *fail(Session &s, const Intrinsic &i, const std::string &what, const std::string &usage) {
  s.diag.error("operator-arguments", i.place, "semantic error: " + what).hint("write " + usage);
  return nullptr;
}

// @kderef(size, address): an unsigned number.
Expr *deref(Session &s, const Intrinsic &i) {
  const std::string usage = fmt::format("@{}(size, address), with a size of 1, 2, 4 or 8", i.name);
  const Number *size = i.args.size() == 2 ? as<Number>(i.args[0]) : nullptr;
  if (!size || (size->value != 1 && size->value != 2 && size->value != 4 && size->value != 8))
    return fail(s, i, fmt::format("@{} reads 1, 2, 4 or 8 bytes at an address", i.name), usage);
  Deref *e = NodeFactory(s, i.place).deref(i.args[1], static_cast<uint32_t>(size->value));
  e->user = i.op == IntrinsicOp::Uderef;
  return e;
}

// @kregister(n): by DWARF number.
Expr *target_register(Session &s, const Intrinsic &i) {
  const Number *number = i.args.size() == 1 ? as<Number>(i.args[0]) : nullptr;
  const int64_t last = arch_of(s).last_register;
  if (!number || number->value < 0 || number->value > last)
    return fail(s, i, fmt::format("@{} takes a register's DWARF number, from 0 to {}", i.name, last),
                "@" + i.name + "(0)");
  Register *e = NodeFactory(s, i.place).target_register(static_cast<uint32_t>(number->value));
  e->user = i.op == IntrinsicOp::Uregister;
  e->may_fail = true;  // nothing says that the probe point has registers
  return e;
}

// @const("NAME"): what the headers say; the C compiler finds it.
Expr *constant(Session &s, const Intrinsic &i) {
  const String *text = i.args.size() == 1 ? as<String>(i.args[0]) : nullptr;
  if (!text) return fail(s, i, "@const takes the text of a C constant", "@const(\"NAME\")");
  const SourceFile *file = scope_of(i.place);
  if (!s.options.guru && !(file && file->is_tapset)) {
    s.diag.error("needs-guru", i.place, "semantic error: @const is embedded C: it needs guru mode")
        .hint("run stap with -g");
    return nullptr;
  }
  return NodeFactory(s, i.place).embedded(" /* pure */ " + text->value);
}

}  // namespace

const Register *register_of(const Expr *value) {
  // The low bits: `register & mask`, or `register << n >> n` (TargetAccess::value).
  if (const Binary *outer = as<Binary>(value)) {
    const Binary *inner = as<Binary>(outer->left);
    const Number *n = as<Number>(outer->right);
    if (!n) return nullptr;
    if (outer->op == BinaryOp::And && (n->value & (n->value + 1)) == 0) value = outer->left;
    else if (outer->op == BinaryOp::Shr && inner && inner->op == BinaryOp::Shl && as<Number>(inner->right) &&
             as<Number>(inner->right)->value == n->value)
      value = inner->left;
  }
  const Register *r = as<Register>(value);
  return r && !r->user ? r : nullptr;
}

bool check_enumname(Session &s, const Intrinsic &i) {
  bool fits = i.args.size() >= 1 && i.args.size() <= 3;
  for (size_t n = 1; n < i.args.size(); n++) fits &= as<String>(i.args[n]) != nullptr;
  if (!fits)
    fail(s, i, "@enumname names a value of an enumeration",
         "@enumname(value), or @enumname(value, \"enum type\", \"module\")");
  return fits;
}

Expr *lower_operator(Session &s, Intrinsic &i) {
  int errors = s.diag.error_count();
  Expr *lowered = nullptr;
  switch (i.op) {
    case IntrinsicOp::Kderef:
    case IntrinsicOp::Uderef: lowered = deref(s, i); break;
    case IntrinsicOp::Kregister:
    case IntrinsicOp::Uregister: lowered = target_register(s, i); break;
    case IntrinsicOp::Const: lowered = constant(s, i); break;
    case IntrinsicOp::ChooseDefined:
    case IntrinsicOp::Enum:
    case IntrinsicOp::EnumName:
    case IntrinsicOp::Errno:
    case IntrinsicOp::ProbeWrite:
    case IntrinsicOp::Other: break;
  }
  if (!lowered && s.diag.error_count() > errors)
    lowered = NodeFactory(s, i.place).number(0);  // stands in for it, so that nothing more is said
  return lowered;
}
