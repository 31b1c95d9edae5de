// SPDX-License-Identifier: GPL-2.0-or-later
// Expressions to C: operators, calls, the readers of aggregates, and fetches of target variables.
#include <algorithm>
#include <fmt/core.h>

#include "abi/record.h"
#include "arch/arch.h"
#include "debuginfo/binary.h"
#include "emit/emit.h"
#include "sema/elaborate.h"
#include "sema/match.h"

const char *c_type(Type t) {
  switch (t) {
    case Type::String: return "struct stap_str";
    case Type::Void: return "void";
    case Type::Long:
    case Type::Stats:
    case Type::Unknown: break;
  }
  return "stap_long";
}

bool may_change_state(const Expr *e) {
  if (!e) return false;
  switch (e->kind) {
    case ExprKind::Assign:
    case ExprKind::PreStep:
    case ExprKind::PostStep:
    case ExprKind::RegexMatch:  // matched() asks for what it matched
    case ExprKind::EmbeddedExpr: return true;
    case ExprKind::Call:
      for (const FunctionDecl *f : static_cast<const Call *>(e)->callees)
        if (!f->is_embedded || !f->pragmas.pure) return true;
      break;
    case ExprKind::Format:
      if (!static_cast<const Format *>(e)->to_string) return true;
      break;
    case ExprKind::Number:
    case ExprKind::String:
    case ExprKind::Symbol:
    case ExprKind::Index:
    case ExprKind::HistogramIndex:
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::Compare:
    case ExprKind::Logical:
    case ExprKind::Concat:
    case ExprKind::Ternary:
    case ExprKind::ArrayIn:
    case ExprKind::Statistic:
    case ExprKind::Histogram:
    case ExprKind::Target:
    case ExprKind::AtVar:
    case ExprKind::Cast:
    case ExprKind::Defined:
    case ExprKind::Entry:
    case ExprKind::Perf:
    case ExprKind::Intrinsic:
    case ExprKind::Register:
    case ExprKind::Deref:
    case ExprKind::DerefString:
    case ExprKind::SavedValue:
    case ExprKind::SymbolAddress:
    case ExprKind::EnumName:
    case ExprKind::Kept:
    case ExprKind::EventValue: break;
  }
  bool found = false;
  for_each_child(const_cast<Expr *>(e), [&](Expr *&child) { found = found || may_change_state(child); });
  return found;
}

std::string operator_word(std::string_view spelling) { return fmt::format("operator '{}'", spelling); }
std::string identifier_word(std::string_view name) { return fmt::format("identifier '{}'", name); }

void FunctionEmitter::check() {
  code.line("if (STAP_UNLIKELY(c->failed))");
  code.line("\tgoto {};", fail_labels.back());
}

void FunctionEmitter::check_call(const Place &where, const std::string &word) {
  code.open("if (STAP_UNLIKELY(c->failed))");
  code.line("stap_unwind(c, {});", tables_.place(where, word));
  code.line("goto {};", fail_labels.back());
  code.close();
}

// With --skip-badvars a target variable that can't be read is 0 or "". The fetch has returned that, so all that is left
// to do is to forget the error.
void FunctionEmitter::check_fetch() {
  if (tables_.s.options.skip_bad_variables) code.line("c->failed = 0;");
  else check();
}

void FunctionEmitter::set_place(const Place &where, const std::string &word) {
  if (errors_have_places) code.line("c->place = {};", tables_.place(where, word));
}

Value FunctionEmitter::long_temp(const std::string &text) {
  std::string name = fresh("t");
  code.line("stap_long {} = {};", name, text);
  return Value::temporary(name);
}

Value FunctionEmitter::string_temp(const std::string &text) {
  used_temps_ = true;
  std::string name = fresh("t");
  code.line("struct stap_str {} = {};", name, text);
  return Value::slice(name);
}

Value FunctionEmitter::own_string(const std::string &text) { return Value::temporary(string_temp(text).text); }

Value FunctionEmitter::copied(const Value &string) {
  return own_string(fmt::format("stap_str_copy(c, {})", string.text));
}

Value FunctionEmitter::settle(const Expr *e, const Value &value, const Expr *later) {
  if (!value.may_change || !may_change_state(later)) return value;
  return e->type == Type::String ? copied(value) : long_temp(value.text);
}

std::vector<Value> FunctionEmitter::operands(const std::vector<const Expr *> &list) {
  std::vector<Value> values;
  for (size_t i = 0; i < list.size(); i++) {
    Value value = expr(list[i]);
    for (size_t j = i + 1; j < list.size(); j++)
      if (may_change_state(list[j])) {
        value = settle(list[i], value, list[j]);
        break;
      }
    values.push_back(value);
  }
  return values;
}

Value FunctionEmitter::operate(BinaryOp op, const Value &left, const Value &right) {
  const std::string &l = left.text, &r = right.text, a = c_atom(l), b = c_atom(r);
  switch (op) {
    case BinaryOp::Add: return Value::expression(fmt::format("stap_add({}, {})", l, r));
    case BinaryOp::Sub: return Value::expression(fmt::format("stap_sub({}, {})", l, r));
    case BinaryOp::Mul: return Value::expression(fmt::format("stap_mul({}, {})", l, r));
    case BinaryOp::Shl: return Value::expression(fmt::format("stap_shl({}, {})", l, r));
    case BinaryOp::Shr: return Value::expression(fmt::format("stap_shr({}, {})", l, r));
    case BinaryOp::ShrLogical: return Value::expression(fmt::format("(stap_long)((u64){} >> ({} & 63))", a, b));
    case BinaryOp::And: return Value::expression(fmt::format("{} & {}", a, b));
    case BinaryOp::Or: return Value::expression(fmt::format("{} | {}", a, b));
    case BinaryOp::Xor: return Value::expression(fmt::format("{} ^ {}", a, b));
    case BinaryOp::Div: return long_temp(fmt::format("stap_div(c, {}, {})", l, r));
    case BinaryOp::Mod: break;
  }
  return long_temp(fmt::format("stap_mod(c, {}, {})", l, r));
}

Value FunctionEmitter::arithmetic(const Binary *e) {
  auto v = operands({e->left, e->right});
  if (!divides(e->op)) return operate(e->op, v[0], v[1]);
  set_place(e->op_place ? e->op_place : e->place, operator_word(spelling(e->op)));
  Value result = operate(e->op, v[0], v[1]);
  auto *divisor = as<Number>(e->right);
  if (!divisor || divisor->value == 0) check();
  return result;
}

Value FunctionEmitter::compare(const Compare *e) {
  auto v = operands({e->left, e->right});
  if (e->left->type != Type::String)
    return Value::expression(fmt::format("{} {} {}", c_atom(v[0].text), spelling(e->op), c_atom(v[1].text)));
  const std::string &l = v[0].text, &r = v[1].text;
  if (e->op == CompareOp::Eq) return Value::expression(fmt::format("stap_str_eq({}, {})", l, r));
  if (e->op == CompareOp::Ne) return Value::expression(fmt::format("!stap_str_eq({}, {})", l, r));
  return Value::expression(fmt::format("stap_str_cmp({}, {}) {} 0", l, r, spelling(e->op)));
}

Value FunctionEmitter::logical(const Logical *e) {
  const std::string left = c_atom(expr(e->left).text);
  Code outer = std::move(code);
  code = Code();
  code.depth = outer.depth + 1;
  const std::string right = c_atom(expr(e->right).text);
  Code inner = std::move(code);
  code = std::move(outer);
  if (inner.empty()) return Value::expression(fmt::format("{} {} {}", left, e->is_or ? "||" : "&&", right));
  Value t = long_temp(fmt::format("{} != 0", left));
  code.open("if ({}{})", e->is_or ? "!" : "", t.text);
  code.append(inner);
  code.line("{} = {} != 0;", t.text, right);
  code.close();
  return t;
}

Value FunctionEmitter::ternary(const Ternary *e) {
  Value condition = expr(e->condition);
  std::string t = fresh("t");
  code.line("{} {}{};", c_type(e->type), t, e->type == Type::String ? " = {0}" : "");
  code.open("if ({})", condition.text);
  Value yes = expr(e->yes);
  code.line("{} = {};", t, yes.text);
  code.close(" else {");
  code.depth++;
  Value no = expr(e->no);
  code.line("{} = {};", t, no.text);
  code.close();
  return e->type == Type::String ? Value::slice(t) : Value::temporary(t);
}

// A function that says `next` passes the call on to the overload that is declared after it.
void FunctionEmitter::try_overloads(const Call *e, const std::string &arguments, const std::string &result) {
  for (size_t i = 1; i < e->callees.size(); i++) {
    code.open("if (c->passed_on)");
    code.line("c->passed_on = 0;");
    code.line("{}{}({});", result, e->callees[i]->unique_name, arguments);
  }
  if (may_pass_on(e->callees.back())) {
    code.open("if (c->passed_on)");
    code.line("c->passed_on = 0;");
    set_place(e->place, identifier_word(e->name));
    code.line("stap_fail_cstr(c, \"all functions exhausted\");");
    code.line("goto {};", fail_labels.back());
    code.close();
  }
  for (size_t i = 1; i < e->callees.size(); i++) code.close();
  const bool all_embedded =
      std::all_of(e->callees.begin(), e->callees.end(), [](const FunctionDecl *f) { return f->is_embedded; });
  all_embedded ? check() : check_call(e->place, identifier_word(e->name));
}

Value FunctionEmitter::call(const Call *e) {
  std::vector<const Expr *> list(e->args.begin(), e->args.end());
  auto v = operands(list);
  // An overload that passes the call on may have changed a global that an argument names. The next overload gets the
  // value from before.
  if (e->callees.size() > 1)
    for (size_t i = 0; i < v.size(); i++)
      if (list[i]->type == Type::Long && list[i]->kind != ExprKind::Number) v[i] = long_temp(v[i].text);
  std::string arguments = "c";
  for (const Value &value : v) arguments += ", " + value.text;
  const FunctionDecl *f = e->callees.at(0);
  if (f->pragmas.user_symbols) tables_.user_files |= STAP_WANTS_USER_SYMBOLS;
  if (f->pragmas.user_unwinding) tables_.user_files |= STAP_WANTS_USER_UNWINDING;
  const std::string text = fmt::format("{}({})", f->unique_name, arguments);
  set_place(e->place, identifier_word(e->name));
  Value result = Value::constant("0");
  if (f->type == Type::String) result = string_temp(text);
  else if (f->type == Type::Long) result = long_temp(text);
  else code.line(text + ";");
  if (!may_pass_on(f)) f->is_embedded ? check() : check_call(e->place, identifier_word(e->name));
  else try_overloads(e, arguments, f->type == Type::Void ? "" : result.text + " = ");
  return result;
}

Value FunctionEmitter::statistic(const Statistic *e) {
  std::string stat = stat_pointer(e->stat);
  static const char *const functions[] = {"count", "sum", "min", "max", "avg", "variance"};
  const char *function = functions[static_cast<int>(e->op)];
  if (e->op == StatisticOp::Count || e->op == StatisticOp::Sum)
    return Value::expression(fmt::format("stap_stat_{}({})", function, stat));
  set_place(e->place, operator_word(spelling(e->op)));
  Value t = long_temp(fmt::format("stap_stat_{}(c, {})", function, stat));
  check();
  return t;
}

// Both =~ and !~ keep what they matched for matched(): after `if (s !~ "...") next` the handler goes on because the
// pattern did match.
Value FunctionEmitter::regex_match(const RegexMatch *e) {
  const Program &program = tables_.s.program;
  const std::string regex = regex_name(program, e->pattern->value), text = expr(e->text).text;
  Value matches = program.keeps_match ? long_temp(fmt::format("stap_regex_match(c, &{}, {})", regex, text))
                                      : Value::expression(fmt::format("stap_regex_test(&{}, {})", regex, text));
  return e->negated ? Value::expression("!" + matches.text) : matches;
}

std::string bits_of(const Deref *e, const Value &loaded) {
  return fmt::format("stap_bits({}, {}, {}, {})", loaded.text, e->bit_shift, e->bit_width, e->is_signed ? 1 : 0);
}

std::string memory_read(const Deref *e, const Value &address, bool is_signed) {
  return fmt::format("{}(c, (u64){}, {}, {})", e->user ? "stap_uread" : "stap_kread", c_atom(address.text), e->size,
                     is_signed ? 1 : 0);
}

Value FunctionEmitter::deref(const Deref *e) {
  Value address = expr(e->address);
  set_place(e->place, operator_word("->"));
  Value t = long_temp(memory_read(e, address, e->is_signed && !e->bit_width));
  check_fetch();
  return e->bit_width ? Value::expression(bits_of(e, t)) : t;
}

Value FunctionEmitter::concat(const Concat *e) {
  std::vector<const Expr *> parts = {e->right};
  const Expr *left = e->left;
  for (; e->is_chain && as<Concat>(left); left = as<Concat>(left)->left)
    parts.insert(parts.begin(), as<Concat>(left)->right);
  parts.insert(parts.begin(), left);
  std::vector<Value> values = operands(parts);
  std::string text = fmt::format("stap_concat(c, {}, {})", values[0].text, values.back().text);
  if (values.size() > 2) {
    std::string list;
    for (const Value &value : values) list += (list.empty() ? "" : ", ") + value.text;
    text = fmt::format("stap_concat_list(c, (struct stap_str[]){{{}}}, {})", list, values.size());
  }
  set_place(e->place, operator_word("."));
  Value t = string_temp(text);
  check();
  return t;
}

// A file's place is known of the process that is hit only.
Value FunctionEmitter::symbol_address(const SymbolAddress *e) {
  const Program::SymbolRef &symbol = session().program.symbols[e->symbol];
  if (symbol.binary->is_file())
    return Value::expression(fmt::format("(stap_long)stap_file_address(c, {:#x})", symbol.offset));
  return Value::expression(fmt::format("(stap_long)stap_symbol_address(c, {})", e->symbol));
}

Value FunctionEmitter::target_register(const Register *e) {
  std::string value = fmt::format("(stap_long){}(c, {})", e->user ? "stap_user_reg" : "stap_reg", e->dwarf_number);
  if (e->dwarf_number == arch_of(session()).thread_register) value = "(stap_long)stap_thread_pointer(c)";
  if (!e->may_fail) return Value::expression(value);
  set_place(e->place, operator_word(e->user ? "@uregister" : "@kregister"));
  Value t = long_temp(value);
  check();
  return t;
}

Value FunctionEmitter::event_value(const EventValue *e) {
  switch (e->part) {
    case EventPart::Text: return own_string("stap_event_text(c)");
    case EventPart::Result: return Value::expression("c->event->result");
    case EventPart::Record: return Value::expression("(stap_long)c->event->data");
    case EventPart::Number: break;
  }
  return Value::expression(fmt::format("stap_event_number(c, {})", e->index));
}

Value FunctionEmitter::kept_value(const Kept *e) {
  code.open("if (!{})", e->known->unique_name);
  store_variable(e->slot, expr(e->value));
  code.line("{} = 1;", e->known->unique_name);
  code.close();
  // Nothing else assigns to the slot, so its value stays as it is while the probe runs.
  return Value::constant(read_variable(e->slot).text);
}

Value FunctionEmitter::unary(const Unary *e) {
  Value value = expr(e->operand);
  switch (e->op) {
    case UnaryOp::Negate: return Value::expression(fmt::format("stap_neg({})", value.text));
    case UnaryOp::Plus: return value;
    case UnaryOp::Not: return Value::expression("!" + c_atom(value.text));
    case UnaryOp::Complement: return Value::expression("~(stap_long)" + c_atom(value.text));
    case UnaryOp::Address: break;
  }
  throw FatalError{"internal-emit", "an address reached the emitter that the checks should have refused", {}};
}

// A value that could not be read at the function's entry is an error here, where it is used.
void FunctionEmitter::check_saved(const SavedValue *e) {
  const DerivedProbe *owner = function_ ? function_->probe : probe;
  const ExprKind kind = owner->saved[e->index]->kind;
  const bool is_variable = kind == ExprKind::Deref;
  const std::string fault = fmt::format("if (STAP_UNLIKELY(*stap_saved_fault(c->event, {}, {})))", e->faults, e->index);
  if (shows_faults_) {
    code.line(fault);
    code.line("\tgoto {};", fail_labels.back());
    return;
  }
  code.open(fault);
  set_place(e->place, operator_word(is_variable ? "->" : "@entry") + " (at the function's entry)");
  code.line("stap_saved_fail(c, {}, {}, {});", e->offset, e->faults, e->index);
  code.line("goto {};", fail_labels.back());
  code.close();
}

Value FunctionEmitter::saved_value(const SavedValue *e) {
  if (e->faults && !saved_without_fault_) check_saved(e);
  const std::string slot = fmt::format("c->event->saved[{}]", e->offset);
  if (e->type != Type::String) return Value::expression(slot);
  return Value::expression(fmt::format("stap_inline_str((u32 *)&{0}, (char *)&{0} + 4)", slot));
}

Value FunctionEmitter::deref_string(const DerefString *e) {
  Value address = expr(e->address);
  set_place(e->place, operator_word("->"));
  Value t = own_string(
      fmt::format("{}(c, (u64){}, {})", e->user ? "stap_uread_str" : "stap_kread_str", c_atom(address.text), e->max));
  check_fetch();
  return t;
}

Value FunctionEmitter::perf_counter(const Perf *e) {
  set_place(e->place, operator_word("@perf"));
  Value t = long_temp(fmt::format("stap_perf_counter(c, {})", e->probe->index));
  check();
  return t;
}

Value FunctionEmitter::expr(const Expr *e) {
  switch (e->kind) {
    case ExprKind::Number: return Value::constant(c_long(static_cast<const Number *>(e)->value));
    case ExprKind::String: return Value::constant(c_slice(static_cast<const String *>(e)->value));
    case ExprKind::Symbol: return read_variable(static_cast<const Symbol *>(e)->decl);
    case ExprKind::Index: return read_element(static_cast<const Index *>(e));
    case ExprKind::Unary: return unary(static_cast<const Unary *>(e));
    case ExprKind::Binary: return arithmetic(static_cast<const Binary *>(e));
    case ExprKind::Compare: return compare(static_cast<const Compare *>(e));
    case ExprKind::Logical: return logical(static_cast<const Logical *>(e));
    case ExprKind::Ternary: return ternary(static_cast<const Ternary *>(e));
    case ExprKind::Concat: return concat(static_cast<const Concat *>(e));
    case ExprKind::RegexMatch: return regex_match(static_cast<const RegexMatch *>(e));
    case ExprKind::ArrayIn: {
      const Index *element = static_cast<const ArrayIn *>(e)->element;
      for (const Expr *key : element->keys)
        if (!key) return slice_in(element);
      return Value::expression(find_element(element) + " != STAP_NULL");
    }
    case ExprKind::Assign: return assign(static_cast<const Assign *>(e), true);
    case ExprKind::PreStep: {
      auto *s = static_cast<const PreStep *>(e);
      return step(s->target, s->decrement, false, true);
    }
    case ExprKind::PostStep: {
      auto *s = static_cast<const PostStep *>(e);
      return step(s->target, s->decrement, true, true);
    }
    case ExprKind::Call: return call(static_cast<const Call *>(e));
    case ExprKind::Format: return format(static_cast<const Format *>(e));
    case ExprKind::EmbeddedExpr: return embedded_expression(static_cast<const EmbeddedExpr *>(e));
    case ExprKind::HistogramIndex: return histogram_bucket(static_cast<const HistogramIndex *>(e));
    case ExprKind::Statistic: return statistic(static_cast<const Statistic *>(e));
    case ExprKind::Register: return target_register(static_cast<const Register *>(e));
    case ExprKind::SymbolAddress: return symbol_address(static_cast<const SymbolAddress *>(e));
    case ExprKind::SavedValue: return saved_value(static_cast<const SavedValue *>(e));
    case ExprKind::EnumName: {
      auto *n = static_cast<const EnumName *>(e);
      return string_temp(
          fmt::format("stap_enum_name(c, &{}, {})", enumeration_name(n->enumeration), expr(n->operand).text));
    }
    case ExprKind::Kept: return kept_value(static_cast<const Kept *>(e));
    case ExprKind::Perf: return perf_counter(static_cast<const Perf *>(e));
    case ExprKind::EventValue: return event_value(static_cast<const EventValue *>(e));
    case ExprKind::Deref: return deref(static_cast<const Deref *>(e));
    case ExprKind::DerefString: return deref_string(static_cast<const DerefString *>(e));
    case ExprKind::Histogram:
    case ExprKind::Target:
    case ExprKind::AtVar:
    case ExprKind::Cast:
    case ExprKind::Defined:
    case ExprKind::Entry:
    case ExprKind::Intrinsic: break;
  }
  throw FatalError{"internal-emit", "an expression reached the emitter that elaboration should have lowered", {}};
}

void FunctionEmitter::effects(const Expr *e) {
  switch (e->kind) {
    case ExprKind::Assign: assign(static_cast<const Assign *>(e), false); return;
    case ExprKind::PreStep:
      step(static_cast<const PreStep *>(e)->target, static_cast<const PreStep *>(e)->decrement, false, false);
      return;
    case ExprKind::PostStep:
      step(static_cast<const PostStep *>(e)->target, static_cast<const PostStep *>(e)->decrement, true, false);
      return;
    case ExprKind::Number:
    case ExprKind::String:
    case ExprKind::Symbol:
    case ExprKind::Index:
    case ExprKind::HistogramIndex:
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::Compare:
    case ExprKind::Logical:
    case ExprKind::Concat:
    case ExprKind::Ternary:
    case ExprKind::ArrayIn:
    case ExprKind::RegexMatch:
    case ExprKind::Call:
    case ExprKind::Format:
    case ExprKind::Statistic:
    case ExprKind::Histogram:
    case ExprKind::Target:
    case ExprKind::AtVar:
    case ExprKind::Cast:
    case ExprKind::Defined:
    case ExprKind::Entry:
    case ExprKind::Perf:
    case ExprKind::Intrinsic:
    case ExprKind::EmbeddedExpr:
    case ExprKind::Register:
    case ExprKind::Deref:
    case ExprKind::DerefString:
    case ExprKind::SavedValue:
    case ExprKind::SymbolAddress:
    case ExprKind::EnumName:
    case ExprKind::Kept:
    case ExprKind::EventValue: break;
  }
  Value value = expr(e);
  // The statement that made a temporary has had its effects. The temporary is mentioned, so that the compiler does not
  // call it unused. Any other value has no effects, and needs no C at all.
  if (value.is_temporary) code.line("(void){};", value.text);
}
