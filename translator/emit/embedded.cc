// SPDX-License-Identifier: GPL-2.0-or-later
// Embedded C to C: functions, blocks and expressions, the documented macros around them, and access to globals.
//
// There are two conventions. With the pragma `abi`, which the tapset library uses, strings are slices, and runtime/abi
// is all there is to call. Without it, as documented for scripts, strings end with NUL, and the headers of where the
// script runs are included.
#include "emit/emit.h"
#include "emit/translate.h"

#include <algorithm>
#include <fmt/core.h>

#include "sema/elaborate.h"

std::string embedded_parameter_name(const FunctionDecl *f, const VarDecl *p) {
  const char *prefix = f->pragmas.abi ? "STAP_ARG" : p->type == Type::String ? "slice" : "value";
  return fmt::format("{}_{}", prefix, p->name);
}

// Calls visit with the pragmas of each piece of embedded C in the program.
static void for_each_pragmas(const Program &program, const std::function<void(const Pragmas &)> &visit) {
  auto walk = [&](Block *body) {
    for_each_stmt(body, [&](Stmt *st) {
      if (auto *c = as<Embedded>(st)) visit(c->pragmas);
    });
    for_each_expr(static_cast<Stmt *>(body), [&](Expr *&e) {
      if (auto *c = as<EmbeddedExpr>(e)) visit(c->pragmas);
    });
  };
  for (const EmbeddedCode *c : program.embedded) visit(c->pragmas);
  for (const FunctionDecl *f : program.functions) {
    if (f->is_embedded) visit(f->pragmas);
    if (f->body) walk(f->body);
  }
  for (const DerivedProbe *p : program.probes)
    if (p->body) walk(p->body);
}

bool embedded_c_needs_headers(const Program &program) {
  bool needed = false;
  for_each_pragmas(program, [&](const Pragmas &said) { needed |= !said.abi; });
  return needed;
}

// -D reaches embedded C as macros. They are defined before any header is included, as they would be on a compiler's
// command line. MAXSTRINGLEN is defined for every script, below.
static std::string given_macros(const Options &options) {
  std::string text;
  for (const auto &[name, value] : options.defines)
    if (name != "MAXSTRINGLEN") text += fmt::format("#define {} {}\n", name, c_comment(value));
  return text;
}

std::string emit_embedded_prelude(const Session &s) {
  if (!embedded_c_needs_headers(s.program)) return "";
  return given_macros(s.options) + R"(// for embedded C
#ifdef __KERNEL__
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/version.h>
#else
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define strlcpy(to, from, size) ((size_t)snprintf(to, size, "%s", from))
static inline size_t stap_strlcat(char *to, const char *from, size_t size)
{
	size_t n = strnlen(to, size);
	return n + (n < size ? (size_t)snprintf(to + n, size - n, "%s", from) : strlen(from));
}
#define strlcat stap_strlcat
#endif
)";
}

std::string emit_embedded_macros(const Session &s) {
  return fmt::format("#define MAXSTRINGLEN {}", s.limits.max_string_len) + R"(
#define CONTEXT c
#define STAP_PRINTF(...) stap_c_printf(c, __VA_ARGS__)
#define STAP_ERROR(...) do { stap_c_fail(c, __VA_ARGS__); goto out; } while (0)
#define STAP_NEXT do { c->passed_on = 1; goto out; } while (0)
// what scripts of before STAP_PRINTF call
#define _stp_printf(...) stap_c_printf(c, __VA_ARGS__)
#define _stp_print(text) stap_c_printf(c, "%s", text)
#define _stp_snprintf snprintf
)";
}

// --- line numbers ----------------------------------------------------------

static const std::string own_line_mark = "#line own";

static std::vector<const VarDecl *> globals_of(const Pragmas &said) {
  std::vector<const VarDecl *> all(said.read_globals.begin(), said.read_globals.end());
  for (const VarDecl *v : said.written_globals)
    if (std::find(all.begin(), all.end(), v) == all.end()) all.push_back(v);
  return all;
}

std::string with_line_numbers(const Place &place, const std::string &text, const Pragmas &pragmas) {
  if (!place) return text;
  // A library file and the script may each have a global of one name, so the names hold in this piece of C only.
  std::string names, no_names;
  for (const VarDecl *v : globals_of(pragmas))
    for (const char *accessor : {"STAP_GLOBAL_GET", "STAP_GLOBAL_SET"}) {
      names += fmt::format("#define {0}_{1} {0}_{2}\n", accessor, v->name, v->unique_name);
      no_names += fmt::format("#undef {}_{}\n", accessor, v->name);
    }
  // The compiler's messages name columns too: blanks stand for what is before the C in its line, the %{ included.
  const std::string indentation(place.col + 1, ' ');
  return fmt::format("\n{}#line {} {}\n{}{}\n{}{}\n", names, place.line, c_string(place.file->name), indentation, text,
                     no_names, own_line_mark);
}

std::string resolve_line_marks(const std::string &code, const std::string &file) {
  std::string out;
  size_t line = 1;
  for (size_t at = 0; at < code.size(); line++) {
    size_t end = std::min(code.find('\n', at), code.size());
    std::string text = code.substr(at, end - at);
    if (text == own_line_mark) text = fmt::format("#line {} {}", line + 1, c_string(file));
    out += text + "\n";
    at = end + 1;
  }
  return out;
}

// --- globals ---------------------------------------------------------------

static const char *c_convention(Type t) { return t == Type::String ? "const char *" : "stap_long "; }

static std::string to_slice(Type t, const std::string &value) {
  return t == Type::String ? fmt::format("stap_cstr({})", value) : value;
}

static void scalar_accessors(Code &code, const VarDecl *v) {
  const std::string &name = v->unique_name;
  if (v->type == Type::String) {
    code.line("#define STAP_GLOBAL_GET_{0}() stap_c_string(c, stap_global_str_get(c, &{0}))", name);
    code.line("#define STAP_GLOBAL_SET_{0}(value) stap_global_str_set(c, &{0}, stap_cstr(value))", name);
  } else {
    code.line("#define STAP_GLOBAL_GET_{0}() ({0})", name);
    code.line("#define STAP_GLOBAL_SET_{0}(value) ((void)({0} = (value)))", name);
  }
}

static void array_accessors(Code &code, const VarDecl *v) {
  const std::string &name = v->unique_name;
  const char *value_type = c_convention(v->type);
  std::string parameters, keys;
  for (size_t i = 0; i < v->key_types.size(); i++) {
    const Type type = v->key_types[i];
    parameters += fmt::format(", {}k{}", c_convention(type), i);
    keys += fmt::format("{}{}", i ? ", " : "", to_slice(type, fmt::format("k{}", i)));
  }
  code.line("static inline {}{}_c_get(struct stap_ctx *c{})", value_type, name, parameters);
  code.open("");
  code.line("struct {0}_entry *e = {0}_find({1});", name, keys);
  if (v->type == Type::String)
    code.line("return stap_c_string(c, e ? {} : STAP_STR(\"\"));", inline_string("e->value"));
  else code.line("return e ? e->value : 0;");
  code.close();
  code.line("static inline void {}_c_set(struct stap_ctx *c{}, {}value)", name, parameters, value_type);
  code.open("");
  code.line("struct {0}_entry *e = {0}_obtain(c, {1});", name, keys);
  code.open("if (e)");
  code.line(v->type == Type::String ? set_inline_string("e->value", to_slice(v->type, "value")) : "e->value = value;");
  code.close();
  code.close();
  code.line("#define STAP_GLOBAL_GET_{0}(...) {0}_c_get(c, __VA_ARGS__)", name);
  code.line("#define STAP_GLOBAL_SET_{0}(...) {0}_c_set(c, __VA_ARGS__)", name);
}

std::string emit_global_accessors(const Program &program) {
  std::set<const VarDecl *> named;
  for_each_pragmas(program, [&](const Pragmas &said) {
    const std::vector<const VarDecl *> globals = globals_of(said);
    named.insert(globals.begin(), globals.end());
  });
  Code code;
  for (const VarDecl *v : program.globals) {
    if (!named.count(v) || v->type == Type::Stats) continue;
    if (v->arity > 0) array_accessors(code, v);
    else scalar_accessors(code, v);
  }
  return code.text();
}

// --- functions -------------------------------------------------------------

static const char *argument_type(const VarDecl *p) { return p->type == Type::String ? "char *" : "stap_long "; }

// STAP_ARG_x is a number, or a copy of the string that ends with NUL. STAP_RETVALUE is a number, or a buffer of
// MAXSTRINGLEN bytes.
static void declare_documented(Code &code, const FunctionDecl *f) {
  for (const VarDecl *p : f->parameters) {
    std::string given = embedded_parameter_name(f, p);
    if (p->type == Type::String) given = fmt::format("stap_c_string(c, {})", given);
    code.line("{}STAP_ARG_{} = {};", argument_type(p), p->name, given);
    code.line("(void)STAP_ARG_{};", p->name);
  }
  if (f->type == Type::String) {
    code.line("char *const STAP_RETVALUE = stap_c_buffer(c);");
    code.line("if (c->failed)");
    code.line("\tgoto out;");
  } else {
    code.line("stap_long STAP_RETVALUE = 0;");
  }
}

// With the pragma `unmangled` the arguments and the result are members of THIS as well.
static void declare_unmangled(Code &code, const FunctionDecl *f) {
  code.open("struct");
  for (const VarDecl *p : f->parameters) code.line("{}{};", argument_type(p), p->name);
  code.line(f->type == Type::String ? "char *__retvalue;" : "stap_long __retvalue;");
  std::string values;
  for (const VarDecl *p : f->parameters) values += fmt::format("STAP_ARG_{}, ", p->name);
  code.close(fmt::format(" this_function = {{{}STAP_RETVALUE}};", values));
}

static void define_macros(Code &code, const FunctionDecl *f) {
  code.line(f->type == Type::String
                ? "#define STAP_RETURN(...) "
                  "do { __VA_OPT__(stap_c_return(c, STAP_RETVALUE, (__VA_ARGS__));) goto out; } while (0)"
                : "#define STAP_RETURN(...) do { __VA_OPT__(STAP_RETVALUE = (__VA_ARGS__);) goto out; } while (0)");
  if (!f->pragmas.unmangled) return;
  code.line("#define THIS (&this_function)");
  code.line("#define STAP_RETVALUE THIS->__retvalue");
  for (const VarDecl *p : f->parameters) code.line("#define STAP_ARG_{0} THIS->{0}", p->name);
}

static void undefine_macros(Code &code, const FunctionDecl *f) {
  code.line("#undef STAP_RETURN");
  if (!f->pragmas.unmangled) return;
  code.line("#undef THIS");
  code.line("#undef STAP_RETVALUE");
  for (const VarDecl *p : f->parameters) code.line("#undef STAP_ARG_{}", p->name);
}

static void documented_body(Code &code, const FunctionDecl *f) {
  if (f->type == Type::String) code.line("struct stap_str result = {\"\", 0};");
  else if (f->type == Type::Long) code.line("stap_long result = 0;");
  code.open("");
  code.line("__label__ out;");
  declare_documented(code, f);
  if (f->pragmas.unmangled) declare_unmangled(code, f);
  define_macros(code, f);
  code.open("");
  code.line(with_line_numbers(f->embedded_place, f->embedded_c, f->pragmas));
  code.close();
  code.label("out");
  code.line(f->type == Type::String ? "result = STAP_RETVALUE ? stap_cstr(STAP_RETVALUE) : result;"
            : f->type == Type::Long ? "result = STAP_RETVALUE;"
                                    : "(void)STAP_RETVALUE;");
  undefine_macros(code, f);
  code.close();
  if (f->type != Type::Void) code.line("return result;");
}

static void slices_body(Code &code, const FunctionDecl *f) {
  if (f->type == Type::String) code.line("struct stap_str STAP_RETVALUE = {\"\", 0};");
  else if (f->type == Type::Long) code.line("stap_long STAP_RETVALUE = 0;");
  code.line("(void)c;");
  code.line("#define STAP_RETURN(...) do { __VA_OPT__(STAP_RETVALUE = (__VA_ARGS__);) goto out; } while (0)");
  code.open("");
  code.line(with_line_numbers(f->embedded_place, f->embedded_c, f->pragmas));
  code.close();
  code.label("out");
  code.line(f->type == Type::Void ? ";" : "return STAP_RETVALUE;");
  code.line("#undef STAP_RETURN");
}

std::string emit_embedded_function(const FunctionDecl *f) {
  Code code;
  code.line(comment_at(f->place, "function " + f->name));
  code.line(emit_prototype(f));
  code.open("");
  if (f->pragmas.abi) slices_body(code, f);
  else documented_body(code, f);
  code.close();
  return code.text();
}

// --- blocks and expressions ---------------------------------------------------

void FunctionEmitter::embedded_statement(const Embedded *st) {
  source_comment(st->place);
  set_place(st->place, "embedded code");
  code.open("");
  std::string mark = fresh("temps");
  code.line("__label__ out;");
  code.line("const u32 {} = stap_temps(c);", mark);
  code.line("{{ {}\n}}", with_line_numbers(st->place, st->text, st->pragmas));
  code.label("out");
  code.line("stap_temps_release(c, {});", mark);
  code.close();
  check();
}

Value FunctionEmitter::embedded_expression(const EmbeddedExpr *e) {
  const std::string text = with_line_numbers(e->place, e->text, e->pragmas);
  if (e->type == Type::String) return string_temp(fmt::format("stap_str_copy(c, stap_cstr({}\n))", text));
  return long_temp(fmt::format("(stap_long)({}\n)", text));
}
