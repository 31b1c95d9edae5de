// SPDX-License-Identifier: GPL-2.0-or-later
// Variables and array elements to C: reading, assigning, stepping, aggregating.
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

std::string FunctionEmitter::read_variable(const VarDecl *decl) {
  const std::string &name = decl->unique_name;
  if (decl->type != Type::String) return name;
  if (is_global(decl)) return string_temp("stap_global_str_get(c, &" + name + ")");
  if (decl->kind == VarDecl::Kind::Parameter && !parameter_is_assigned(function_, decl)) return name;
  return "stap_strvar_get(&" + name + ")";
}

void FunctionEmitter::store_variable(const VarDecl *decl, const std::string &value) {
  const std::string &name = decl->unique_name;
  if (decl->type != Type::String) {
    code.line(name + " = " + value + ";");
  } else if (is_global(decl)) {
    code.line("stap_global_str_set(c, &" + name + ", " + value + ");");
  } else {
    code.line("stap_strvar_set(c, &" + name + ", " + value + ");");
    check();
  }
}

// --- array elements ---------------------------------------------------------

std::vector<std::string> FunctionEmitter::keys(const Index *e, const Expr *later) {
  std::vector<const Expr *> list(e->keys.begin(), e->keys.end());
  auto values = operands(list);
  for (size_t i = 0; i < values.size(); i++) values[i] = settle(list[i], values[i], later);
  return values;
}

static std::string key_arguments(const std::vector<std::string> &keys) {
  std::string text;
  for (const std::string &key : keys) text += ", " + key;
  return text;
}

std::string FunctionEmitter::find_element(const Index *e) {
  const std::string &array = e->base->decl->unique_name;
  std::string arguments = key_arguments(keys(e, nullptr));
  return array + "_find(" + arguments.substr(2) + ")";
}

std::string FunctionEmitter::obtain_element(const Index *e, const std::vector<std::string> &keys) {
  const std::string &array = e->base->decl->unique_name;
  std::string entry = fresh("e");
  set_place(e->place, "identifier '" + e->base->decl->name + "'");
  code.line("struct " + array + "_entry *" + entry + " = " + array + "_obtain(c" + key_arguments(keys) + ");");
  code.line("if (STAP_UNLIKELY(!" + entry + "))");
  code.depth++;
  code.line("goto " + fail_labels.back() + ";");
  code.depth--;
  return entry;
}

static std::string entry_string(const std::string &entry) {
  return "stap_inline_str(&" + entry + "->value.len, " + entry + "->value.data)";
}

static std::string set_entry_string(const std::string &entry, const std::string &value) {
  return "stap_inline_str_set(&" + entry + "->value.len, " + entry + "->value.data, sizeof(" + entry +
         "->value.data), " + value + ");";
}

std::string FunctionEmitter::read_element(const Index *e) {
  const std::string &array = e->base->decl->unique_name;
  std::string entry = fresh("e");
  std::string found = find_element(e);
  code.line("struct " + array + "_entry *" + entry + " = " + found + ";");
  if (e->type == Type::String)
    return string_temp(entry + " ? stap_str_copy(c, " + entry_string(entry) + ") : " + c_slice(""));
  return temp(Type::Long, entry + " ? " + entry + "->value : 0");
}

// --- aggregates ---------------------------------------------------------------

std::string FunctionEmitter::stat_pointer(const Expr *e) {
  if (auto *symbol = as<Symbol>(e)) return "&" + symbol->decl->unique_name + ".stat";
  auto *index = static_cast<const Index *>(e);
  return element_stat(index, keys(index, nullptr));
}

std::string FunctionEmitter::element_stat(const Index *index, const std::vector<std::string> &keys) {
  const std::string &array = index->base->decl->unique_name;
  std::string entry = fresh("e");
  code.line("struct " + array + "_entry *" + entry + " = " + array + "_find(" + key_arguments(keys).substr(2) + ");");
  std::string stat = fresh("s");
  code.line("const struct stap_stat *" + stat + " = " + entry + " ? &" + entry + "->value.stat : STAP_NULL;");
  return stat;
}

void FunctionEmitter::add_to_stat(const VarDecl *decl, const std::string &stat, const std::string &value) {
  if (decl->needs_variance) code.line("stap_stat_add_variance(" + stat + ", " + value + ");");
  else code.line("stap_stat_add(" + stat + ", " + value + ");");
  if (decl->histogram)
    code.line("stap_stat_add_histogram(" + stat + ", &" + decl->unique_name + "_histogram, " + value + ");");
}

// --- assignment ---------------------------------------------------------------

// old_value OP value, for an assignment operator.
std::string FunctionEmitter::combine(const Assign *e, const std::string &old_value, const std::string &value) {
  if (e->assign == AssignKind::Plain) return value;
  if (e->assign == AssignKind::Concat) {
    set_place(e->place, "operator '.='");
    std::string t = string_temp("stap_concat(c, " + old_value + ", " + value + ")");
    check();
    return t;
  }
  const std::string a = c_atom(old_value), b = c_atom(value);
  switch (e->op) {
    case BinaryOp::Add: return "stap_add(" + old_value + ", " + value + ")";
    case BinaryOp::Sub: return "stap_sub(" + old_value + ", " + value + ")";
    case BinaryOp::Mul: return "stap_mul(" + old_value + ", " + value + ")";
    case BinaryOp::Shl: return "stap_shl(" + old_value + ", " + value + ")";
    case BinaryOp::Shr: return "stap_shr(" + old_value + ", " + value + ")";
    case BinaryOp::ShrLogical: return "(stap_long)((u64)" + a + " >> (" + b + " & 63))";
    case BinaryOp::And: return a + " & " + b;
    case BinaryOp::Or: return a + " | " + b;
    case BinaryOp::Xor: return a + " ^ " + b;
    case BinaryOp::Div:
    case BinaryOp::Mod: break;
  }
  set_place(e->op_place ? e->op_place : e->place, std::string("operator '") + spelling(e->op) + "='");
  std::string t = temp(Type::Long, std::string(e->op == BinaryOp::Div ? "stap_div" : "stap_mod") + "(c, " + old_value +
                                       ", " + value + ")");
  check();
  return t;
}

// A guru write: $p->member = value. The address is computed once.
std::string FunctionEmitter::write_memory(const Deref *target,
                                          const std::function<std::string(const std::string &)> &combine) {
  const std::string space = target->user ? "u" : "k", size = std::to_string(target->size);
  std::string address = temp(Type::Long, expr(target->address));
  auto load = [&](bool is_signed) {
    set_place(target->place, "operator '->'");
    std::string t = temp(
        Type::Long, "stap_" + space + "read(c, (u64)" + address + ", " + size + ", " + (is_signed ? "1" : "0") + ")");
    check();
    return t;
  };
  std::string loaded;
  std::string value = combine("");
  if (value.empty()) {  // it wants the old value
    loaded = load(target->is_signed && !target->bit_width);
    std::string old_value = loaded;
    if (target->bit_width)
      old_value = "stap_bits(" + loaded + ", " + std::to_string(target->bit_shift) + ", " +
                  std::to_string(target->bit_width) + ", " + (target->is_signed ? "1" : "0") + ")";
    value = combine(temp(Type::Long, old_value));
  }
  value = temp(Type::Long, value);
  std::string stored = value;
  if (target->bit_width) {
    if (loaded.empty()) loaded = load(false);
    stored = "stap_bits_set(" + loaded + ", " + std::to_string(target->bit_shift) + ", " +
             std::to_string(target->bit_width) + ", " + value + ")";
  }
  set_place(target->place, "operator '->'");
  code.line("stap_" + space + "write(c, (u64)" + address + ", " + size + ", " + stored + ");");
  check();
  return value;
}

// A guru write of a variable that is held in a register. `target` reads it, `place` is the register.
std::string FunctionEmitter::write_register(const Expr *target, const Register *place,
                                            const std::function<std::string(const std::string &)> &combine) {
  std::string value = combine("");
  if (value.empty()) value = combine(temp(Type::Long, expr(target)));  // it wants the old value
  value = temp(Type::Long, value);
  set_place(target->place, "operator '='");
  code.line("stap_reg_set(c, " + std::to_string(place->dwarf_number) + ", " + value + ");");
  check();
  return value;
}

std::string FunctionEmitter::assign(const Assign *e, bool want_value) {
  const Register *place = register_of(e->target);
  if (auto *memory = as<Deref>(e->target); memory || place) {
    std::string value = temp(Type::Long, expr(e->value));
    auto combined = [&](const std::string &old_value) {
      if (e->assign != AssignKind::Plain && old_value.empty()) return std::string();
      return combine(e, old_value, value);
    };
    return memory ? write_memory(memory, combined) : write_register(e->target, place, combined);
  }
  if (auto *symbol = as<Symbol>(e->target)) {
    const VarDecl *decl = symbol->decl;
    std::string value = expr(e->value);
    if (e->assign == AssignKind::Aggregate) {
      // Once: what it reads of the aggregate changes with each step of the adding.
      if (!as<Number>(e->value)) value = temp(Type::Long, value);
      add_to_stat(decl, "&" + decl->unique_name + ".stat", value);
      return value;
    }
    // The old value is read after the right side: `x += x++` adds to what x is then.
    std::string old_value = e->assign == AssignKind::Plain ? "" : read_variable(decl);
    value = combine(e, old_value, value);
    const bool is_literal = e->assign == AssignKind::Plain && as<Number>(e->value);
    if (want_value && decl->type == Type::Long && !is_literal) value = temp(Type::Long, value);
    store_variable(decl, value);
    // The value may be a part of what the variable held: storing it has moved it.
    return decl->type == Type::String && !is_global(decl) ? read_variable(decl) : value;
  }
  auto *index = static_cast<const Index *>(e->target);
  const VarDecl *decl = index->base->decl;
  auto key_values = keys(index, e->value);
  std::string value = settle(e->value, expr(e->value), nullptr);
  // Before the element is there: `a[k] = k in a` asks first.
  if (decl->type != Type::String && !as<Number>(e->value)) value = temp(Type::Long, value);
  std::string entry = obtain_element(index, key_values);
  if (e->assign == AssignKind::Aggregate) {
    add_to_stat(decl, "&" + entry + "->value.stat", value);
    return value;
  }
  if (decl->type == Type::String) {
    value = combine(e, entry_string(entry), value);
    // Where nothing was added it is a slice of the element, which an array that wraps may take for another one.
    if (want_value && e->assign == AssignKind::Concat) value = string_temp("stap_str_copy(c, " + value + ")");
    code.line(set_entry_string(entry, value));
    return value;
  }
  value = combine(e, entry + "->value", value);
  if (want_value) value = temp(Type::Long, value);
  code.line(entry + "->value = " + value + ";");
  return value;
}

std::string FunctionEmitter::step(const Expr *target, bool decrement, bool post, bool want_value) {
  std::string place;
  const Register *in_register = register_of(target);
  if (auto *memory = as<Deref>(target); memory || in_register) {
    std::string before;
    auto next = [&](const std::string &old_value) {
      before = old_value;
      return old_value.empty() ? "" : std::string(decrement ? "stap_sub(" : "stap_add(") + old_value + ", 1)";
    };
    std::string after = memory ? write_memory(memory, next) : write_register(target, in_register, next);
    return post ? before : after;
  }
  if (auto *symbol = as<Symbol>(target)) {
    place = symbol->decl->unique_name;
  } else {
    auto *index = static_cast<const Index *>(target);
    place = obtain_element(index, keys(index, nullptr)) + "->value";
  }
  std::string old_value = post && want_value ? temp(Type::Long, place) : "";
  code.line(place + " = " + (decrement ? "stap_sub(" : "stap_add(") + place + ", 1);");
  if (!want_value) return "0";
  return post ? old_value : temp(Type::Long, place);
}
