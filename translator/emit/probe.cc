// SPDX-License-Identifier: GPL-2.0-or-later
// Handlers to C functions, and the table of probes.
#include <fmt/core.h>

#include "emit/emit.h"

namespace {

// Constant arrays that probes refer to. Arrays with the same contents are emitted once, except with -u.
struct Tables {
  bool merge = true;
  std::string text;
  std::map<std::string, std::string> names;

  // Returns the array's name. `rows` is its initializer, whole lines.
  std::string add(const char *stem, const char *type, const std::string &rows) {
    const std::string key = merge ? type + rows : std::to_string(names.size());
    auto [it, is_new] = names.try_emplace(key, fmt::format("{}{}", stem, names.size()));
    if (is_new) text += fmt::format("static const {} {}[] = {{\n{}}};\n\n", type, it->second, rows);
    return it->second;
  }
};

// Goes to the end of the function where the condition does not hold.
void skip_unless(FunctionEmitter &body, Expr *condition) {
  If armed;
  Next skip;
  Unary negated;
  negated.op = UnaryOp::Not;
  negated.type = Type::Long;
  negated.operand = condition;
  negated.place = armed.place = condition->place;
  armed.condition = &negated;
  armed.yes = &skip;
  body.statement(&armed);
}

// A function for each condition by which probes are disarmed, which says what it is now, and one that calls them all.
// One that can't be evaluated holds: the error is for the handler to report.
std::string condition_functions(ModuleTables &tables) {
  const auto &conditions = tables.s.program.conditions;
  if (conditions.empty()) return "";
  std::string text = fmt::format("static u32 conditions[{}];\n\n", conditions.size()), calls;
  for (size_t i = 0; i < conditions.size(); i++) {
    FunctionEmitter body(tables, nullptr);
    Code &code = body.code;
    code.open("");
    code.line("const u32 failed = c->failed;");
    code.line("u32 holds = failed;");
    code.line("if (failed)");
    code.line("\tgoto out;");
    skip_unless(body, conditions[i]);
    code.line("holds = 1;");
    code.label("out");
    code.line("stap_condition_set(c, &conditions[{}], holds, failed);", i);
    code.close();
    text += fmt::format("static void condition_{}(struct stap_ctx *c)\n{}\n", i, code.text());
    calls += fmt::format("\tcondition_{}(c);\n", i);
  }
  return text + fmt::format("static void evaluate_conditions(struct stap_ctx *c)\n{{\n{}}}\n\n", calls);
}

std::string hit_body(ModuleTables &tables, const DerivedProbe &probe, std::vector<unsigned> &formats) {
  FunctionEmitter body(tables, nullptr);
  body.probe = &probe;
  body.probe_formats = &formats;
  Code &code = body.code;
  code.open("");
  if (probe.spends_no_actions) code.line("c->budget_more = 0x7fffffff;");
  body.declare_locals(probe.locals);
  if (probe.condition) skip_unless(body, probe.condition);
  if (probe.body) body.statement(probe.body);
  code.label("out");
  for (size_t condition : probe.changed_conditions) code.line("condition_{}(c);", condition);
  code.close();
  return code.text();
}

// Registers and memory only. All that can fail is a read, and the error of that names the place where the handler uses
// the value.
bool is_plain_read(Expr *value) {
  bool plain = true;
  for_each_expr(value, [&](Expr *&part) {
    const bool divides_by = as<Binary>(part) && divides(as<Binary>(part)->op);
    plain &= as<Number>(part) || as<Register>(part) || as<Deref>(part) || (as<Binary>(part) && !divides_by);
  });
  return plain;
}

// Says of all values that they could be read. This stands behind the first value, where the store's address is at hand.
void clear_faults(const Session &s, const DerivedProbe &probe, Code &code) {
  if (!probe.saved_faults) return;
  for (uint32_t word = probe.saved_faults; word < saved_words(s, probe); word++)
    code.line("c->event->saved[{}] = 0;", word);
}

// Stores value number `index`. What keeps the fault when it can't be read goes to `faults`, out of the way of the calls
// where it can.
void save_value(FunctionEmitter &body, const DerivedProbe &probe, size_t index, Code &faults) {
  Code &code = body.code;
  Expr *value = probe.saved[index];
  const Session &s = body.session();
  const uint32_t offset = saved_offset(s, probe, index);
  const bool may_fail = may_fault(s, value);
  const std::string slot = fmt::format("c->event->saved[{}]", offset);
  if (may_fail) body.fail_labels.push_back(fmt::format("fault_{}", index));
  body.errors_have_places = !is_plain_read(value);
  const std::string text = body.expr(value).text;
  body.errors_have_places = true;
  if (value->type == Type::String)
    code.line("stap_inline_str_set((u32 *)&{0}, (char *)&{0} + 4, MAXSTRINGLEN, {1});", slot, text);
  else code.line("{} = {};", slot, text);
  if (!is_plain_read(value)) body.check();  // not each operation tests for its errors at once
  if (index == 0) clear_faults(s, probe, code);
  if (!may_fail) return;
  body.fail_labels.pop_back();
  code.label(fmt::format("kept_{}", index));
  faults.label(fmt::format("fault_{}", index));
  if (index == 0) clear_faults(s, probe, faults);
  faults.line("if (!stap_saved_keep_fault(c, {}, {}, {}))", offset, probe.saved_faults, index);
  faults.line("\tgoto kept_{};", index);
  faults.line("goto out;");
}

// What runs where a function is entered whose return is probed. It fills event->saved with what the values are then. An
// error that it leaves means that this call is not followed.
std::string entry_body(ModuleTables &tables, const DerivedProbe &probe, std::vector<unsigned> &formats) {
  FunctionEmitter body(tables, nullptr);
  body.probe = &probe;
  body.probe_formats = &formats;
  Code &code = body.code;
  code.open("");
  Code faults;
  faults.depth = code.depth;
  for (size_t i = 0; i < probe.saved.size(); i++) save_value(body, probe, i, faults);
  if (!faults.empty()) {
    code.line("return;");
    code.append(faults);
  }
  code.label("out");
  code.close();
  return code.text();
}

// What a probe's descriptor says of its C functions. Probes whose handlers do the same share the functions, which are
// emitted for the first of these probes only. The formats that contain a parameter's name ($$parms) still differ
// between them: the function finds those in its probe's own list, in the order in which it needs them.
struct Handler {
  std::string hit, entry;  // names of the functions; `entry` is "" when nothing is saved at the entry
  std::vector<unsigned> formats;
};

Handler handler_of(ModuleTables &tables, const DerivedProbe &probe, std::string &functions) {
  static const char *const parameters = "struct stap_ctx *c";
  const DerivedProbe &hit = probe.same_hit ? *probe.same_hit : probe,
                     &entry = probe.same_entry ? *probe.same_entry : probe;
  Handler handler;
  handler.hit = "probe_" + std::to_string(hit.index);
  const bool has_formats = brings_formats(probe);
  if (&hit == &probe || has_formats) {
    const std::string body = hit_body(tables, probe, handler.formats);
    if (&hit == &probe) functions += fmt::format("static void {}({})\n{}\n", handler.hit, parameters, body);
  }
  if (probe.saved.empty()) return handler;
  handler.entry = "entry_" + std::to_string(entry.index);
  if (&entry == &probe || has_formats) {
    const std::string body = entry_body(tables, probe, handler.formats);
    if (&entry == &probe) functions += fmt::format("static void {}({})\n{}\n", handler.entry, parameters, body);
  }
  return handler;
}

// The probe points that led from the script's own to this one, the nearest first: "alias <- point of the script".
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
  std::string rows;
  for (const auto &use : probe.uses)
    rows += fmt::format("\t{{{}, {}}}, // {}, {}\n", use.global->index, use.write ? 1 : 0, c_comment(use.global->name),
                        use.write ? "write" : "read");
  return lists.add("locks_", "struct stap_lock_use", rows);
}

// The numbers of the formats that are the probe's own.
std::string format_list(const std::vector<unsigned> &formats, Tables &lists) {
  if (formats.empty()) return "";
  std::string numbers;
  for (unsigned format : formats) numbers += (numbers.empty() ? "" : ", ") + std::to_string(format);
  return lists.add("formats_", "u32", fmt::format("\t{}\n", numbers));
}

std::string c_value(uint64_t value) { return fmt::format("{}ull", value); }
std::string c_value(int64_t value) { return c_long(value); }
std::string c_value(const std::string &text) { return c_string(text); }
std::string c_value(const attach::stap_code_place &place) {
  std::string fields;
  if (place.address) return fmt::format("{{.address = {:#x}ull}}", place.address);
  if (place.binary && place.binary->is_module()) fields += fmt::format(".module = {}, ", c_string(place.binary->name));
  if (!place.module.empty()) fields += fmt::format(".module = {}, ", c_string(place.module));
  if (!place.section.empty()) fields += fmt::format(".section = {}, ", c_string(place.section));
  if (!place.symbol.empty()) fields += fmt::format(".symbol = {}", c_string(place.symbol));
  else fields += fmt::format(".offset = {:#x}ull", place.offset);
  return fmt::format("{{{}}}", fields);
}
std::string c_value(const attach::stap_file_place &place) {
  if (place.path.empty()) return "{0}";
  std::string fields = fmt::format(".path = {}, .offset = {:#x}ull, .address = {:#x}ull, .code = {:#x}ull",
                                   c_string(place.path), place.offset, place.address, place.code);
  if (place.semaphore) fields += fmt::format(", .semaphore = {:#x}ull", place.semaphore);
  if (!place.executable.empty()) fields += fmt::format(", .executable = {}", c_string(place.executable));
  if (place.pid) fields += fmt::format(", .pid = {}", place.pid);
  return fmt::format("{{{}}}", fields);
}

// The initializer of the probe's struct stap_attach.
std::string attach_initializer(const attach::Description &description) {
  return std::visit(
      []<typename T>(const T &described) -> std::string {
        if constexpr (std::is_same_v<T, attach::None>) {
          return "{.kind = STAP_ATTACH_NONE}";
        } else {
          std::string fields;
          described.visit([&](const char *name, const auto &value) {
            fields += fmt::format("{}.{} = {}", fields.empty() ? "" : ", ", name, c_value(value));
          });
          return fmt::format("{{.kind = {}, .{} = {{{}}}}}", T::constant, T::member, fields);
        }
      },
      description);
}

}  // namespace

std::string emit_probes(ModuleTables &tables) {
  const Program &program = tables.s.program;
  Tables lists;
  lists.merge = !tables.s.options.unoptimized;
  std::string functions = condition_functions(tables);
  Code table;
  table.line("static struct stap_probe probes[] = {");
  table.depth++;
  for (const DerivedProbe *probe : program.probes) {
    const Handler handler = handler_of(tables, *probe, functions);
    const std::string own_formats = format_list(handler.formats, lists), locks = lock_list(*probe, lists);
    table.line("{");
    table.depth++;
    table.line(".point = {},", c_string(probe->point));
    table.line(".place = {},", c_string(to_string(probe->place)));
    if (!probe->script_point.empty()) table.line(".script_point = {},", c_string(probe->script_point));
    if (std::string chain = derivation(*probe); !chain.empty()) table.line(".derivation = {},", c_string(chain));
    if (!probe->function.empty()) table.line(".function = {},", c_string(probe->function));
    table.line(".hit = {},", handler.hit);
    if (!handler.entry.empty()) {
      table.line(".entry = {},", handler.entry);
      table.line(".saved_longs = {},", saved_words(tables.s, *probe));
    }
    if (!locks.empty()) {
      table.line(".locks = {},", locks);
      table.line(".lock_count = STAP_ARRAY_LEN({}),", locks);
    }
    if (!own_formats.empty()) table.line(".formats = {},", own_formats);
    if (probe->condition_number >= 0) table.line(".condition = &conditions[{}],", probe->condition_number);
    table.line(".index = {},", probe->index);
    table.line(".attach = {},", attach_initializer(probe->attach));
    table.depth--;
    table.line("},");
  }
  table.depth--;
  table.line("};");
  return functions + lists.text + table.text();
}
