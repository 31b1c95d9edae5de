// SPDX-License-Identifier: GPL-2.0-or-later
// Statements, declarations and whole scripts in the script language again.
#include <fmt/core.h>

#include "base/session.h"
#include "syntax/ast.h"
#include "syntax/print.h"
#include "syntax/printer.h"

namespace print {

void Printer::block(const Block *b) {
  out += '{';
  indent_++;
  for (const Stmt *s : b->statements) {
    line();
    stmt(s);
  }
  indent_--;
  line();
  out += '}';
}

void Printer::body(const Stmt *s) {
  if (s->kind == StmtKind::Block) {
    out += ' ';
    return stmt(s);
  }
  indent_++;
  line();
  stmt(s);
  indent_--;
}

// Whether an `else` behind the statement would be taken for its own.
static bool ends_in_open_if(const Stmt *s) {
  if (auto *i = as<If>(s)) return i->no ? ends_in_open_if(i->no) : true;
  if (auto *w = as<While>(s)) return ends_in_open_if(w->body);
  if (auto *f = as<For>(s)) return ends_in_open_if(f->body);
  if (auto *f = as<Foreach>(s)) return ends_in_open_if(f->body);
  return false;
}

void Printer::if_else(const If *s) {
  out += "if (";
  expr(s->condition);
  out += ')';
  const bool braces = s->no && ends_in_open_if(s->yes);  // the parser never makes this; optimizations may
  if (braces) out += " {";
  body(s->yes);
  if (braces) out += " }";
  if (!s->no) return;
  if (s->yes->kind == StmtKind::Block) out += ' ';
  else line();
  out += "else";
  if (s->no->kind == StmtKind::If) {
    out += ' ';
    return stmt(s->no);
  }
  body(s->no);
}

void Printer::for_loop(const For *s) {
  out += "for (";
  if (s->init) expr(s->init);
  out += "; ";
  if (s->condition) expr(s->condition);
  out += "; ";
  if (s->step) expr(s->step);
  out += ')';
  body(s->body);
}

void Printer::foreach_head(const Foreach *s) {
  const std::string sign = s->sort_direction > 0 ? "+" : s->sort_direction < 0 ? "-" : "";
  if (s->value) out += s->value->name + " = ";
  if (s->keys.size() != 1) out += '[';
  for (size_t i = 0; i < s->keys.size(); i++)
    out += (i ? ", " : "") + s->keys[i]->name + (s->sort_key == static_cast<int>(i) ? sign : "");
  if (s->keys.size() != 1) out += ']';
  out += " in ";
  if (s->histogram) expr(s->histogram);
  if (s->array) out += s->array->name;
  if (!s->slice.empty()) {
    out += '[';
    list(s->slice);
    out += ']';
  }
  if (s->sort_by_statistic) out += std::string(" ") + spelling(s->sort_statistic);
  if (s->sort_key < 0) out += sign;
}

void Printer::foreach (const Foreach *s) {
  out += "foreach (";
  foreach_head(s);
  if (s->limit) {
    out += " limit ";
    expr(s->limit);
  }
  out += ')';
  body(s->body);
}

void Printer::stmt(const Stmt *s) {
  switch (s->kind) {
    case StmtKind::Block: return block(static_cast<const Block *>(s));
    case StmtKind::Empty: out += ';'; return;
    case StmtKind::Expression:
      expr(static_cast<const ExprStmt *>(s)->expr);
      out += ';';
      return;
    case StmtKind::If: return if_else(static_cast<const If *>(s));
    case StmtKind::While:
      out += "while (";
      expr(static_cast<const While *>(s)->condition);
      out += ')';
      return body(static_cast<const While *>(s)->body);
    case StmtKind::For: return for_loop(static_cast<const For *>(s));
    case StmtKind::Foreach: return foreach (static_cast<const Foreach *>(s));
    case StmtKind::Break: out += "break;"; return;
    case StmtKind::Continue: out += "continue;"; return;
    case StmtKind::Next: out += "next;"; return;
    case StmtKind::Return:
      out += "return";
      if (auto *value = static_cast<const Return *>(s)->value) out += ' ', expr(value);
      out += ';';
      return;
    case StmtKind::Try: {
      auto *t = static_cast<const Try *>(s);
      out += "try ";
      block(t->body);
      out += t->message ? fmt::format(" catch ({}) ", t->message->name) : " catch ";
      return block(t->handler);
    }
    case StmtKind::Delete:
      out += "delete ";
      expr(static_cast<const Delete *>(s)->target);
      out += ';';
      return;
    case StmtKind::Embedded: out += "%{" + static_cast<const Embedded *>(s)->text + "%}"; return;
  }
}

// ---------------------------------------------------------------- declarations

void Printer::point(const ProbePoint &p) {
  bool first = true;
  for (const ProbeComponent &c : p.components) {
    if (!first) out += '.';
    first = false;
    out += c.name;
    if (c.arg == ProbeComponent::Arg::Number) out += "(" + std::to_string(c.number) + ")";
    if (c.arg == ProbeComponent::Arg::String) out += "(" + quoted(c.string) + ")";
  }
  if (p.optional) out += '?';
  if (p.sufficient) out += '!';
  if (p.condition) {
    out += " if (";
    expr(p.condition);
    out += ')';
  }
}

void Printer::points(const std::vector<ProbePoint *> &list) {
  bool first = true;
  for (const ProbePoint *p : list) {
    if (!first) out += ", ";
    first = false;
    point(*p);
  }
}

void Printer::probe(const ProbeDecl &p) {
  out += "probe ";
  if (!p.alias_names.empty()) {
    points(p.alias_names);
    out += p.alias_is_epilogue ? " += " : " = ";
  }
  points(p.points);
  out += ' ';
  block(p.body);
  if (p.epilogue) {
    out += ", ";
    block(p.epilogue);
  }
  out += '\n';
}

void Printer::global(const VarDecl &v) {
  out += (v.is_private ? "private global " : "global ") + v.name;
  if (v.wraps) out += '%';
  if (v.max_entries) out += "[" + std::to_string(v.max_entries) + "]";
  if (v.initial) {
    out += " = ";
    expr(v.initial);
  }
  out += '\n';
}

void Printer::function(const FunctionDecl &f, bool is_tapset) {
  auto type = [](Type t) {
    return t == Type::Long || t == Type::String ? std::string(":") + type_name(t) : std::string();
  };
  out += (f.is_private ? "private function " : "function ") + f.name + (f.type_is_declared ? type(f.type) : "") + "(";
  bool first = true;
  for (const VarDecl *p : f.parameters) {
    if (!first) out += ", ";
    first = false;
    out += p->name + type(p->type);
  }
  out += ')';
  if (f.priority != (is_tapset ? 1 : 0)) out += ":" + std::to_string(f.priority);
  out += ' ';
  if (f.is_embedded) out += "%{" + f.embedded_c + "%}";
  else if (f.body) block(f.body);
  out += '\n';
}

}  // namespace print

using print::Printer;

std::string print_script(const ScriptFile &file) {
  Printer p;
  for (const EmbeddedCode *c : file.embedded) p.out += "%{" + c->text + "%}\n";
  for (const VarDecl *v : file.globals) p.global(*v);
  for (const ProbeDecl *a : file.aliases) p.probe(*a);
  for (const ProbeDecl *d : file.probes) p.probe(*d);
  for (const FunctionDecl *f : file.functions) p.function(*f, file.source->is_tapset);
  return std::move(p.out);
}

std::string print_expr(const Expr *e) {
  Printer p;
  p.expr(e);
  return std::move(p.out);
}

std::string print_stmt(const Stmt *s) {
  Printer p;
  p.stmt(s);
  return std::move(p.out);
}

std::string to_string(const ProbePoint &point) {
  Printer p;
  p.point(point);
  return std::move(p.out);
}

const char *type_name(Type t) {
  switch (t) {
    case Type::Long: return "long";
    case Type::String: return "string";
    case Type::Stats: return "stats";
    case Type::Void: return "void";
    case Type::Unknown: break;
  }
  return "unknown";
}
