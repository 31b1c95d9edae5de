// SPDX-License-Identifier: GPL-2.0-or-later
// --dump-probe-types, --dump-probe-aliases and --dump-functions: what scripts can use, sorted, one a line, or as
// sections of a manual page.
#include <algorithm>
#include <fmt/core.h>
#include <set>

#include "driver/listing.h"
#include "library/library.h"
#include "library/reference.h"
#include "sema/elaborate.h"

namespace {

std::string lines(const std::set<std::string> &all) {
  std::string text;
  for (const std::string &line : all) text += line + "\n";
  return text;
}

std::string parameter_list(const FunctionDecl &f) {
  std::string text;
  for (const VarDecl *p : f.parameters) text += (text.empty() ? "" : ", ") + p->name + ":" + type_name(p->type);
  return "(" + text + ")";
}

// Pragmas that say who may call an embedded-C function.
std::string markers(const FunctionDecl &f) {
  std::string text;
  if (f.pragmas.guru) text += " /* guru */";
  if (f.pragmas.unprivileged) text += " /* unprivileged */";
  if (f.pragmas.myproc_unprivileged) text += " /* myproc-unprivileged */";
  return text;
}

}  // namespace

std::string dump_probe_types() {
  std::set<std::string> all;
  for (const ProbeFamily *family : probe_families()) all.insert(family->patterns.begin(), family->patterns.end());
  return lines(all);
}

std::string dump_probe_aliases(Session &s) {
  if (s.options.format == "man") return aliases_in_roff(read_reference(s));
  open_library(s);
  std::set<std::string> all;
  for (const ProbeDecl *alias : s.library->aliases("*", "*")) {
    std::string points;
    for (const ProbePoint *p : alias->points) points += (points.empty() ? "" : ", ") + to_string(*p);
    for (const ProbePoint *name : alias->alias_names)
      if (!alias->is_private) all.insert(to_string(*name) + (alias->alias_is_epilogue ? " += " : " = ") + points);
  }
  return lines(all);
}

// Every public function of the library with the types that inference gives it; a function without a value, and
// what nothing in the library decides, is "unknown".
std::string dump_functions(Session &s) {
  if (s.options.format == "man") return functions_in_roff(read_reference(s));
  open_library(s);
  std::vector<const FunctionDecl *> shown;
  for (const std::string &name : s.library->function_names())
    for (FunctionDecl *f : s.library->functions(name)) {
      if (f->is_private || name.starts_with("__") || f->in_use) continue;
      f->in_use = true;
      f->unique_name = fmt::format("f_{}_{}", name, shown.size());
      s.program.functions.push_back(f);
      shown.push_back(f);
    }
  const size_t mark = s.diag.mark();
  ProbeMatcher matcher(s);
  lower_and_resolve(s, matcher);
  infer_types(s);
  s.diag.rollback(mark);
  std::set<std::string> all;
  for (const FunctionDecl *f : shown)
    all.insert(fmt::format("{}:{} {}{}", f->name, f->type == Type::Void ? "unknown" : type_name(f->type),
                           parameter_list(*f), markers(*f)));
  return lines(all);
}
