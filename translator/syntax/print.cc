// SPDX-License-Identifier: GPL-2.0-or-later
// The tree in the script language again, with no more parentheses than it takes to parse to the same tree.
#include <cinttypes>
#include <cstdio>

#include "base/session.h"
#include "syntax/ast.h"
#include "syntax/print.h"

namespace {

// How tightly an expression binds; the order is the grammar's.
enum Level {
  Lowest,
  AssignLevel,
  TernaryLevel,
  OrLevel,
  AndLevel,
  BitOrLevel,
  XorLevel,
  BitAndLevel,
  InLevel,
  EqualLevel,
  RelationLevel,
  ShiftLevel,
  ConcatLevel,
  AddLevel,
  MulLevel,
  UnaryLevel,
  PostfixLevel,
  PrimaryLevel
};

std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      default:
        if (c >= 0x20 && c != 0x7f) {
          out += static_cast<char>(c);
        } else {
          char octal[5];  // always three digits: one that follows is not taken in
          std::snprintf(octal, sizeof octal, "\\%03o", c);
          out += octal;
        }
    }
  }
  return out + "\"";
}

Level level_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Sub: return AddLevel;
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Mod: return MulLevel;
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::ShrLogical: return ShiftLevel;
    case BinaryOp::And: return BitAndLevel;
    case BinaryOp::Or: return BitOrLevel;
    case BinaryOp::Xor: return XorLevel;
  }
  return Lowest;
}

bool takes_address(const Expr *e) {
  if (auto *t = as<Target>(e)) return t->address_of;
  if (auto *t = as<AtVar>(e)) return t->address_of;
  if (auto *t = as<Cast>(e)) return t->address_of;
  return false;
}

Level level_of(const Expr *e) {
  switch (e->kind) {
    case ExprKind::Assign: return AssignLevel;
    case ExprKind::Ternary: return TernaryLevel;
    case ExprKind::Logical: return static_cast<const Logical *>(e)->is_or ? OrLevel : AndLevel;
    case ExprKind::Binary: return level_of(static_cast<const Binary *>(e)->op);
    case ExprKind::ArrayIn: return InLevel;
    case ExprKind::Compare: return static_cast<const Compare *>(e)->op <= CompareOp::Ne ? EqualLevel : RelationLevel;
    case ExprKind::RegexMatch: return EqualLevel;
    case ExprKind::Concat: return ConcatLevel;
    case ExprKind::Unary:
    case ExprKind::PreStep: return UnaryLevel;
    case ExprKind::PostStep: return PostfixLevel;
    case ExprKind::Number: {
      const int64_t value = static_cast<const Number *>(e)->value;
      return value < 0 ? UnaryLevel : PrimaryLevel;
    }
    case ExprKind::Target:
    case ExprKind::AtVar:
    case ExprKind::Cast: return takes_address(e) ? UnaryLevel : PrimaryLevel;
    case ExprKind::String:
    case ExprKind::Symbol:
    case ExprKind::Index:
    case ExprKind::HistogramIndex:
    case ExprKind::Call:
    case ExprKind::Format:
    case ExprKind::Statistic:
    case ExprKind::Histogram:
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
    case ExprKind::Kept: break;
  }
  return PrimaryLevel;
}

class Printer {
 public:
  std::string out;

  void expr(const Expr *e, Level at_least = Lowest);
  void stmt(const Stmt *s);
  void probe(const ProbeDecl &p);
  void global(const VarDecl &v);
  void function(const FunctionDecl &f, bool is_tapset);
  void point(const ProbePoint &p);

 private:
  void plain(const Expr *e);
  void lowered(const Expr *e);
  void infix(const Expr *left, const char *op, const Expr *right, Level level);
  void list(const std::vector<Expr *> &items);
  void unary(const Unary *e);
  void assign(const Assign *e);
  void array_in(const ArrayIn *e);
  void format(const Format *e);
  void statistic(const Statistic *e);
  void histogram(const Histogram *e);
  void components(const std::vector<TargetComponent> &list);
  void cast(const Cast *e);
  void autocast_operand(const Cast *e);
  void foreach (const Foreach *s);
  void foreach_head(const Foreach *s);
  void if_else(const If *s);
  void for_loop(const For *s);
  void body(const Stmt *s);
  void block(const Block *b);
  void line() { out += "\n" + std::string(2 * indent_, ' '); }
  void points(const std::vector<ProbePoint *> &list);
  int indent_ = 0;
};

void Printer::expr(const Expr *e, Level at_least) {
  if (!e) {
    out += '*';  // a slice's key
    return;
  }
  const bool parentheses = level_of(e) < at_least;
  if (parentheses) out += '(';
  if (takes_address(e)) out += '&';
  plain(e);
  if (parentheses) out += ')';
}

void Printer::infix(const Expr *left, const char *op, const Expr *right, Level level) {
  expr(left, level);
  out += std::string(" ") + op + " ";
  expr(right, static_cast<Level>(level + 1));
}

void Printer::list(const std::vector<Expr *> &items) {
  bool first = true;
  for (const Expr *item : items) {
    if (!first) out += ", ";
    first = false;
    expr(item);
  }
}

void Printer::plain(const Expr *e) {
  if (auto *n = as<Number>(e)) {
    out += std::to_string(n->value);
  } else if (auto *n = as<String>(e)) {
    out += quoted(n->value);
  } else if (auto *n = as<Symbol>(e)) {
    out += n->name;
  } else if (auto *n = as<Index>(e)) {
    out += n->base->name + "[";
    list(n->keys);
    out += ']';
  } else if (auto *n = as<HistogramIndex>(e)) {
    expr(n->histogram, PrimaryLevel);
    out += '[';
    expr(n->bucket);
    out += ']';
  } else if (auto *n = as<Unary>(e)) {
    unary(n);
  } else if (auto *n = as<Binary>(e)) {
    infix(n->left, spelling(n->op), n->right, level_of(n->op));
  } else if (auto *n = as<Compare>(e)) {
    infix(n->left, spelling(n->op), n->right, level_of(n));
  } else if (auto *n = as<Logical>(e)) {
    infix(n->left, n->is_or ? "||" : "&&", n->right, level_of(n));
  } else if (auto *n = as<Concat>(e)) {
    infix(n->left, ".", n->right, ConcatLevel);
  } else if (auto *n = as<RegexMatch>(e)) {
    infix(n->text, n->negated ? "!~" : "=~", n->pattern, EqualLevel);
  } else if (auto *n = as<Ternary>(e)) {
    expr(n->condition, OrLevel);
    out += " ? ";
    expr(n->yes);
    out += " : ";
    expr(n->no, TernaryLevel);
  } else if (auto *n = as<ArrayIn>(e)) {
    array_in(n);
  } else if (auto *n = as<Assign>(e)) {
    assign(n);
  } else if (auto *n = as<PreStep>(e)) {
    out += n->decrement ? "--" : "++";
    expr(n->target, PrimaryLevel);
  } else if (auto *n = as<PostStep>(e)) {
    expr(n->target, PrimaryLevel);
    out += n->decrement ? "--" : "++";
  } else if (auto *n = as<Call>(e)) {
    out += n->name + "(";
    list(n->args);
    out += ')';
  } else if (auto *n = as<Format>(e)) {
    format(n);
  } else {
    lowered(e);
  }
}

// The operators that begin with @ or $, and what elaboration makes of them.
void Printer::lowered(const Expr *e) {
  auto operation = [this](const std::string &name, const Expr *operand) {
    out += name + "(";
    expr(operand);
    out += ')';
  };
  if (auto *n = as<Statistic>(e)) {
    statistic(n);
  } else if (auto *n = as<Histogram>(e)) {
    histogram(n);
  } else if (auto *n = as<Target>(e)) {
    out += n->name;
    components(n->components);
  } else if (auto *n = as<AtVar>(e)) {
    out += "@var(" + quoted(n->name) + (n->module.empty() ? "" : ", " + quoted(n->module)) + ")";
    components(n->components);
  } else if (auto *n = as<Cast>(e)) {
    cast(n);
  } else if (auto *n = as<Defined>(e)) {
    operation("@defined", n->operand);
  } else if (auto *n = as<Entry>(e)) {
    operation("@entry", n->operand);
  } else if (auto *n = as<Perf>(e)) {
    out += "@perf(" + quoted(n->counter) + ")";
  } else if (auto *n = as<Intrinsic>(e)) {
    out += "@" + n->name;
    if (n->args.empty()) return;
    out += '(';
    list(n->args);
    out += ')';
  } else if (auto *n = as<EmbeddedExpr>(e)) {
    out += "%{" + n->text + "%}";
  } else if (auto *n = as<Register>(e)) {
    out += "@kregister(" + std::to_string(n->dwarf_number) + ")";
  } else if (auto *n = as<Deref>(e)) {
    operation(std::string(n->user ? "@uderef(" : "@kderef(") + std::to_string(n->size) + ", ", n->address);
    if (n->bit_width) out += " /* bits " + std::to_string(n->bit_shift) + "+" + std::to_string(n->bit_width) + " */";
  } else if (auto *n = as<DerefString>(e)) {
    operation(n->user ? "user_string" : "kernel_string", n->address);
  } else if (auto *n = as<EnumName>(e)) {
    operation("@enumname", n->operand);
  } else if (auto *n = as<Kept>(e)) {
    expr(n->value);
  } else if (auto *n = as<SavedValue>(e)) {
    out += "@saved(" + std::to_string(n->index) + ")";
  } else if (auto *n = as<SymbolAddress>(e)) {
    out += "@symbol(" + std::to_string(n->symbol) + ")";
  }
}

// A blank where two signs would run into one token: `- -x`, `! ~x`.
void Printer::unary(const Unary *e) {
  const char sign = "-+!~&"[static_cast<int>(e->op)];
  out += sign;
  const size_t behind = out.size();
  // -(5) is not the literal -5.
  auto *literal = as<Number>(e->operand);
  const bool bracketed = e->op == UnaryOp::Negate && literal && literal->value >= 0;
  expr(e->operand, bracketed                   ? static_cast<Level>(PrimaryLevel + 1)
                   : e->op == UnaryOp::Address ? PrimaryLevel
                                               : UnaryLevel);
  const char next = out[behind];
  if (next == sign || (sign == '!' && next == '~')) out.insert(behind, " ");
}

void Printer::assign(const Assign *e) {
  expr(e->target, PrimaryLevel);
  switch (e->assign) {
    case AssignKind::Plain: out += " = "; break;
    case AssignKind::Aggregate: out += " <<< "; break;
    case AssignKind::Concat: out += " .= "; break;
    case AssignKind::Arithmetic: out += std::string(" ") + spelling(e->op) + "= "; break;
  }
  expr(e->value, AssignLevel);
}

void Printer::array_in(const ArrayIn *e) {
  const Index *element = e->element;
  if (element->keys.size() == 1 && element->keys[0]) {
    expr(element->keys[0], InLevel);
  } else {
    out += '[';
    list(element->keys);
    out += ']';
  }
  out += " in " + element->base->name;
}

void Printer::format(const Format *e) {
  out += e->name + "(";
  std::string separator;
  if (e->has_format) out += quoted(e->format), separator = ", ";
  if (e->has_delimiter) expr(e->delimiter), separator = ", ";
  if (e->histogram) expr(e->histogram);
  if (!e->args.empty()) out += separator;
  list(e->args);
  out += ')';
}

void Printer::statistic(const Statistic *e) {
  out += std::string(spelling(e->op)) + "(";
  expr(e->stat);
  if (e->shift) out += ", " + std::to_string(e->shift);
  out += ')';
}

void Printer::histogram(const Histogram *e) {
  out += e->use.logarithmic ? "@hist_log(" : "@hist_linear(";
  expr(e->stat);
  if (!e->use.logarithmic)
    out += ", " + std::to_string(e->use.low) + ", " + std::to_string(e->use.high) + ", " + std::to_string(e->use.step);
  out += ')';
}

void Printer::components(const std::vector<TargetComponent> &list) {
  for (const TargetComponent &c : list) {
    switch (c.kind) {
      case TargetComponent::Kind::Member: out += "->" + c.member; break;
      case TargetComponent::Kind::Index: {
        Number n;
        n.value = c.index;
        out += '[';
        expr(&n);
        out += ']';
        break;
      }
      case TargetComponent::Kind::ExprIndex:
        out += '[';
        expr(c.expr_index);
        out += ']';
        break;
      case TargetComponent::Kind::Pretty: out += '$'; break;
      case TargetComponent::Kind::PrettyDeep: out += "$$"; break;
    }
  }
}

// Parentheses keep the operand's own components apart from the cast's, and `(name)[i]` from an array's element.
void Printer::autocast_operand(const Cast *e) {
  const Expr *operand = e->operand;
  const bool subscripted = !e->components.empty() && e->components[0].kind != TargetComponent::Kind::Member;
  const bool merges =
      as<Target>(operand) || as<AtVar>(operand) || as<Cast>(operand) || (as<Symbol>(operand) && subscripted);
  if (merges) out += '(';
  expr(operand, merges ? Lowest : PrimaryLevel);
  if (merges) out += ')';
}

void Printer::cast(const Cast *e) {
  if (e->type_name.empty()) {
    autocast_operand(e);
  } else {
    out += "@cast(";
    expr(e->operand);
    out += ", " + quoted(e->type_name) + (e->module.empty() ? "" : ", " + quoted(e->module)) + ")";
  }
  components(e->components);
}

// ---------------------------------------------------------------- statements

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
bool ends_in_open_if(const Stmt *s) {
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
      out += t->message ? " catch (" + t->message->name + ") " : " catch ";
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

}  // namespace

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

const char *spelling(BinaryOp op) {
  static const char *const names[] = {"+", "-", "*", "/", "%", "<<", ">>", ">>>", "&", "|", "^"};
  return names[static_cast<int>(op)];
}

const char *spelling(CompareOp op) {
  static const char *const names[] = {"==", "!=", "<", "<=", ">", ">="};
  return names[static_cast<int>(op)];
}

const char *spelling(StatisticOp op) {
  static const char *const names[] = {"@count", "@sum", "@min", "@max", "@avg", "@variance"};
  return names[static_cast<int>(op)];
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
