// SPDX-License-Identifier: GPL-2.0-or-later
// Target variables to fetches: names, the values saved for return probes, $$ variables, @cast, @var, @defined.
#include "target/target.h"

#include <algorithm>

#include "target/access.h"
#include "target/lookup.h"

void report(Session &s, const TargetError &e) {
  Diagnostic &d = s.diag.error(e.id, e.place, e.message);
  for (const std::string &note : e.notes) d.note(note);
  for (const std::string &hint : e.hints) d.hint(hint);
}

namespace {

const char *const only_parameters =
    "only BTF is there, which has functions' parameters and types; other variables need debuginfo (DWARF)";

std::string join(const std::vector<std::string> &words) {
  std::string all;
  for (const std::string &word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

// Two lowered fetches of the same thing?
bool same(const Expr *a, const Expr *b) {
  if (!a || !b || a->kind != b->kind) return a == b;
  if (auto *n = as<Number>(a)) return n->value == as<Number>(b)->value;
  if (auto *r = as<Register>(a)) return r->dwarf_number == as<Register>(b)->dwarf_number;
  if (auto *y = as<SymbolAddress>(a)) return y->symbol == as<SymbolAddress>(b)->symbol;
  if (auto *x = as<Binary>(a)) {
    auto *y = as<Binary>(b);
    return x->op == y->op && same(x->left, y->left) && same(x->right, y->right);
  }
  if (auto *x = as<Deref>(a)) {
    auto *y = as<Deref>(b);
    return x->size == y->size && x->is_signed == y->is_signed && x->bit_shift == y->bit_shift &&
           x->bit_width == y->bit_width && x->user == y->user && same(x->address, y->address);
  }
  return false;
}

class Lowerer {
 public:
  Lowerer(Session &s, DerivedProbe *probe, const Place &place) : s_(s), probe_(probe), access_(s, place) {
    if (probe) function_ = dynamic_cast<FunctionProbe *>(probe->data.get());
  }

  Expr *lower(Expr *e);
  Expr *lower_target(Target *target);
  Expr *lower_entry(Entry *entry);
  Expr *lower_cast(Cast *cast);
  Expr *lower_var(AtVar *var);

 private:
  TargetObject variable(const std::string &name, const Place &place);
  TargetObject return_value(const Place &place);
  TargetObject located(DebugModule &module, const FunctionSite &site, const TargetVariable &variable,
                       const Place &place);
  Expr *group(const std::string &name, const Place &place);
  void append_variable(Format &format, const TargetVariable &variable);
  Expr *finish(TargetObject object, const std::vector<TargetComponent> &components, bool address_of,
               const Place &place);
  Expr *saved(Expr *e);
  Expr *at_entry(Expr *e, const Place &place);

  Session &s_;
  DerivedProbe *probe_;
  FunctionProbe *function_ = nullptr;
  TargetAccess access_;
  bool in_entry_ = false;  // inside @entry, where values need not be saved one by one
};

[[noreturn]] void unavailable(const std::string &name, const std::string &reason, const Place &place) {
  bool gone = reason.find("optimised away") != reason.npos;
  throw TargetError{gone ? "optimized-out" : "not-available",
                    "semantic error: '$" + name + "' is not available at this address: " + reason,
                    place,
                    {"test it with @defined($" + name + ")"},
                    {}};
}

TargetObject Lowerer::located(DebugModule &module, const FunctionSite &site, const TargetVariable &variable,
                              const Place &place) {
  TargetLocation location = module.locate(s_, site, variable, place);
  if (!location.expr) unavailable(variable.name, location.reason, place);
  return {location.expr, location.is_address, variable.type, 0, 0, 0};
}

TargetObject Lowerer::return_value(const Place &place) {
  const TargetType *type = function_->site.module->return_type(function_->site);
  if (!function_->is_return || !type)
    throw TargetError{"no-such-variable",
                      "semantic error: $return " +
                          (function_->is_return ? "does not exist: '" + function_->site.name + "' returns nothing"
                                                : std::string("is available in .return probes only")),
                      place,
                      {},
                      {}};
  Register *rax = NodeFactory(s_, place).target_register(0);
  // System V AMD64: a structure above 16 bytes is in memory, its address in rax; a smaller one in rax and rdx.
  if (type->is_composite()) return {rax, type->object_size() > 16, type, 0, 0, 0};
  if (!type->is_scalar())
    throw TargetError{"not-available",
                      "semantic error: a '" + type->spelling + "' is not returned in a general register",
                      place,
                      {},
                      {}};
  return {rax, false, type, 0, 0, 0};
}

TargetObject Lowerer::variable(const std::string &name, const Place &place) {
  const FunctionSite &site = function_->site;
  if (name == "return") return return_value(place);
  std::vector<TargetVariable> all = site.module->variables(site);
  for (const TargetVariable &v : all) {
    if (v.name != name) continue;
    if (function_->is_return && !v.is_parameter)
      unavailable(name, "a local variable has no value when its function is entered", place);
    return located(*site.module, site, v, place);
  }
  TargetVariable global;
  if (site.module->find_global(name, "", &site, global)) return located(*site.module, site, global, place);
  std::vector<std::string> names;
  for (const TargetVariable &v : all)
    if (v.is_parameter || !function_->is_return) names.push_back(v.name);
  if (function_->is_return) names.push_back("return");
  TargetError e{
      "no-such-variable", "semantic error: there is no variable '$" + name + "' at " + probe_->point, place, {}, {}};
  if (!site.module->has_places()) e.notes.push_back(only_parameters);
  std::vector<std::string> globals;
  if (std::string near = nearest_name(name, names); near.empty()) globals = site.module->variable_names();
  if (std::string near = nearest_name(name, globals); !near.empty() && near.size() > 3)
    e.hints.push_back("did you mean the global variable '$" + near + "'?");
  if (std::string near = nearest_name(name, names); !near.empty()) e.hints.push_back("did you mean '$" + near + "'?");
  for (std::string &n : names) n.insert(0, "$");
  e.notes.push_back(names.empty() ? "no variables are described here" : "available here: " + join(names));
  throw e;
}

// Keeps a value of the entry for the return handler; the same value is kept once.
Expr *Lowerer::saved(Expr *e) {
  if (as<SavedValue>(e) || as<Number>(e) || as<SymbolAddress>(e)) return e;
  auto it = std::find_if(probe_->saved.begin(), probe_->saved.end(), [&](Expr *known) { return same(known, e); });
  SavedValue *value =
      NodeFactory(s_, e->place)
          .saved_value(uint32_t(it - probe_->saved.begin()), e->type == Type::String ? Type::String : Type::Long);
  value->target_type = e->target_type;
  if (it == probe_->saved.end()) probe_->saved.push_back(e);
  return value;
}

// In a return probe: the expression with its value at the function's entry.
Expr *Lowerer::at_entry(Expr *e, const Place &place) {
  if (Format *format = as<Format>(e)) {
    for (Expr *&argument : format->args) argument = at_entry(argument, place);
    return format;
  }
  if (DerefString *string = as<DerefString>(e)) {  // the text itself is read at return
    string->address = saved(string->address);
    return string;
  }
  if (e->type == Type::String)
    throw TargetError{"bad-target", "semantic error: only numbers can be saved at the function's entry", place, {}, {}};
  return saved(e);
}

void Lowerer::append_variable(Format &format, const TargetVariable &variable) {
  if (!format.format.empty()) format.format += " ";
  format.format += variable.name + "=";
  try {
    const FunctionSite &site = function_->site;
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

// $$name $$parms $$locals $$vars $$return
Expr *Lowerer::group(const std::string &name, const Place &place) {
  const FunctionSite &site = function_->site;
  if (name == "$$name" || name == "$$function") return NodeFactory(s_, place).string(site.name);
  if (name == "$$locals" && !site.module->has_places())
    throw TargetError{"needs-dwarf",
                      "semantic error: $$locals needs debuginfo (DWARF)",
                      place,
                      debuginfo_hints(s_),
                      {only_parameters}};
  Format *format = new_sprintf(access_);
  if (name == "$$return") {
    if (!function_->is_return)
      throw TargetError{
          "no-such-variable", "semantic error: $$return is available in .return probes only", place, {}, {}};
    if (!site.module->return_type(site)) return format;
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
  bool parameters = name == "$$parms" || name == "$$vars", locals = name == "$$locals" || name == "$$vars";
  if (!parameters && !locals)
    throw TargetError{"no-such-variable",
                      "semantic error: unknown variable group '" + name + "'",
                      place,
                      {"$$vars, $$parms, $$locals, $$return and $$name exist"},
                      {}};
  for (const TargetVariable &v : site.module->variables(site)) {
    if (v.is_parameter ? !parameters : !locals || function_->is_return) continue;
    append_variable(*format, v);
  }
  return function_->is_return && !in_entry_ ? at_entry(format, place) : format;
}

Expr *Lowerer::finish(TargetObject object, const std::vector<TargetComponent> &components, bool address_of,
                      const Place &place) {
  const TargetComponent *pretty;
  object = access_.follow(object, components, pretty);
  if (pretty) return pretty_print(access_, object, pretty->kind == TargetComponent::Kind::PrettyDeep);
  const Place &last = components.empty() || !components.back().place ? place : components.back().place;
  return address_of ? access_.address(object, last) : access_.value(object, last);
}

Expr *Lowerer::lower_target(Target *target) {
  if (!function_)
    throw TargetError{"no-such-variable", "semantic error: there are no target variables here", target->place, {}, {}};
  const std::string &written = target->name;
  if (written.starts_with("$$")) return group(written, target->place);
  std::string name = written.starts_with("$") ? written.substr(1) : written;
  Expr *result = finish(variable(name, target->place), target->components, target->address_of, target->place);
  return function_->is_return && name != "return" && !in_entry_ ? at_entry(result, target->place) : result;
}

Expr *Lowerer::lower_entry(Entry *entry) {
  if (!function_ || !function_->is_return)
    throw TargetError{"entry-outside-return", "semantic error: @entry is for .return probes", entry->place, {}, {}};
  Expr *operand = entry->operand;
  in_entry_ = true;
  for_each_expr(operand, [&](Expr *&e) {
    if (Target *t = as<Target>(e); t && (t->name == "$return" || t->name == "$$return"))
      throw TargetError{
          "bad-target", "semantic error: the value returned is not known at the function's entry", t->place, {}, {}};
    if (Expr *lowered = lower(e)) e = lowered;
    // One that was saved on its own before is computed afresh as a part of the whole.
    if (SavedValue *value = as<SavedValue>(e); value && value->index < probe_->saved.size())
      e = clone(s_, probe_->saved[value->index]);
  });
  in_entry_ = false;
  return at_entry(operand, entry->place);
}

Expr *Lowerer::lower_cast(Cast *cast) {
  const TargetType *type;
  TargetObject object;
  if (!cast->type_name.empty()) {
    type = find_named_type(s_, function_, cast->type_name, cast->module, cast->place);
    object = {cast->operand, true, type, 0, 0, 0};
    // A name that is itself a pointer type: the operand is its value.
    if (type->kind == TypeKind::Pointer) object.is_address = false;
  } else {
    type = cast->operand->target_type;
    if (!type)
      throw TargetError{"no-target-type",
                        "semantic error: the type this value points to is not known",
                        cast->place,
                        {"say it with @cast(VALUE, \"TYPE\")"},
                        {}};
    object = {cast->operand, type->kind != TypeKind::Pointer, type, 0, 0, 0};
  }
  object.is_pointee = object.is_address && type->kind != TypeKind::Array;
  if (!cast->components.empty()) return finish(object, cast->components, cast->address_of, cast->place);
  // Without a member the cast is the number itself, which now has a type.
  if (!cast->type_name.empty() && type->kind != TypeKind::Pointer && type->is_scalar() && !cast->address_of)
    return access_.value(object, cast->place);
  cast->operand->target_type = type;
  return cast->operand;
}

[[noreturn]] void no_global(DebugModule &module, const std::string &name, const std::string &file, const Place &place) {
  TargetError e{
      "no-such-variable",
      "semantic error: no global variable '" + name + "'" + (file.empty() ? "" : " in a file matching '" + file + "'"),
      place,
      {},
      {}};
  TargetVariable elsewhere;
  if (!file.empty() && module.find_global(name, "", nullptr, elsewhere))
    e.hints.push_back("there is one in another file: @var(\"" + name + "\")");
  else if (std::string near = nearest_name(name, module.variable_names()); !near.empty())
    e.hints.push_back("did you mean '" + near + "'?");
  throw e;
}

// "name@file.c"; without a file, a variable of the probe's own scope is meant first.
Expr *Lowerer::lower_var(AtVar *var) {
  size_t at = var->name.find('@');
  std::string name = var->name.substr(0, at), file = at == var->name.npos ? "" : var->name.substr(at + 1);
  TargetObject object;
  bool in_scope = file.empty() && var->module.empty() && function_;
  if (in_scope) {
    object = variable(name, var->place);
  } else {
    DebugModule *module = find_module(s_, function_, var->module, var->place);
    TargetVariable global;
    FunctionSite nowhere;
    if (DebugModule *better = DebugInfoSet::of(s_).with_places(*module)) module = better;
    if (!module->has_places())
      throw TargetError{"needs-dwarf",
                        "semantic error: @var needs debuginfo (DWARF)",
                        var->place,
                        debuginfo_hints(s_),
                        {only_parameters}};
    if (!module->find_global(name, file, nullptr, global)) no_global(*module, name, file, var->place);
    DebugInfoSet::of(s_).require(s_, *module);
    object = located(*module, nowhere, global, var->place);
  }
  Expr *result = finish(object, var->components, var->address_of, var->place);
  return in_scope && function_->is_return && name != "return" ? at_entry(result, var->place) : result;
}

// Null for a node that is no target access.
Expr *Lowerer::lower(Expr *e) {
  if (Target *t = as<Target>(e)) return lower_target(t);
  if (AtVar *v = as<AtVar>(e)) return lower_var(v);
  if (Cast *c = as<Cast>(e)) return lower_cast(c);
  if (Entry *n = as<Entry>(e)) return lower_entry(n);
  if (Defined *d = as<Defined>(e)) return lower_defined(s_, probe_, d);
  return nullptr;
}

Expr *lower_or_report(Session &s, DerivedProbe *probe, Expr *e) {
  try {
    return Lowerer(s, probe, e->place).lower(e);
  } catch (TargetError &error) {
    report(s, error);
    return nullptr;
  }
}

}  // namespace

Expr *lower_function_target(Session &s, DerivedProbe &probe, Expr *target) {
  return lower_or_report(s, &probe, target);
}

Expr *lower_cast(Session &s, DerivedProbe *probe, Cast *cast) { return lower_or_report(s, probe, cast); }
Expr *lower_var(Session &s, DerivedProbe *probe, AtVar *var) { return lower_or_report(s, probe, var); }

Expr *lower_defined(Session &s, DerivedProbe *probe, Defined *defined) {
  Number *answer = NodeFactory(s, defined->place).number(0);
  // What the trial adds to the probe is dropped again.
  std::vector<Expr *> saved = probe ? probe->saved : std::vector<Expr *>();
  std::vector<Program::SymbolRef> symbols = s.program.symbols;
  try {
    Expr *operand = clone(s, defined->operand);
    for_each_expr(operand, [&](Expr *&e) {
      if (Expr *lowered = Lowerer(s, probe, e->place).lower(e)) e = lowered;
    });
    answer->value = 1;
  } catch (TargetError &) {
    answer->value = 0;
  }
  if (probe) probe->saved = saved;
  s.program.symbols = symbols;
  return answer;
}

std::vector<std::string> describe_variables(const FunctionSite &site, bool is_return) {
  std::vector<std::string> list;
  if (is_return)
    if (const TargetType *type = site.module->return_type(site)) list.push_back("$return:" + type->spelling);
  for (const TargetVariable &v : site.module->variables(site))
    if (v.is_parameter || !is_return) list.push_back("$" + v.name + ":" + v.type->spelling);
  return list;
}
