// SPDX-License-Identifier: GPL-2.0-or-later
// Handlers to C functions, and the table of probes.
#include "emit/emit.h"

namespace {

// Constant tables of probes; those that read the same are one (not with -u).
struct Tables {
  bool merge = true;
  std::string text;
  std::map<std::string, std::string> names;

  std::string add(const char *stem, const std::string &signature, const std::string &body) {
    const std::string key = merge ? signature + body : std::to_string(names.size());
    auto [it, is_new] = names.try_emplace(key, std::string(stem) + std::to_string(names.size()));
    if (is_new) {
      size_t at = signature.find('@');
      text += signature.substr(0, at) + it->second + signature.substr(at + 1) + "\n" + body + "\n";
    }
    return it->second;
  }
};

std::string hit_body(ModuleTables &tables, const DerivedProbe &probe, std::vector<unsigned> &formats) {
  FunctionEmitter body(tables, nullptr);
  body.probe = &probe;
  body.probe_formats = &formats;
  Code &code = body.code;
  code.open("");
  code.line("struct stap_ctx *c = stap_enter(probe, regs);");
  code.line("if (!c)");
  code.depth++;
  code.line("return;");
  code.depth--;
  code.line("c->saved = saved;");
  if (probe.spends_no_actions) code.line("c->budget = 0x7fffffff;");
  body.declare_locals(probe.locals);
  if (probe.condition) {
    If armed;
    Next skip;
    Unary negated;
    negated.op = UnaryOp::Not;
    negated.type = Type::Long;
    negated.operand = probe.condition;
    negated.place = armed.place = probe.condition->place;
    armed.condition = &negated;
    armed.yes = &skip;
    body.statement(&armed);
  }
  if (probe.body) body.statement(probe.body);
  code.label("out");
  code.line("stap_leave(c);");
  code.close();
  return code.text();
}

// What runs at the entry of a function whose return is probed: fills saved[].
std::string entry_body(ModuleTables &tables, const DerivedProbe &probe, std::vector<unsigned> &formats) {
  FunctionEmitter body(tables, nullptr);
  body.probe = &probe;
  body.probe_formats = &formats;
  Code &code = body.code;
  code.open("");
  code.line("struct stap_ctx *c = stap_enter(probe, regs);");
  code.line("int failed = 1;");
  code.line("if (!c)");
  code.depth++;
  code.line("return failed;");
  code.depth--;
  code.line("c->saved = saved;");
  for (size_t i = 0; i < probe.saved.size(); i++) {
    std::string value = body.expr(probe.saved[i]),
                slot = "saved[" + std::to_string(saved_offset(tables.s, probe, i)) + "]";
    code.line(probe.saved[i]->type == Type::String
                  ? "stap_inline_str_set((u32 *)&" + slot + ", (char *)&" + slot + " + 4, MAXSTRINGLEN, " + value + ");"
                  : slot + " = " + value + ";");
  }
  code.label("out");
  code.line("failed = c->failed != 0;");
  code.line("stap_leave(c);");
  code.line("return failed;");
  code.close();
  return code.text();
}

// The names of a probe's C functions. Those it shares were made for the first probe that has them; of its own it
// then has at most the formats, in the order in which the code asks for them.
struct Handler {
  std::string hit, entry;  // entry: "" when it has none
  std::vector<unsigned> formats;
};

Handler handler_of(ModuleTables &tables, const DerivedProbe &probe, std::string &functions) {
  static const char *const parameters =
      "(const struct stap_probe *probe, const struct stap_regs *regs, stap_long *saved)\n";
  const DerivedProbe &hit = probe.same_hit ? *probe.same_hit : probe,
                     &entry = probe.same_entry ? *probe.same_entry : probe;
  Handler handler;
  handler.hit = "probe_" + std::to_string(hit.index);
  const bool has_formats = brings_formats(probe);
  if (&hit == &probe || has_formats) {
    const std::string body = hit_body(tables, probe, handler.formats);
    if (&hit == &probe) functions += "static void " + handler.hit + parameters + body + "\n";
  }
  if (probe.saved.empty()) return handler;
  handler.entry = "entry_" + std::to_string(entry.index);
  if (&entry == &probe || has_formats) {
    const std::string body = entry_body(tables, probe, handler.formats);
    if (&entry == &probe) functions += "static int " + handler.entry + parameters + body + "\n";
  }
  return handler;
}

// What led from the user's probe point to this one: "point <- alias <- point of the script".
std::string derivation(const DerivedProbe &probe) {
  std::string text, last = probe.point;
  for (auto name = probe.alias_chain.rbegin(); name != probe.alias_chain.rend(); ++name) {
    if (*name != last) text += (text.empty() ? "" : " <- ") + *name;
    last = *name;
  }
  return text;
}

// Probes that use the same globals alike share one list of locks.
std::string lock_list(const DerivedProbe &probe, Tables &lists) {
  if (probe.uses.empty()) return "";
  std::string body;
  for (const auto &use : probe.uses)
    body += "\t{" + std::to_string(use.global->index) + ", " + (use.write ? "1" : "0") + "}, // " +
            c_comment(use.global->name) + (use.write ? ", write" : ", read") + "\n";
  return lists.add("locks_", "static const struct stap_lock_use @[] = {", body + "};\n");
}

std::string format_list(const std::vector<unsigned> &formats, Tables &lists) {
  if (formats.empty()) return "";
  std::string numbers;
  for (unsigned format : formats) numbers += (numbers.empty() ? "" : ", ") + std::to_string(format);
  return lists.add("formats_", "static const u32 @[] = {", "\t" + numbers + "\n};\n");
}

}  // namespace

std::string emit_probes(ModuleTables &tables) {
  const Program &program = tables.s.program;
  Tables lists;
  lists.merge = !tables.s.options.unoptimized;
  std::string functions;
  Code table;
  table.line("static struct stap_probe probes[] = {");
  table.depth++;
  for (const DerivedProbe *probe : program.probes) {
    const Handler handler = handler_of(tables, *probe, functions);
    const std::string own_formats = format_list(handler.formats, lists), locks = lock_list(*probe, lists);
    table.line("{");
    table.depth++;
    table.line(".point = " + c_string(probe->point) + ",");
    table.line(".place = " + c_string(to_string(probe->place)) + ",");
    if (!probe->script_point.empty()) table.line(".script_point = " + c_string(probe->script_point) + ",");
    if (std::string chain = derivation(*probe); !chain.empty()) table.line(".derivation = " + c_string(chain) + ",");
    table.line(".hit = " + handler.hit + ",");
    if (!handler.entry.empty()) table.line(".entry = " + handler.entry + ",");
    if (!locks.empty()) {
      table.line(".locks = " + locks + ",");
      table.line(".lock_count = STAP_ARRAY_LEN(" + locks + "),");
    }
    if (!own_formats.empty()) table.line(".formats = " + own_formats + ",");
    table.line(".index = " + std::to_string(probe->index) + ",");
    for (const auto &[field, value] : probe->family->attach(tables.s, *probe))
      table.line(".attach" + field + " = " + value + ",");
    table.depth--;
    table.line("},");
  }
  table.depth--;
  table.line("};");
  return functions + lists.text + table.text();
}
