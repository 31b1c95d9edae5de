// SPDX-License-Identifier: GPL-2.0-or-later
// Keys of trees: every field of every node that the emitter looks at, children included, in one text without ambiguity.
#include "syntax/tree_key.h"

#include "syntax/format_spec.h"

void TreeKey::add(int64_t number) { text_ += std::to_string(number) + ","; }

void TreeKey::add(const std::string &text) {
  add(static_cast<int64_t>(text.size()));
  text_ += text;
}

void TreeKey::address(const void *node) { add(static_cast<int64_t>(reinterpret_cast<intptr_t>(node))); }

void TreeKey::add(const Place &place) {
  if (options_.ignore_places) return;
  address(place.file);
  add(place.line);
  add(place.col);
}

void TreeKey::add(const VarDecl *decl) {
  if (!decl || decl->kind == VarDecl::Kind::Global) {
    text_ += 'g';
    return address(decl);
  }
  text_ += decl->kind == VarDecl::Kind::Parameter ? 'p' : 'l';
  add(locals_.try_emplace(decl, static_cast<int64_t>(locals_.size())).first->second);
  add(static_cast<int64_t>(decl->type));
}

void TreeKey::format(const Format *e) {
  add(e->name);
  add(e->to_string | e->has_format << 1 | e->has_delimiter << 2 | e->newline << 3 | e->lenient << 4 |
      (e->delimiter != nullptr) << 5 | (e->histogram != nullptr) << 6);
  if (!e->lenient || !options_.probe_brings_formats) return add(e->format);
  for (const FormatDirective &d : format_directives(e->format))
    if (d.conversion) add(std::string(1, d.conversion) + (d.width_star ? "w" : "") + (d.precision_star ? "p" : ""));
}

void TreeKey::assign(const Assign *e) {
  add(static_cast<int64_t>(e->assign));
  add(static_cast<int64_t>(e->op));
  add(e->op_place);
}

void TreeKey::histogram(const HistogramUse &use) {
  for (int64_t n : {static_cast<int64_t>(use.logarithmic), use.low, use.high, use.step}) add(n);
}

void TreeKey::target_register(const Register *e) {
  add(e->dwarf_number);
  add(e->user | e->may_fail << 1);
}

void TreeKey::deref(const Deref *e) {
  for (int64_t n : {e->size, e->bit_shift, e->bit_width}) add(n);
  add(e->is_signed | e->user << 1);
}

// What a node has besides its type, its place and its children.
void TreeKey::details(const Expr *e) {
  switch (e->kind) {
    case ExprKind::Number: return add(static_cast<const Number *>(e)->value);
    case ExprKind::String: return add(static_cast<const String *>(e)->value);
    case ExprKind::Symbol: return add(static_cast<const Symbol *>(e)->decl);
    case ExprKind::Index:
      for (const Expr *key : static_cast<const Index *>(e)->keys) text_ += key ? 'k' : '*';
      return;
    case ExprKind::Unary: return add(static_cast<int64_t>(static_cast<const Unary *>(e)->op));
    case ExprKind::Binary:
      add(static_cast<int64_t>(static_cast<const Binary *>(e)->op));
      return add(static_cast<const Binary *>(e)->op_place);
    case ExprKind::Compare: return add(static_cast<int64_t>(static_cast<const Compare *>(e)->op));
    case ExprKind::Logical: return add(static_cast<const Logical *>(e)->is_or);
    case ExprKind::Concat: return add(static_cast<const Concat *>(e)->is_chain);
    case ExprKind::RegexMatch: return add(static_cast<const RegexMatch *>(e)->negated);
    case ExprKind::Assign: return assign(static_cast<const Assign *>(e));
    case ExprKind::PreStep: return add(static_cast<const PreStep *>(e)->decrement);
    case ExprKind::PostStep: return add(static_cast<const PostStep *>(e)->decrement);
    case ExprKind::Call:
      add(static_cast<const Call *>(e)->name);
      for (const FunctionDecl *f : static_cast<const Call *>(e)->callees) address(f == options_.self ? nullptr : f);
      return;
    case ExprKind::Format: return format(static_cast<const Format *>(e));
    case ExprKind::Statistic:
      add(static_cast<int64_t>(static_cast<const Statistic *>(e)->op));
      return add(static_cast<const Statistic *>(e)->shift);
    case ExprKind::Histogram: return histogram(static_cast<const Histogram *>(e)->use);
    case ExprKind::EmbeddedExpr: return add(static_cast<const EmbeddedExpr *>(e)->text);
    case ExprKind::Register: return target_register(static_cast<const Register *>(e));
    case ExprKind::Deref: return deref(static_cast<const Deref *>(e));
    case ExprKind::DerefString:
      add(static_cast<const DerefString *>(e)->max);
      return add(static_cast<const DerefString *>(e)->user);
    case ExprKind::SavedValue:
      add(static_cast<const SavedValue *>(e)->index);
      add(static_cast<const SavedValue *>(e)->offset);
      return add(static_cast<const SavedValue *>(e)->faults);
    case ExprKind::SymbolAddress: return add(static_cast<const SymbolAddress *>(e)->symbol);
    case ExprKind::Perf: return add(static_cast<const Perf *>(e)->counter);
    case ExprKind::EventValue:
      add(static_cast<int64_t>(static_cast<const EventValue *>(e)->part));
      return add(static_cast<const EventValue *>(e)->index);
    case ExprKind::EnumName: return add(static_cast<const EnumName *>(e)->enumeration);
    case ExprKind::Kept: add(static_cast<const Kept *>(e)->slot); return add(static_cast<const Kept *>(e)->known);
    case ExprKind::Ternary:
    case ExprKind::ArrayIn:
    case ExprKind::HistogramIndex: return;
    // None of these is left when trees are compared. If one were, it would have to differ from every other.
    case ExprKind::Target:
    case ExprKind::AtVar:
    case ExprKind::Cast:
    case ExprKind::Defined:
    case ExprKind::Entry:
    case ExprKind::Intrinsic: return address(e);
  }
}

void TreeKey::add(const Expr *e) {
  if (!e) {
    text_ += '-';
    return;
  }
  text_ += "(";
  add(static_cast<int64_t>(e->kind));
  add(static_cast<int64_t>(e->type));
  add(e->place);
  details(e);
  for_each_child(const_cast<Expr *>(e), [&](Expr *&child) { add(child); });
  text_ += ")";
}

void TreeKey::foreach_loop(const Foreach *st) {
  for (const Expr *key : st->slice) text_ += key ? 'k' : '*';
  add(static_cast<int64_t>(st->keys.size()));
  add(st->sort_direction);
  add(st->sort_key);
  add(st->sort_by_statistic | (st->value != nullptr) << 1 | (st->array != nullptr) << 2 |
      (st->histogram != nullptr) << 3 | (st->limit != nullptr) << 4);
  add(static_cast<int64_t>(st->sort_statistic));
}

// Which of the statement's optional parts are there, and the fields that are no children.
void TreeKey::details(const Stmt *st) {
  switch (st->kind) {
    case StmtKind::If: return add(static_cast<const If *>(st)->no != nullptr);
    case StmtKind::For: {
      auto *f = static_cast<const For *>(st);
      return add((f->init != nullptr) | (f->condition != nullptr) << 1 | (f->step != nullptr) << 2);
    }
    case StmtKind::Foreach: return foreach_loop(static_cast<const Foreach *>(st));
    case StmtKind::Try: {
      auto *t = static_cast<const Try *>(st);
      return add((t->message != nullptr) | (t->handler != nullptr) << 1);
    }
    case StmtKind::Embedded: return add(static_cast<const Embedded *>(st)->text);
    case StmtKind::Block:
    case StmtKind::Empty:
    case StmtKind::Expression:
    case StmtKind::While:
    case StmtKind::Break:
    case StmtKind::Continue:
    case StmtKind::Return:
    case StmtKind::Next:
    case StmtKind::Delete: return;
  }
}

void TreeKey::add(const Stmt *st) {
  if (!st) {
    text_ += '-';
    return;
  }
  text_ += "{";
  add(static_cast<int64_t>(st->kind));
  add(st->place);
  details(st);
  for_each_child(
      const_cast<Stmt *>(st), [&](Expr *&child) { add(child); }, [&](Stmt *&child) { add(child); });
  text_ += "}";
}
