// SPDX-License-Identifier: GPL-2.0-or-later
// What -p2 prints: globals, functions and resolved probes, each with its types.
#include <fmt/core.h>

#include "driver/listing.h"
#include "sema/elaborate.h"
#include "syntax/print.h"

namespace {

// packets:long [string, long]
std::string describe(const VarDecl &v) {
  std::string text = v.name + ":" + type_name(v.type);
  if (v.arity <= 0) return text;
  text += " [";
  for (size_t i = 0; i < v.key_types.size(); i++) text += (i ? ", " : "") + std::string(type_name(v.key_types[i]));
  return text + "]";
}

std::string describe_global(const VarDecl &g) {
  std::string text = describe(g);
  if (g.wraps) text += " %";
  if (g.max_entries > 0) text += " size " + std::to_string(g.max_entries);
  if (g.initial) text += " = " + print_expr(g.initial);
  return text;
}

std::string describe_function(const FunctionDecl &f) {
  std::string text = f.name + ":" + type_name(f.type) + " (";
  for (size_t i = 0; i < f.parameters.size(); i++)
    text += (i ? ", " : "") + f.parameters[i]->name + ":" + type_name(f.parameters[i]->type);
  return text + ")";
}

std::string locals(const std::vector<VarDecl *> &all) {
  if (all.empty()) return "";
  std::string text = "  # locals\n";
  for (const VarDecl *l : all) text += "  " + describe(*l) + "\n";
  return text;
}

}  // namespace

std::string print_program(const Session &s) {
  std::string text;
  const Program &p = s.program;
  if (!p.globals.empty()) text += "# globals\n";
  for (const VarDecl *g : p.globals) text += describe_global(*g) + "\n";
  if (!p.functions.empty()) text += "# functions\n";
  for (const FunctionDecl *f : p.functions) text += describe_function(*f) + "\n" + locals(f->locals);
  if (!p.probes.empty()) text += "# probes\n";
  for (const DerivedProbe *probe : p.probes) {
    text += probe->point;
    if (probe->condition) text += fmt::format(" if ({})", print_expr(probe->condition));
    std::string last = probe->point;
    std::string chain;
    for (auto it = probe->alias_chain.rbegin(); it != probe->alias_chain.rend(); ++it) {
      if (*it != last) chain += " <- " + *it;
      last = *it;
    }
    if (!chain.empty()) text += " /*" + chain + " */";
    text += "\n" + locals(probe->locals);
  }
  return text;
}
