// SPDX-License-Identifier: GPL-2.0-or-later
// The print family to C: text records, deferred printf, in-place sprintf, and lenient pretty-printing.
#include <fmt/core.h>

#include "abi/record.h"
#include "abi/stack.h"
#include "emit/emit.h"
#include "syntax/format_spec.h"

namespace {

char type_letter(const Expr *e) { return e->type == Type::String ? STAP_TYPE_STRING : STAP_TYPE_LONG; }

constexpr std::pair<std::string_view, char> symbol_types[] = {
#define STAP_TYPE(NAME, letter, function) {function, letter},
    STAP_KERNEL_SYMBOL_TYPES(STAP_TYPE) STAP_USER_SYMBOL_TYPES(STAP_TYPE)
#undef STAP_TYPE
        {"usyms", STAP_TYPE_USYMS},
};

bool has_place(char type) { return stap_type_is_user_symbol(type) || type == STAP_TYPE_USYMS; }

// The expression, when it is a call of an embedded function whose value the reader can find; null for all others.
const Call *direct_symbol_call(const Expr *e) {
  const Call *call = as<Call>(e);
  if (!call || call->callees.size() != 1) return nullptr;
  const FunctionDecl *f = call->callees[0];
  return f->is_embedded && !f->pragmas.reader.empty() && f->parameters.size() == 1 ? call : nullptr;
}

// The same through a function that has no parameters and does nothing but return such a call: sprint_ubacktrace().
const Call *symbol_call(const Expr *e) {
  const Call *call = as<Call>(e);
  if (!call || call->callees.size() != 1 || call->callees[0]->is_embedded) return direct_symbol_call(e);
  const FunctionDecl *f = call->callees[0];
  if (!f->parameters.empty() || !f->body || f->body->statements.size() != 1) return nullptr;
  const Return *only = as<Return>(f->body->statements[0]);
  return only && only->value ? direct_symbol_call(only->value) : nullptr;
}

// Where such a value is only printed, the record has the address that it is looked up by.
void leave_symbols_to_reader(std::vector<const Expr *> &args, std::string &types) {
  for (size_t i = 0; i < args.size(); i++) {
    const Call *call = symbol_call(args[i]);
    if (!call) continue;
    for (auto &[name, letter] : symbol_types)
      if (name == call->callees[0]->pragmas.reader) {
        types[i] = letter;
        args[i] = call->args[0];
      }
  }
}

// The format that a call of print, println or printd stands for, with the arguments that it converts.
struct FormatCall {
  std::string text;
  std::string types;
  std::vector<const Expr *> args;
};

std::string escape_percent(const std::string &text) {
  std::string out;
  for (char ch : text) {
    out += ch;
    if (ch == '%') out += ch;
  }
  return out;
}

FormatCall normalise(const Format *e) {
  FormatCall call;
  if (e->has_format) {
    call.text = e->format;
    for (const Expr *arg : e->args) call.args.push_back(arg);
  } else {
    for (size_t i = 0; i < e->args.size(); i++) {
      if (i > 0 && e->has_delimiter) {
        if (auto *literal = as<String>(e->delimiter)) {
          call.text += escape_percent(literal->value);
        } else {
          call.text += "%s";
          call.args.push_back(e->delimiter);
        }
      }
      call.text += e->args[i]->type == Type::String ? "%s" : "%d";
      call.args.push_back(e->args[i]);
    }
  }
  if (e->newline) call.text += "\n";
  for (const Expr *arg : call.args) call.types += type_letter(arg);
  return call;
}

// %m and %M read memory. That has to happen where the probe hits: when the record is formatted it is too late.
bool reads_memory(const std::vector<FormatDirective> &directives) {
  return std::any_of(directives.begin(), directives.end(), [](const FormatDirective &d) { return d.reads_memory; });
}

}  // namespace

// A few arguments are an array on the stack; more than that have room in the arena until the statement ends.
std::string FunctionEmitter::argument_array(const std::vector<Value> &values, const std::string &types) {
  if (values.empty()) return "STAP_NULL";
  auto argument = [&](size_t i) {
    const char *member = types[i] == STAP_TYPE_STRING || types[i] == STAP_TYPE_USYMS ? "STAP_S"
                         : stap_type_is_user_symbol(types[i])                        ? "STAP_U"
                                                                                     : "STAP_N";
    return fmt::format("{}({})", member, values[i].text);
  };
  if (values.size() <= STAP_STACK_ARGS) {
    std::string list;
    for (size_t i = 0; i < values.size(); i++) list += (i ? ", " : "") + argument(i);
    return fmt::format("(union stap_arg[]){{{}}}", list);
  }
  const std::string array = fresh("args");
  used_temps_ = true;
  code.line("union stap_arg *{} = stap_args_alloc(c, {});", array, values.size());
  check();
  for (size_t i = 0; i < values.size(); i++) code.line("{}[{}] = {};", array, i, argument(i));
  return array;
}

// In a return probe the values were fetched at the function's entry. The C asks once whether all of that went well:
// then the whole text is formatted at once, and only otherwise does each part need a text of its own.
Value FunctionEmitter::lenient_format(const Format *e) {
  const SavedValue *in_doubt = nullptr;
  for (Expr *arg : e->args)
    for_each_expr(arg, [&](Expr *&part) {
      if (as<SavedValue>(part) && as<SavedValue>(part)->faults) in_doubt = as<SavedValue>(part);
    });
  if (!in_doubt || saved_without_fault_) return lenient_parts(e);
  const std::string result = fresh("t");
  const DerivedProbe *owner = function_ ? function_->probe : probe;
  std::string any;
  for (uint32_t word = in_doubt->faults; word < saved_words(tables_.s, *owner); word++)
    any += fmt::format("{}c->event->saved[{}]", any.empty() ? "" : " | ", word);
  code.line("struct stap_str {};", result);
  code.open("if (STAP_LIKELY(!({})))", any);
  saved_without_fault_ = true;
  code.line("{} = {};", result, lenient_parts(e).text);
  saved_without_fault_ = false;
  code.close(" else {");
  code.depth++;
  code.line("{} = {};", result, lenient_parts(e).text);
  code.close();
  return Value::temporary(result);
}

// $$parms, $v$: where one value can't be fetched "?" is printed for it, and the others are printed all the same. So
// each fetch that may fault is formatted to a text of its own. What can't fault, such as a register, is an argument of
// the whole format.
Value FunctionEmitter::lenient_parts(const Format *e) {
  FormatCall call = normalise(e);
  std::vector<Value> values;
  std::string text, types;
  size_t next_argument = 0;
  for (const FormatDirective &d : format_directives(call.text)) {
    text += escape_percent(d.literal);
    if (!d.conversion) continue;
    const Expr *arg = call.args.at(next_argument++);
    std::string faulted = fresh("faulted"), letter(1, type_letter(arg));
    Value value;
    const Code fetch = apart([&] {
      fail_labels.push_back(faulted);
      shows_faults_ = true;
      value = expr(arg);
      shows_faults_ = false;
      fail_labels.pop_back();
    });
    if (fetch.empty() && !d.reads_memory) {
      text += d.text;
      types += letter;
      values.push_back(value);
      continue;
    }
    std::string result = fresh("t");
    used_temps_ = true;
    code.line("struct stap_str {} = {};", result, c_slice("?"));
    code.open("");
    code.append(fetch);
    code.line("{} = stap_sprintf(c, {}, {});", result, lenient_number(d.text, letter), argument_array({value}, letter));
    code.close();
    code.label(faulted);
    code.line("c->failed = 0;");
    text += "%s";
    types += 's';
    values.push_back(Value::temporary(result));
  }
  return own_string(fmt::format("stap_sprintf(c, {}, {})", lenient_number(text, types), argument_array(values, types)));
}

// C text of a format's number. Handlers of functions whose parameters are in the same registers differ in nothing but
// these formats, which have the parameters' names. So the numbers are kept in a list of the probe's, and one handler
// does for all of them.
std::string FunctionEmitter::lenient_number(const std::string &text, const std::string &types) {
  unsigned number = tables_.format(text, types);
  if (!probe_formats) return std::to_string(number);
  probe_formats->push_back(number);
  return fmt::format("c->probe->formats[{}]", probe_formats->size() - 1);
}

// The statements that emit() adds, one level deeper and apart from those that are there.
Code FunctionEmitter::apart(const std::function<void()> &emit) {
  Code before;
  std::swap(before, code);
  code.depth = before.depth + 1;
  emit();
  std::swap(before, code);
  return before;
}

Value FunctionEmitter::format(const Format *e) {
  if (e->histogram) return print_histogram(e);
  const Value nothing = Value::constant("0");
  if (e->lenient) {
    Value text = lenient_format(e);
    if (e->to_string) return text;
    code.line("stap_print(c, {});", text.text);
    return nothing;
  }
  FormatCall call = normalise(e);
  const std::vector<FormatDirective> directives = format_directives(call.text);
  if (!e->to_string && call.args.empty()) {
    code.line("stap_print(c, {});", c_slice(directives.empty() ? "" : directives[0].literal));
    return nothing;
  }
  const bool here = reads_memory(directives);
  if (!e->to_string && !here) leave_symbols_to_reader(call.args, call.types);
  auto values = operands(call.args);
  if (!e->to_string && call.text == "%s" && call.types[0] == STAP_TYPE_STRING) {
    code.line("stap_print(c, {});", values[0].text);
    return nothing;
  }
  const unsigned number = tables_.format(call.text, call.types);
  const std::string arguments = argument_array(values, call.types);
  if (e->to_string || here) set_place(e->place, identifier_word(e->name));
  if (e->to_string) {
    Value text = own_string(fmt::format("stap_sprintf(c, {}, {})", number, arguments));
    check();
    return text;
  }
  const bool places = std::any_of(call.types.begin(), call.types.end(), has_place);
  const char *print = here ? "stap_printf_here" : places ? "stap_printf_places" : "stap_printf";
  code.line("{}(c, {}, {});", print, number, arguments);
  if (here) check();
  return nothing;
}
