// SPDX-License-Identifier: GPL-2.0-or-later
// Callees: functions as they are called by other functions, .callee(NAME) and .callees(DEPTH).
//
// A callee's probe sits where any call of the function comes by. Its handler begins
// with a test of the stack: each of the calls that lead to the site returns to one
// of the addresses that the callers' call sites have. An inlined callee has no call
// of its own, so that only the calls around it are tested.
#include <algorithm>
#include <fmt/core.h>
#include <set>

#include "base/glob.h"
#include "probes/code.h"
#include "syntax/make.h"

namespace {

constexpr size_t most_callees = 2000;

std::string name_and_place(const FunctionSite &site) {
  return site.file.empty() ? site.name : fmt::format("{}@{}:{}", site.name, site.file, site.line);
}

bool is_wanted(const CodeRequest &request, const Callee &callee) {
  return callee.site.is_inlined ? request.kinds & DebugModule::Inlines : request.kinds & DebugModule::Calls;
}

// The same site by the same calls is one, whatever functions were inlined between.
bool is_known(const std::vector<CodeSite> &sites, const CodeSite &wanted) {
  return std::any_of(sites.begin(), sites.end(), [&](const CodeSite &site) {
    return site.site.address == wanted.site.address && site.site.name == wanted.site.name && site.calls == wanted.calls;
  });
}

}  // namespace

std::vector<CodeSite> callee_sites(Session &s, DebugModule &module, const CodeRequest &request, Refusals &refused) {
  std::vector<CodeSite> sites, level;
  for (FunctionSite &function :
       module.functions(request.pattern, DebugModule::Calls | DebugModule::Inlines | DebugModule::Parts, refused)) {
    CodeSite caller{std::move(function), {}, ""};
    caller.callee_of = name_and_place(caller.site);
    level.push_back(std::move(caller));
  }
  for (int64_t depth = 1; depth <= request.callee_depth && sites.size() < most_callees; depth++) {
    std::vector<CodeSite> next;
    for (const CodeSite &caller : level)
      for (Callee &callee : module.callees(caller.site, request.callee, request.kinds, refused)) {
        CodeSite site{std::move(callee.site), caller.calls, caller.callee_of};
        const bool is_call = !callee.returns.empty();
        if (is_call) site.calls.insert(site.calls.begin(), std::move(callee.returns));
        if (is_known(next, site)) continue;
        if (is_wanted(request, {.site = site.site, .returns = {}}) && !is_known(sites, site)) sites.push_back(site);
        next.push_back(std::move(site));
      }
    level = std::move(next);
  }
  if (sites.size() >= most_callees)
    s.diag.error("too-many-callees", request.place, "semantic error: '{}' calls too many functions", request.text)
        .hint("a smaller depth, or a pattern that matches less");
  return sites;
}

namespace {

// stack(depth) of the tapset library: what the call that many levels up returns to, 1 being that of the function that
// is hit. In a return probe it is the same.
Expr *return_address(Session &s, const Place &place, size_t depth) {
  Call *call = s.make<Call>(place);
  call->name = "stack";
  call->args.push_back(NodeFactory(s, place).number(int64_t(depth)));
  return call;
}

Expr *is_one_of(Session &s, const Place &place, size_t depth, const TargetBinary &binary,
                const std::vector<CodeAddress> &addresses) {
  const NodeFactory make(s, place);
  Expr *test = nullptr;
  for (const CodeAddress &address : addresses) {
    Expr *known = make.symbol_address(symbol_reference(s, binary, address.section, address.offset));
    Expr *equal = make.compare(CompareOp::Eq, return_address(s, place, depth), known);
    if (!test) {
      test = equal;
      continue;
    }
    Logical *either = s.make<Logical>(place);
    either->type = Type::Long;
    either->is_or = true;
    either->left = test;
    either->right = equal;
    test = either;
  }
  return test;
}

Expr *called_in_kernel(Session &s, const Place &place, const CodeSite &site) {
  Expr *test = nullptr;
  for (size_t i = 0; i < site.calls.size(); i++) {
    Expr *call = is_one_of(s, place, i + 1, site.site.module->binary(), site.calls[i]);
    test = test ? NodeFactory(s, place).both(test, call) : call;
  }
  return test;
}

}  // namespace

bool require_calls(Session &s, DerivedProbe &probe, const CodeRequest &request, const CodeSite &site) {
  if (site.calls.empty() || s.limits.callee_matchall) return true;
  const Place place = request.place;
  const NodeFactory make(s, place);
  Expr *test = site.site.module->binary().is_file() ? called_in_program(s, place, request.is_return, site)
                                                    : called_in_kernel(s, place, site);
  if (!test) return false;
  If *other = s.make<If>(place);
  other->condition = make.unary(UnaryOp::Not, test);
  other->yes = s.make<Next>(place);
  probe.body->statements.insert(probe.body->statements.begin(), other);
  return true;
}
