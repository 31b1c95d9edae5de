// SPDX-License-Identifier: GPL-2.0-or-later
// Callees in programs: a test of the stack by which calls a site was reached.
//
// A user stack has no record of its frames that the kernel could walk. But which calls are looked for is known when the
// script is compiled, and so is how each caller's frame lies there: the call frame information says how far
// the return address is from the stack pointer or the frame pointer. So the test is a few reads of the stack,
// written out call by call, from the site on upwards.
#include <functional>

#include "abi/registers_x86_64.h"
#include "probes/code.h"
#include "syntax/make.h"

namespace {

// Makes an expression. Nodes have one parent each, so each use makes its own.
using MakeExpr = std::function<Expr *()>;

class CallTest {
 public:
  CallTest(Session &s, const Place &place, const CodeSite &site) : s_(s), make_(s, place), place_(place), site_(site) {}

  Expr *from_site(bool at_return);

 private:
  // The registers of a frame: of the site's, or of a caller's behind its call.
  struct Frame {
    MakeExpr stack_pointer, frame_pointer;
  };

  Expr *reg(uint32_t number) const { return make_.target_register(number); }
  Expr *word_at(Expr *address) const;
  Expr *either(Expr *left, Expr *right) const;
  Frame caller_of(const Frame &frame, const FrameRule &rule) const;
  Expr *returns_to(size_t level, const MakeExpr &address, const Frame &caller) const;

  Session &s_;
  const NodeFactory make_;
  const Place place_;
  const CodeSite &site_;
};

// ureturn_address() of the tapset library: 8 bytes of the stack, as the program has put them there.
Expr *CallTest::word_at(Expr *address) const {
  Call *call = s_.make<Call>(place_);
  call->name = "ureturn_address";
  call->args.push_back(address);
  return call;
}

Expr *CallTest::either(Expr *left, Expr *right) const {
  if (!left) return right;
  Logical *both = s_.make<Logical>(place_);
  both->type = Type::Long;
  both->is_or = true;
  both->left = left;
  both->right = right;
  return both;
}

CallTest::Frame CallTest::caller_of(const Frame &frame, const FrameRule &rule) const {
  const MakeExpr base = rule.base == STAP_STACK_REGISTER ? frame.stack_pointer : frame.frame_pointer;
  const MakeExpr cfa = [this, base, rule] { return make_.binary(BinaryOp::Add, base(), make_.number(rule.offset)); };
  Frame caller{.stack_pointer = cfa, .frame_pointer = frame.frame_pointer};
  if (const auto saved = rule.saved_frame_register)
    caller.frame_pointer = [this, cfa, saved] {
      return word_at(make_.binary(BinaryOp::Add, cfa(), make_.number(*saved)));
    };
  return caller;
}

// Is `address` where one of the calls of this level returns to, and do those above it hold? Null: that can't be told.
Expr *CallTest::returns_to(size_t level, const MakeExpr &address, const Frame &caller) const {
  std::vector<std::pair<FrameRule, Expr *>> groups;  // return addresses in frames of the same layout
  const bool is_last = level + 1 == site_.calls.size();
  for (const CodeAddress &call : site_.calls[level]) {
    // Before the return address: the call may be the function's last instruction.
    const auto rule = is_last ? FrameRule{} : site_.site.module->frame_at(call.offset - 1);
    if (!rule) return nullptr;
    const uint32_t symbol = symbol_reference(s_, site_.site.module->binary(), call.section, call.offset);
    Expr *same = make_.compare(CompareOp::Eq, address(), make_.symbol_address(symbol));
    auto group = groups.begin();
    while (group != groups.end() && group->first != *rule) ++group;
    if (group == groups.end()) groups.push_back({*rule, same});
    else group->second = either(group->second, same);
  }
  Expr *test = nullptr;
  for (const auto &[rule, same] : groups) {
    Expr *whole = same;
    if (!is_last) {
      const Frame next = caller_of(caller, rule);
      const MakeExpr above = [this, next] {
        return word_at(make_.binary(BinaryOp::Sub, next.stack_pointer(), make_.number(8)));
      };
      Expr *rest = returns_to(level + 1, above, next);
      if (!rest) return nullptr;
      whole = make_.both(same, rest);
    }
    test = either(test, whole);
  }
  return test;
}

// At its return, a function's frame is gone already.
Expr *CallTest::from_site(bool at_return) {
  const Frame here{.stack_pointer = [this] { return reg(STAP_STACK_REGISTER); },
                   .frame_pointer = [this] { return reg(STAP_FRAME_REGISTER); }};
  if (at_return)
    return returns_to(
        0, [this] { return reg(STAP_RETURN_ADDRESS); }, here);
  const auto rule = site_.site.module->frame_at(site_.site.offset);
  if (!rule) return nullptr;
  const Frame caller = caller_of(here, *rule);
  const MakeExpr address = [this, caller] {
    return word_at(make_.binary(BinaryOp::Sub, caller.stack_pointer(), make_.number(8)));
  };
  return returns_to(0, address, caller);
}

}  // namespace

Expr *called_in_program(Session &s, const Place &place, bool at_return, const CodeSite &site) {
  return CallTest(s, place, site).from_site(at_return);
}
