// SPDX-License-Identifier: GPL-2.0-or-later
// Target variables to fetches: names, $$ variables, @cast and @var.
#include "target/target.h"

#include <algorithm>
#include <fmt/core.h>

#include "arch/arch.h"
#include "target/access.h"
#include "target/lookup.h"
#include "target/record.h"

Diagnostic &report(Session &s, const TargetError &e) {
  Diagnostic &d = s.diag.error(e.id, e.place, e.message);
  for (const std::string &note : e.notes) d.note(note);
  for (const std::string &hint : e.hints) d.hint(hint);
  return d;
}

namespace {

const char *const read_at_entry =
    "a .return probe reads parameters when the function is entered; local variables have no value there";

std::string join(const std::vector<std::string> &words) {
  std::string all;
  for (const std::string &word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

class Lowerer {
 public:
  Lowerer(Session &s, const TargetContext &context, const Place &place) : s_(s), c_(context), access_(s, place) {}

  Expr *lower(const Target &target);
  Expr *lower(const Cast &cast);
  Expr *lower(const AtVar &var);

 private:
  TargetObject variable(const std::string &name, const Place &place);
  std::optional<RecordField> record_field(const std::string &name);
  [[noreturn]] void no_variable(const std::string &name, const Place &place);
  [[noreturn]] void unavailable(const std::string &name, const std::string &reason, const Place &place);
  std::string readable_at(const std::string &name, const Place &place);
  TargetObject return_value(const Place &place);
  TargetObject located(DebugModule &module, const FunctionSite &site, const TargetVariable &variable,
                       const Place &place);
  Expr *group(const std::string &name, const Place &place);
  Expr *returned_text(const Place &place);
  void append_variable(Format &format, const TargetVariable &variable);
  Expr *finish(TargetObject object, const std::vector<TargetComponent> &components, bool address_of,
               const Place &place);

  Session &s_;
  const TargetContext &c_;
  TargetAccess access_;
};

void Lowerer::unavailable(const std::string &name, const std::string &reason, const Place &place) {
  bool gone = reason.find("optimised away") != reason.npos;
  TargetError e{gone ? "optimized-out" : "not-available",
                fmt::format("semantic error: '${}' is not available at this address: {}", name, reason),
                place,
                {},
                {}};
  if (const std::string elsewhere = readable_at(name, place); !elsewhere.empty())
    e.hints.push_back("it can be read at " + elsewhere);
  e.hints.push_back(fmt::format("test it with @defined(${})", name));
  throw e;
}

// The probed function's entry, or else its first statement, at which a variable can be read; "" when none is known.
std::string Lowerer::readable_at(const std::string &name, const Place &place) {
  const size_t prefix = std::min(c_.point.find(".function("), c_.point.find(".statement("));
  if (prefix == std::string::npos || !c_.site || c_.site->is_inlined || c_.at_return) return "";
  DebugModule &module = *c_.site->module;
  auto is_readable = [&](const FunctionSite &site) {
    for (const TargetVariable &v : module.variables(site)) {
      if (v.name != name) continue;
      const TargetLocation location = module.locate(s_, site, v, place);
      if (location.expr || location.object || !location.pieces.empty()) return true;
    }
    return false;
  };
  FunctionPattern every_line;
  every_line.function = c_.site->name;
  every_line.file = c_.site->file;
  every_line.line_kind = FunctionPattern::Line::Any;
  Refusals ignored;
  FunctionPattern entry = every_line;
  entry.line_kind = FunctionPattern::Line::None;
  if (c_.site->is_inside)
    for (const FunctionSite &function :
         module.functions(entry, DebugModule::Calls | DebugModule::AfterPrologue, ignored))
      if (function.handle == c_.site->handle && is_readable(function))
        return fmt::format("{}.function(\"{}@{}\").call", c_.point.substr(0, prefix), function.name, function.file);
  for (const FunctionSite &statement : module.statements(every_line, DebugModule::Calls, ignored)) {
    if (statement.handle == c_.site->handle && statement.is_inside && is_readable(statement))
      return fmt::format("{}.statement(\"{}@{}:{}\")", c_.point.substr(0, prefix), statement.name, statement.file,
                         statement.statement_line);
  }
  return "";
}

TargetObject Lowerer::located(DebugModule &module, const FunctionSite &site, const TargetVariable &variable,
                              const Place &place) {
  TargetLocation location = module.locate(s_, site, variable, place);
  if (!location.expr && location.pieces.empty() && !location.object) unavailable(variable.name, location.reason, place);
  return access_.at_location(location, variable.type);
}

TargetObject Lowerer::return_value(const Place &place) {
  const TargetType *type = c_.at_return ? c_.site->module->return_type(*c_.site) : nullptr;
  if (!type)
    throw TargetError{"no-such-variable",
                      c_.at_return
                          ? fmt::format("semantic error: $return does not exist: '{}' returns nothing", c_.site->name)
                          : "semantic error: $return is available in .return probes only",
                      place,
                      {},
                      {}};
  const Arch &arch = arch_of(s_);
  Register *result = NodeFactory(s_, place).target_register(arch.return_register);
  // A small structure is returned in this register and others. A larger one is in memory, and this register has its
  // address.
  const uint64_t size = type->object_size();
  if (type->is_composite() && size > arch.max_words_in_registers * arch.word_size) return {result, true, type, 0, 0, 0};
  if (type->is_composite() && type->has_floats())
    throw TargetError{
        "not-available",
        fmt::format("semantic error: a part of a '{}' is returned in a floating-point register", type->spelling),
        place,
        {},
        {}};
  if (type->is_composite() && size > arch.word_size) {
    TargetLocation both{nullptr, false, "it is returned in two registers"};
    Register *second = NodeFactory(s_, place).target_register(arch.second_return_register);
    both.pieces = {{8 * arch.word_size, result, false}, {8 * (size - arch.word_size), second, false}};
    return access_.at_location(both, type);
  }
  if (type->is_composite()) return {result, false, type, 0, 0, 0};
  if (!type->is_scalar())
    throw TargetError{"not-available",
                      fmt::format("semantic error: a '{}' is not returned in a general register", type->spelling),
                      place,
                      {},
                      {}};
  return {result, false, type, 0, 0, 0};
}

std::vector<TargetVariable> variables_of(const TargetContext &context) {
  std::vector<TargetVariable> all = context.site->module->variables(*context.site);
  all.erase(all.begin(), all.begin() + std::min<ptrdiff_t>(context.hidden_arguments, ptrdiff_t(all.size())));
  return all;
}

// The fields of the context's record that are not called as one of the arguments.
std::vector<ListedVariable> fields_besides(const TargetContext &context, const std::vector<std::string> &arguments) {
  std::vector<ListedVariable> fields = describe_fields(*context.record);
  std::erase_if(fields, [&](const ListedVariable &field) {
    return std::find(arguments.begin(), arguments.end(), field.name) != arguments.end();
  });
  return fields;
}

// The field of the probe's record of that name, unless an argument has it.
std::optional<RecordField> Lowerer::record_field(const std::string &name) {
  if (!c_.record) return std::nullopt;
  for (const TargetVariable &v : variables_of(c_))
    if (v.name == name) return std::nullopt;
  return find_field(access_, *c_.record, name);
}

TargetObject Lowerer::variable(const std::string &name, const Place &place) {
  const FunctionSite &site = *c_.site;
  if (name == "return") return return_value(place);
  for (const TargetVariable &v : variables_of(c_)) {
    if (v.name != name) continue;
    if (c_.at_return && !v.is_parameter)
      unavailable(name, "a local variable has no value when its function is entered", place);
    return located(*site.module, site, v, place);
  }
  if (!c_.arguments_only)
    if (const auto global = site.module->find_global(name, "", &site))
      return located(*site.module, site, *global, place);
  no_variable(name, place);
}

void Lowerer::no_variable(const std::string &name, const Place &place) {
  DebugModule &module = *c_.site->module;
  std::vector<std::string> names, globals;
  for (const TargetVariable &v : variables_of(c_))
    if (v.is_parameter || !c_.at_return) names.push_back(v.name);
  if (c_.at_return) names.push_back("return");
  if (c_.record)
    for (const ListedVariable &field : fields_besides(c_, names)) names.push_back(field.name);
  TargetError e{"no-such-variable",
                fmt::format("semantic error: there is no variable '${}' at {}", name, c_.point),
                place,
                {},
                {}};
  const std::string near = nearest_name(name, names);
  if (c_.at_return && near.empty()) e.notes.push_back(read_at_entry);
  else if (const std::string why = c_.arguments_only ? "" : module.why_undescribed(*c_.site); !why.empty())
    e.notes.push_back(why);
  if (near.empty() && !c_.arguments_only) globals = module.variable_names();
  if (std::string global = nearest_name(name, globals); global.size() > 3)
    e.hints.push_back(fmt::format("did you mean the global variable '${}'?", global));
  if (!near.empty()) e.hints.push_back(fmt::format("did you mean '${}'?", near));
  for (std::string &n : names) n.insert(0, "$");
  e.notes.push_back(names.empty() ? "no variables are described here" : "available here: " + join(names));
  throw e;
}

void Lowerer::append_variable(Format &format, const TargetVariable &variable) {
  if (!format.format.empty()) format.format += " ";
  format.format += variable.name + "=";
  try {
    const FunctionSite &site = *c_.site;
    TargetObject object = located(*site.module, site, variable, access_.place());
    if (object.type->is_composite()) {
      format.format += "{...}";
      return;
    }
    Expr *value = access_.value(object, access_.place());
    format.format += "%#x";
    format.args.push_back(value);
  } catch (TargetError &) {
    format.format += "?";
  }
}

// Makes the node for a name with two dollar signs: $$name, $$parms, $$locals, $$vars or $$return.
Expr *Lowerer::group(const std::string &name, const Place &place) {
  const FunctionSite &site = *c_.site;
  if (name == "$$name" || name == "$$function") return NodeFactory(s_, place).string(site.name);
  if (name == "$$locals" && !site.module->has_places())
    throw TargetError{"needs-dwarf",
                      "semantic error: $$locals needs debuginfo (DWARF)",
                      place,
                      debuginfo_hints(s_, c_.site->module->binary()),
                      {c_.site->module->why_undescribed(*c_.site)}};
  if (name == "$$return") return returned_text(place);
  bool parameters = name == "$$parms" || name == "$$vars", locals = name == "$$locals" || name == "$$vars";
  if (!parameters && !locals)
    throw TargetError{"no-such-variable",
                      fmt::format("semantic error: unknown variable group '{}'", name),
                      place,
                      {"$$vars, $$parms, $$locals, $$return and $$name exist"},
                      {}};
  Format *format = new_sprintf(access_);
  for (const TargetVariable &v : variables_of(c_)) {
    if (v.is_parameter ? !parameters : !locals || c_.at_return) continue;
    append_variable(*format, v);
  }
  return format;
}

// Makes the text of $$return, "return=VALUE".
Expr *Lowerer::returned_text(const Place &place) {
  if (!c_.at_return)
    throw TargetError{
        "no-such-variable", "semantic error: $$return is available in .return probes only", place, {}, {}};
  Format *format = new_sprintf(access_);
  if (!c_.site->module->return_type(*c_.site)) return format;
  format->format = "return=";
  TargetObject object = return_value(place);
  if (object.type->is_composite()) {
    format->format += "{...}";
  } else {
    format->format += "%#x";
    format->args.push_back(access_.value(object, place));
  }
  return format;
}

Expr *Lowerer::finish(TargetObject object, const std::vector<TargetComponent> &components, bool address_of,
                      const Place &place) {
  object = access_.follow(object, components);
  if (!components.empty() && components.back().is_pretty())
    return pretty_print(access_, object, components.back().kind == TargetComponent::Kind::PrettyDeep);
  const Place &last = components.empty() || !components.back().place ? place : components.back().place;
  return address_of ? access_.address(object, last) : access_.value(object, last);
}

Expr *Lowerer::lower(const Target &target) {
  const std::string &written = target.name;
  if (written.starts_with("$$")) return group(written, target.place);
  std::string name = written.starts_with("$") ? written.substr(1) : written;
  if (const std::optional<RecordField> field = record_field(name)) {
    if (field->text && target.components.empty() && !target.address_of) return field->text;
    return finish(field->object, target.components, target.address_of, target.place);
  }
  return finish(variable(name, target.place), target.components, target.address_of, target.place);
}

Expr *Lowerer::lower(const Cast &cast) {
  const TargetType *type;
  TargetObject object;
  if (!cast.type_name.empty()) {
    type = find_named_type(s_, c_, cast.type_name, cast.module, cast.place);
    object = {cast.operand, true, type, 0, 0, 0};
    // When the named type is a pointer type itself, the operand is a value of that type and not an address of one.
    if (type->kind == TypeKind::Pointer) object.is_address = false;
  } else {
    type = cast.operand->target_type;
    if (!type)
      throw TargetError{"no-target-type",
                        "semantic error: the type this value points to is not known",
                        cast.place,
                        {"say it with @cast(VALUE, \"TYPE\")"},
                        {}};
    object = {cast.operand, type->kind != TypeKind::Pointer, type, 0, 0, 0};
  }
  object.is_pointee = object.is_address && type->kind != TypeKind::Array;
  if (!cast.components.empty()) return finish(object, cast.components, cast.address_of, cast.place);
  // Without components the cast leaves the number as it is, and gives it a type.
  if (!cast.type_name.empty() && type->kind != TypeKind::Pointer && type->is_scalar() && !cast.address_of)
    return access_.value(object, cast.place);
  cast.operand->target_type = type;
  return cast.operand;
}

[[noreturn]] void no_global(DebugModule &module, const std::string &name, const std::string &file, const Place &place) {
  TargetError e{"no-such-variable",
                fmt::format("semantic error: no global variable '{}'{}", name,
                            file.empty() ? "" : fmt::format(" in a file matching '{}'", file)),
                place,
                {},
                {}};
  if (!file.empty() && module.find_global(name, "", nullptr))
    e.hints.push_back(fmt::format("there is one in another file: @var(\"{}\")", name));
  else if (std::string near = nearest_name(name, module.variable_names()); !near.empty())
    e.hints.push_back(fmt::format("did you mean '{}'?", near));
  throw e;
}

// @var("name@file.c"). Without a file, variables that the site can see come before those of other files.
Expr *Lowerer::lower(const AtVar &var) {
  size_t at = var.name.find('@');
  std::string name = var.name.substr(0, at), file = at == var.name.npos ? "" : var.name.substr(at + 1);
  if (is_in_scope(c_, var)) return finish(variable(name, var.place), var.components, var.address_of, var.place);
  DebugModule *module = find_module(s_, c_, var.module, var.place);
  FunctionSite nowhere;
  auto global = module->find_global(name, file, nullptr);
  if (!global)
    if (DebugModule *better = DebugInfoSet::of(s_).with_places(*module)) module = better;
  if (!global && !module->has_places())
    throw TargetError{"needs-dwarf",
                      "semantic error: @var needs debuginfo (DWARF), except for per-CPU variables",
                      var.place,
                      debuginfo_hints(s_),
                      {module->why_undescribed(nowhere)}};
  if (!global) global = module->find_global(name, file, nullptr);
  if (!global) no_global(*module, name, file, var.place);
  if (module->binary().load_rule() == LoadRule::FromLoadBias && (!c_.site || c_.site->module != module))
    throw TargetError{"not-available",
                      fmt::format("semantic error: the address of '{}' is known only in a process that has loaded '{}'",
                                  name, module->binary().path),
                      var.place,
                      {},
                      {}};
  DebugInfoSet::of(s_).require(s_, *module);
  return finish(located(*module, nowhere, *global, var.place), var.components, var.address_of, var.place);
}

}  // namespace

Expr *lower_variable(Session &s, const TargetContext &context, const Target &target) {
  return Lowerer(s, context, target.place).lower(target);
}

bool is_in_scope(const TargetContext &context, const AtVar &var) {
  return context.site && var.module.empty() && var.name.find('@') == var.name.npos;
}

Expr *lower_var(Session &s, const TargetContext &context, const AtVar &var) {
  return Lowerer(s, context, var.place).lower(var);
}

Expr *lower_cast(Session &s, const TargetContext &context, const Cast &cast) {
  return Lowerer(s, context, cast.place).lower(cast);
}

std::vector<ListedVariable> describe_variables(const TargetContext &context) {
  std::vector<ListedVariable> list;
  if (context.at_return)
    if (const TargetType *type = context.site->module->return_type(*context.site))
      list.push_back({"$return", type->spelling});
  std::vector<std::string> names;
  for (const TargetVariable &v : variables_of(context)) {
    if (!v.is_parameter && context.at_return) continue;
    list.push_back({"$" + v.name, v.type->spelling});
    names.push_back(v.name);
  }
  if (context.record)
    for (const ListedVariable &field : fields_besides(context, names)) list.push_back({"$" + field.name, field.type});
  return list;
}
