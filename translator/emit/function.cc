// SPDX-License-Identifier: GPL-2.0-or-later
// Script functions to C functions.
#include <fmt/core.h>

#include "emit/emit.h"

static std::string parameter_name(const FunctionDecl *f, const VarDecl *p) {
  if (f->is_embedded) return embedded_parameter_name(f, p);
  if (p->type == Type::String && parameter_is_assigned(f, p)) return "given_" + p->unique_name;
  return p->unique_name;
}

std::string emit_prototype(const FunctionDecl *f) {
  std::string parameters = "struct stap_ctx *c";
  for (const VarDecl *p : f->parameters) parameters += fmt::format(", {} {}", c_type(p->type), parameter_name(f, p));
  return fmt::format("static {} {}({})", c_type(f->type), f->unique_name, parameters);
}

void FunctionEmitter::declare_locals(const std::vector<VarDecl *> &locals) {
  for (const VarDecl *local : locals) {
    if (local->type == Type::String) code.line("struct stap_strvar {} = {{0}};", local->unique_name);
    else code.line("stap_long {} = 0;", local->unique_name);
    code.line("(void){};", local->unique_name);
  }
}

void FunctionEmitter::declare_parameters() {
  for (const VarDecl *p : function_->parameters) {
    if (p->type != Type::String || !parameter_is_assigned(function_, p)) continue;
    code.line("struct stap_strvar {} = {{0}};", p->unique_name);
    code.line("stap_strvar_set(c, &{}, {});", p->unique_name, parameter_name(function_, p));
    check();
  }
}

static std::string emit_script_function(ModuleTables &tables, const FunctionDecl *f) {
  FunctionEmitter body(tables, f);
  Code &code = body.code;
  code.line(comment_at(f->place, "function " + f->name));
  code.line(emit_prototype(f));
  code.open("");
  if (f->type == Type::String) code.line("struct stap_str result = {\"\", 0};");
  else if (f->type == Type::Long) code.line("stap_long result = 0;");
  code.line("const struct stap_marks frame = stap_frame(c);");
  body.declare_locals(f->locals);
  code.line("if (stap_call_enter(c))");
  code.line(f->type == Type::Void ? "\treturn;" : "\treturn result;");
  body.declare_parameters();
  if (f->body) body.statement(f->body);
  code.label("out");
  code.line("stap_call_leave(c);");
  if (f->type == Type::String) {
    code.line("return stap_frame_return(c, frame, result);");
  } else {
    code.line("stap_frame_release(c, frame);");
    if (f->type == Type::Long) code.line("return result;");
  }
  code.close();
  return code.text();
}

std::string emit_function(ModuleTables &tables, const FunctionDecl *f) {
  return f->is_embedded ? emit_embedded_function(f) : emit_script_function(tables, f);
}
