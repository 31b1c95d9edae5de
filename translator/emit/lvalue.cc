// SPDX-License-Identifier: GPL-2.0-or-later
// Variables and array elements to C: reading, assigning, stepping, aggregating.
#include <fmt/core.h>

#include "emit/emit.h"
#include "sema/elaborate.h"

static bool is_global(const VarDecl *d) { return d->kind == VarDecl::Kind::Global; }

bool parameter_is_assigned(const FunctionDecl *f, const VarDecl *parameter) {
  bool assigned = false;
  auto is_it = [&](const Expr *target) {
    auto *symbol = as<Symbol>(target);
    return symbol && symbol->decl == parameter;
  };
  if (!f->body) return false;
  for_each_expr(static_cast<Stmt *>(f->body), [&](Expr *&e) {
    if (auto *a = as<Assign>(e)) assigned = assigned || is_it(a->target);
    if (auto *p = as<PreStep>(e)) assigned = assigned || is_it(p->target);
    if (auto *p = as<PostStep>(e)) assigned = assigned || is_it(p->target);
  });
  for_each_stmt(f->body, [&](Stmt *st) {
    if (auto *loop = as<Foreach>(st)) {
      for (Symbol *key : loop->keys) assigned = assigned || key->decl == parameter;
      assigned = assigned || (loop->value && loop->value->decl == parameter);
    }
    if (auto *t = as<Try>(st)) assigned = assigned || (t->message && t->message->decl == parameter);
    if (auto *d = as<Delete>(st)) assigned = assigned || is_it(d->target);
  });
  return assigned;
}

Value FunctionEmitter::read_variable(const VarDecl *decl) {
  const std::string &name = decl->unique_name;
  if (decl->type != Type::String) return Value::expression(name);
  if (is_global(decl)) return own_string(fmt::format("stap_global_str_get(c, &{})", name));
  if (decl->kind == VarDecl::Kind::Parameter && !parameter_is_assigned(function_, decl)) return Value::expression(name);
  return Value::expression(fmt::format("stap_strvar_get(&{})", name));
}

void FunctionEmitter::store_variable(const VarDecl *decl, const Value &value) {
  const std::string &name = decl->unique_name;
  if (decl->type != Type::String) {
    code.line("{} = {};", name, value.text);
  } else if (is_global(decl)) {
    code.line("stap_global_str_set(c, &{}, {});", name, value.text);
  } else {
    code.line("stap_strvar_set(c, &{}, {});", name, value.text);
    check();
  }
}

// --- array elements ---------------------------------------------------------

std::vector<Value> FunctionEmitter::keys(const Index *e, const Expr *later) {
  std::vector<const Expr *> list(e->keys.begin(), e->keys.end());
  auto values = operands(list);
  for (size_t i = 0; i < values.size(); i++) values[i] = settle(list[i], values[i], later);
  return values;
}

static std::string key_arguments(const std::vector<Value> &keys) {
  std::string text;
  for (const Value &key : keys) text += (text.empty() ? "" : ", ") + key.text;
  return text;
}

std::string FunctionEmitter::find_element(const Index *e) {
  return fmt::format("{}_find({})", e->base->decl->unique_name, key_arguments(keys(e, nullptr)));
}

std::string inline_string(const std::string &field) {
  return fmt::format("stap_inline_str(&{0}.len, {0}.data)", field);
}

std::string set_inline_string(const std::string &field, const std::string &value) {
  return fmt::format("stap_inline_str_set(&{0}.len, {0}.data, sizeof({0}.data), {1});", field, value);
}

std::string FunctionEmitter::obtain_element(const Index *e, const std::vector<Value> &keys) {
  const std::string &array = e->base->decl->unique_name;
  std::string entry = fresh("e");
  set_place(e->place, identifier_word(e->base->decl->name));
  code.line("struct {0}_entry *{1} = {0}_obtain(c, {2});", array, entry, key_arguments(keys));
  code.line("if (STAP_UNLIKELY(!{}))", entry);
  code.line("\tgoto {};", fail_labels.back());
  return entry;
}

Value FunctionEmitter::read_element(const Index *e) {
  const std::string &array = e->base->decl->unique_name;
  std::string entry = fresh("e");
  std::string found = find_element(e);
  code.line("struct {}_entry *{} = {};", array, entry, found);
  if (e->type == Type::String)
    return own_string(
        fmt::format("{} ? stap_str_copy(c, {}) : {}", entry, inline_string(entry + "->value"), c_slice("")));
  return long_temp(fmt::format("{0} ? {0}->value : 0", entry));
}

// --- aggregates ---------------------------------------------------------------

std::string FunctionEmitter::stat_pointer(const Expr *e) {
  if (auto *symbol = as<Symbol>(e)) return fmt::format("&{}.stat", symbol->decl->unique_name);
  auto *index = static_cast<const Index *>(e);
  return element_stat(index, keys(index, nullptr));
}

std::string FunctionEmitter::element_stat(const Index *index, const std::vector<Value> &keys) {
  const std::string &array = index->base->decl->unique_name;
  std::string entry = fresh("e");
  code.line("struct {0}_entry *{1} = {0}_find({2});", array, entry, key_arguments(keys));
  std::string stat = fresh("s");
  code.line("const struct stap_stat *{0} = {1} ? &{1}->value.stat : STAP_NULL;", stat, entry);
  return stat;
}

void FunctionEmitter::add_to_stat(const VarDecl *decl, const std::string &stat, const Value &value) {
  code.line("{}({}, {});", decl->needs_variance ? "stap_stat_add_variance" : "stap_stat_add", stat, value.text);
  if (decl->histogram)
    code.line("stap_stat_add_histogram({}, &{}_histogram, {});", stat, decl->unique_name, value.text);
}

// --- assignment ---------------------------------------------------------------

// What an assignment stores: `old_value OP value`, or the value alone.
Value FunctionEmitter::combine(const Assign *e, const Value &old_value, const Value &value) {
  if (e->assign == AssignKind::Plain) return value;
  if (e->assign == AssignKind::Concat) {
    set_place(e->place, operator_word(".="));
    Value t = string_temp(fmt::format("stap_concat(c, {}, {})", old_value.text, value.text));
    check();
    return t;
  }
  if (!divides(e->op)) return operate(e->op, old_value, value);
  set_place(e->op_place ? e->op_place : e->place, operator_word(fmt::format("{}=", spelling(e->op))));
  Value t = operate(e->op, old_value, value);
  check();
  return t;
}

// A write to the target's memory in guru mode: $p->member = value. The address is computed once, for reading the old
// value and for writing the new one.
Value FunctionEmitter::write_memory(const Deref *target, const Update &update) {
  const Value address = long_temp(expr(target->address).text);
  auto load = [&](bool is_signed) {
    set_place(target->place, operator_word("->"));
    Value t = long_temp(memory_read(target, address, is_signed));
    check();
    return t;
  };
  Value loaded, old_value;
  if (update.reads_old) {
    loaded = load(target->is_signed && !target->bit_width);
    old_value = long_temp(target->bit_width ? bits_of(target, loaded) : loaded.text);
  }
  const Value value = long_temp(update.new_value(old_value).text);
  std::string stored = value.text;
  if (target->bit_width) {
    if (!update.reads_old) loaded = load(false);
    stored =
        fmt::format("stap_bits_set({}, {}, {}, {})", loaded.text, target->bit_shift, target->bit_width, value.text);
  }
  set_place(target->place, operator_word("->"));
  code.line("{}(c, (u64){}, {}, {});", target->user ? "stap_uwrite" : "stap_kwrite", address.text, target->size,
            stored);
  check();
  return value;
}

// A write in guru mode to a variable that is in a register. `target` is the expression that reads it, `place` the
// register.
Value FunctionEmitter::write_register(const Expr *target, const Register *place, const Update &update) {
  const Value old_value = update.reads_old ? long_temp(expr(target).text) : Value();
  const Value value = long_temp(update.new_value(old_value).text);
  set_place(target->place, operator_word("="));
  code.line("stap_reg_set(c, {}, {});", place->dwarf_number, value.text);
  check();
  return value;
}

// What the handler tells the probe's mechanism.
Value FunctionEmitter::write_result(const EventValue *target, const Update &update) {
  const Value old_value = update.reads_old ? long_temp(expr(target).text) : Value();
  const Value value = long_temp(update.new_value(old_value).text);
  set_place(target->place, operator_word("="));
  code.line("stap_event_result_set(c, {});", value.text);
  check();
  return value;
}

// The text may be longer than a string: what is appended goes behind it where it is.
Value FunctionEmitter::write_text(const EventValue *target, const Assign *e, bool want_value) {
  const Value value = expr(e->value);
  code.line("stap_event_text_{}(c, {});", e->assign == AssignKind::Concat ? "append" : "set", value.text);
  return want_value ? expr(target) : value;
}

Value FunctionEmitter::assign(const Assign *e, bool want_value) {
  const bool is_plain = e->assign == AssignKind::Plain;
  const Register *place = register_of(e->target);
  auto *event = as<EventValue>(e->target);
  if (event && event->part == EventPart::Text) return write_text(event, e, want_value);
  if (auto *memory = as<Deref>(e->target); memory || place || event) {
    const Value value = long_temp(expr(e->value).text);
    const Update update{!is_plain, [&](const Value &old_value) { return combine(e, old_value, value); }};
    if (event) return write_result(event, update);
    return memory ? write_memory(memory, update) : write_register(e->target, place, update);
  }
  if (auto *symbol = as<Symbol>(e->target)) {
    const VarDecl *decl = symbol->decl;
    Value value = expr(e->value);
    if (e->assign == AssignKind::Aggregate) {
      // Computed once, before: it may read the aggregate, which changes with each step of the adding.
      if (!as<Number>(e->value)) value = long_temp(value.text);
      add_to_stat(decl, stat_pointer(symbol), value);
      return value;
    }
    // The old value is read after the right side was evaluated: `x += x++` adds to what x is then.
    value = combine(e, is_plain ? Value() : read_variable(decl), value);
    const bool is_literal = is_plain && as<Number>(e->value);
    if (want_value && decl->type == Type::Long && !is_literal) value = long_temp(value.text);
    store_variable(decl, value);
    // The value may be a slice of what the variable held before, and storing it has moved those bytes. What the
    // expression yields is read anew.
    return decl->type == Type::String && !is_global(decl) ? read_variable(decl) : value;
  }
  auto *index = static_cast<const Index *>(e->target);
  const VarDecl *decl = index->base->decl;
  auto key_values = keys(index, e->value);
  Value value = expr(e->value);
  // Computed before the element is made: in `a[k] = k in a` it is not there yet.
  if (decl->type != Type::String && !as<Number>(e->value)) value = long_temp(value.text);
  std::string entry = obtain_element(index, key_values);
  if (e->assign == AssignKind::Aggregate) {
    add_to_stat(decl, fmt::format("&{}->value.stat", entry), value);
    return value;
  }
  if (decl->type == Type::String) {
    value = combine(e, Value::expression(inline_string(entry + "->value")), value);
    // Where nothing was appended it is a slice of this element, which an array that wraps may give to other keys before
    // the value is used.
    if (want_value && e->assign == AssignKind::Concat) value = copied(value);
    code.line(set_inline_string(entry + "->value", value.text));
    return value;
  }
  value = combine(e, Value::expression(entry + "->value"), value);
  if (want_value) value = long_temp(value.text);
  code.line("{}->value = {};", entry, value.text);
  return value;
}

Value FunctionEmitter::step(const Expr *target, bool decrement, bool post, bool want_value) {
  const char *function = decrement ? "stap_sub" : "stap_add";
  const Register *in_register = register_of(target);
  auto *event = as<EventValue>(target);
  if (auto *memory = as<Deref>(target); memory || in_register || event) {
    Value before;
    const Update update{true, [&](const Value &old_value) {
                          before = old_value;
                          return Value::expression(fmt::format("{}({}, 1)", function, old_value.text));
                        }};
    Value after = memory  ? write_memory(memory, update)
                  : event ? write_result(event, update)
                          : write_register(target, in_register, update);
    return post ? before : after;
  }
  std::string place;
  if (auto *symbol = as<Symbol>(target)) {
    place = symbol->decl->unique_name;
  } else {
    auto *index = static_cast<const Index *>(target);
    place = fmt::format("{}->value", obtain_element(index, keys(index, nullptr)));
  }
  const Value old_value = post && want_value ? long_temp(place) : Value();
  code.line("{0} = {1}({0}, 1);", place, function);
  if (!want_value) return Value::constant("0");
  return post ? old_value : long_temp(place);
}
