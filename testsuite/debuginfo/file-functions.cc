// SPDX-License-Identifier: GPL-2.0-or-later
// Prints what debuginfo says of a program: functions with their lines and addresses, variables with their types, and
// the expressions that fetch them.
//
//   file-functions FILE             each function as "NAME FILE:LINE OFFSET"
//   file-functions FILE FUNCTION    each variable at its first instruction as "NAME TYPE: at EXPRESSION", or without
//                                   "at" when the expression is the value
//   file-functions FILE FUNCTION POINTER MEMBER...    the expression for $POINTER->MEMBER->...
#include <cstdio>

#include "debuginfo/debuginfo.h"
#include "syntax/print.h"
#include "target/target.h"

namespace {

void print_location(Session &session, const FunctionSite &site, const TargetVariable &variable) {
  const TargetLocation location = site.module->locate(session, site, variable, Place{});
  std::printf("%s %s: %s%s\n", variable.name.c_str(), variable.type->spelling.c_str(), location.is_address ? "at " : "",
              location.expr ? print_expr(location.expr).c_str() : location.reason.c_str());
}

int print_member(Session &session, const FunctionSite &site, char **names) {
  Target target;
  target.name = std::string("$") + *names;
  while (*++names) {
    TargetComponent member;
    member.member = *names;
    target.components.push_back(member);
  }
  const TargetContext context{.site = &site, .space = site.module->address_space(), .point = site.name};
  try {
    std::printf("%s\n", print_expr(lower_variable(session, context, target)).c_str());
  } catch (TargetError &e) {
    std::printf("%s\n", e.message.c_str());
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  Session session;
  DebugModule *module = DebugInfoSet::of(session).module(argv[1], Place{});
  if (!module) {
    std::printf("no debuginfo\n");
    return 1;
  }
  FunctionPattern pattern;
  pattern.function = argc > 2 ? argv[2] : "*";
  Refusals refused;
  for (const FunctionSite &site : module->functions(pattern, DebugModule::Calls, refused)) {
    if (argc > 3) return print_member(session, site, argv + 3);
    if (argc == 2)
      std::printf("%s %s:%d %llx\n", site.name.c_str(), site.file.c_str(), site.line,
                  static_cast<unsigned long long>(site.offset));
    else
      for (const TargetVariable &variable : module->variables(site)) print_location(session, site, variable);
  }
  return 0;
}
