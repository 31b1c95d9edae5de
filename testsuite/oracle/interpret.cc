// SPDX-License-Identifier: GPL-2.0-or-later
// The oracle's statements and storage: control flow, loops over arrays, try/catch, calls, variables.
#include "interpret.h"
#include "syntax/print.h"

#include <algorithm>
#include <stdexcept>

#include "sema/match.h"

Interpreter::Interpreter(Session &s) : s_(s), max_string_(s.limits.max_string_len - 1) {}

std::string Interpreter::run() {
  for (const VarDecl *g : s_.program.globals) {
    if (auto *n = as<Number>(g->initial)) globals_[g].value.number = n->value;
    if (auto *t = as<String>(g->initial)) globals_[g].value = text(t->value);
  }
  for (const char *kind : {"begin", "end"})
    for (const DerivedProbe *p : s_.program.probes)
      if (p->point.rfind(kind, 0) == 0) run_probe(*p);
  return output_;
}

void Interpreter::run_probe(const DerivedProbe &probe) {
  Locals locals;
  locals_ = &locals;
  match_ = Match();
  try {
    run(probe.body);
  } catch (const ScriptError &) {
    // It is reported, and the other probes go on (MAXERRORS is large).
  }
}

// ---------------------------------------------------------------- storage

Storage &Interpreter::storage(const VarDecl *decl) {
  return decl->kind == VarDecl::Kind::Global ? globals_[decl] : (*locals_)[decl];
}

void Interpreter::store(const VarDecl *decl, const Value &v) {
  storage(decl).value = decl->type == Type::String ? text(v.text) : v;
}

Element *Interpreter::find(const VarDecl *array, const std::vector<Value> &keys) {
  for (Element &e : storage(array).elements)
    if (e.keys == keys) return &e;
  return nullptr;
}

Element &Interpreter::obtain(const VarDecl *array, const std::vector<Value> &keys) {
  if (Element *e = find(array, keys)) return *e;
  auto &elements = storage(array).elements;
  const int64_t most = array->max_entries ? array->max_entries : s_.limits.max_map_entries;
  if (static_cast<int64_t>(elements.size()) >= most) {
    if (!array->wraps)
      throw ScriptError{array->max_entries ? "Array overflow, check size limit (" + std::to_string(most) + ")"
                                           : "Array overflow, check MAXMAPENTRIES"};
    elements.pop_front();
  }
  elements.push_back({keys, {}, {}});
  return elements.back();
}

// ---------------------------------------------------------------- statements

Interpreter::Flow Interpreter::run_block(const Block *block) {
  for (const Stmt *st : block->statements)
    if (Flow flow = run(st); flow != Flow::Normal) return flow;
  return Flow::Normal;
}

Interpreter::Flow Interpreter::run_loop(const Expr *condition, const Expr *step, const Stmt *body) {
  while (!condition || is_true(condition)) {
    const Flow flow = run(body);
    if (flow == Flow::Break) break;
    if (flow == Flow::Return || flow == Flow::Next) return flow;
    if (step) value(step);
  }
  return Flow::Normal;
}

// Where the aggregate is, is decided once; what it holds, in each turn.
Interpreter::Flow Interpreter::run_buckets(const Foreach *loop) {
  auto *histogram = static_cast<const Histogram *>(loop->histogram);
  const int64_t limit = loop->limit ? number(loop->limit) : INT64_MAX, count = bucket_count(histogram->use);
  auto *index = loop->value ? as<Index>(histogram->stat) : nullptr;
  const std::vector<Value> at = index ? keys(index->keys) : std::vector<Value>();
  for (int64_t turn = 0; turn < count && turn < limit; turn++) {
    const int64_t bucket = loop->sort_direction < 0 ? count - 1 - turn : turn;
    store(loop->keys[0]->decl, {bucket, ""});
    if (loop->value) {
      const Element *element = index ? find(index->base->decl, at) : nullptr;
      const Aggregate *a = index ? (element ? &element->aggregate : nullptr) : find_aggregate(histogram->stat);
      store(loop->value->decl, {a && a->buckets.count(bucket) ? a->buckets.at(bucket) : 0, ""});
    }
    const Flow flow = run(loop->body);
    if (flow == Flow::Break) break;
    if (flow == Flow::Return || flow == Flow::Next) return flow;
  }
  return Flow::Normal;
}

Interpreter::Flow Interpreter::run_foreach(const Foreach *loop) {
  if (loop->histogram) return run_buckets(loop);
  const VarDecl *array = loop->array->decl;
  const int64_t limit = loop->limit ? number(loop->limit) : INT64_MAX;
  std::vector<Value> slice(loop->slice.size());
  for (size_t i = 0; i < slice.size(); i++)
    if (loop->slice[i]) slice[i] = value(loop->slice[i]);
  std::vector<const Element *> order;
  for (const Element &e : storage(array).elements) order.push_back(&e);
  auto sorts_before = [&](const Element *a, const Element *b) {
    const bool down = loop->sort_direction < 0;
    if (down) std::swap(a, b);
    if (loop->sort_key < 0 && array->type == Type::Stats)
      return statistic_of(loop->sort_statistic, &a->aggregate) < statistic_of(loop->sort_statistic, &b->aggregate);
    const Value &x = loop->sort_key < 0 ? a->value : a->keys[static_cast<size_t>(loop->sort_key)];
    const Value &y = loop->sort_key < 0 ? b->value : b->keys[static_cast<size_t>(loop->sort_key)];
    return x.number != y.number ? x.number < y.number : x.text < y.text;
  };
  if (loop->sort_direction) std::stable_sort(order.begin(), order.end(), sorts_before);
  int64_t visited = 0;
  for (const Element *e : order) {
    bool is_chosen = true;
    for (size_t i = 0; i < slice.size(); i++) is_chosen = is_chosen && (!loop->slice[i] || slice[i] == e->keys[i]);
    if (!is_chosen) continue;
    if (visited++ >= limit) break;
    for (size_t i = 0; i < loop->keys.size(); i++) store(loop->keys[i]->decl, e->keys[i]);
    if (loop->value) store(loop->value->decl, e->value);
    const Flow flow = run(loop->body);
    if (flow == Flow::Break) break;
    if (flow == Flow::Return || flow == Flow::Next) return flow;
  }
  return Flow::Normal;
}

Interpreter::Flow Interpreter::run_try(const Try *st) {
  Locals *const frame = locals_;
  try {
    return run_block(st->body);
  } catch (const ScriptError &e) {
    locals_ = frame;
    if (st->message) store(st->message->decl, {0, e.message});
  }
  return st->handler ? run_block(st->handler) : Flow::Normal;
}

void Interpreter::run_delete(const Delete *st) {
  if (auto *symbol = as<Symbol>(st->target)) {
    storage(symbol->decl) = Storage();
    return;
  }
  auto *index = static_cast<const Index *>(st->target);
  const std::vector<Value> wanted = keys(index->keys);
  storage(index->base->decl).elements.remove_if([&](const Element &e) {
    for (size_t i = 0; i < wanted.size(); i++)
      if (index->keys[i] && !(wanted[i] == e.keys[i])) return false;
    return true;
  });
}

Interpreter::Flow Interpreter::run(const Stmt *st) {
  switch (st->kind) {
    case StmtKind::Block: return run_block(static_cast<const Block *>(st));
    case StmtKind::Empty: return Flow::Normal;
    case StmtKind::Expression: value(static_cast<const ExprStmt *>(st)->expr); return Flow::Normal;
    case StmtKind::If: {
      auto *i = static_cast<const If *>(st);
      if (is_true(i->condition)) return run(i->yes);
      return i->no ? run(i->no) : Flow::Normal;
    }
    case StmtKind::While: {
      auto *w = static_cast<const While *>(st);
      return run_loop(w->condition, nullptr, w->body);
    }
    case StmtKind::For: {
      auto *f = static_cast<const For *>(st);
      if (f->init) value(f->init);
      return run_loop(f->condition, f->step, f->body);
    }
    case StmtKind::Foreach: return run_foreach(static_cast<const Foreach *>(st));
    case StmtKind::Break: return Flow::Break;
    case StmtKind::Continue: return Flow::Continue;
    case StmtKind::Return:
      result_ = static_cast<const Return *>(st)->value ? value(static_cast<const Return *>(st)->value) : Value();
      return Flow::Return;
    case StmtKind::Next: return Flow::Next;
    case StmtKind::Try: return run_try(static_cast<const Try *>(st));
    case StmtKind::Delete: run_delete(static_cast<const Delete *>(st)); return Flow::Normal;
    case StmtKind::Embedded: break;
  }
  throw std::logic_error("a statement that the oracle does not know: " + print_stmt(st));
}

// ---------------------------------------------------------------- calls

Value Interpreter::call(const Call *e) {
  std::vector<Value> args;
  for (const Expr *arg : e->args) args.push_back(value(arg));
  for (const FunctionDecl *f : e->callees) {
    if (f->is_embedded) return call_library(e, args);
    Locals frame, *caller = locals_;
    for (size_t i = 0; i < args.size(); i++) frame[f->parameters[i]].value = args[i];
    locals_ = &frame;
    result_ = Value();
    const Flow flow = run(f->body);
    locals_ = caller;
    const Value result = flow == Flow::Return ? result_ : Value();
    result_ = Value();
    if (flow != Flow::Next) return result;
  }
  throw ScriptError{"all functions exhausted"};
}

const Match &Interpreter::last_match() const {
  if (!match_.found) throw ScriptError{"no regular expression matched before"};
  return match_;
}

Value Interpreter::call_library(const Call *e, const std::vector<Value> &args) {
  if (e->name == "exit") return {};
  if (e->name == "ngroups") return {static_cast<int64_t>(last_match().parts.size()), ""};
  if (e->name == "matched_str") return {0, last_match().parts[0]};
  if (e->name == "matched") {
    const Match &m = last_match();
    if (args[0].number < 0 || args[0].number >= static_cast<int64_t>(m.parts.size()))
      throw ScriptError{"the regular expression has no such subexpression"};
    return {0, m.parts[static_cast<size_t>(args[0].number)]};
  }
  if (e->name == "error") throw ScriptError{args[0].text};
  if (e->name == "strlen") return {static_cast<int64_t>(args[0].text.size()), ""};
  if (e->name == "isinstr") return {args[0].text.find(args[1].text) != std::string::npos, ""};
  if (e->name == "strpos") {
    const size_t at = args[0].text.find(args[1].text);
    return {at == std::string::npos ? -1 : static_cast<int64_t>(at), ""};
  }
  if (e->name == "substr") {
    const int64_t size = static_cast<int64_t>(args[0].text.size()), start = args[1].number;
    if (start < 0 || start >= size || args[2].number <= 0) return {};
    return {0, args[0].text.substr(static_cast<size_t>(start), static_cast<size_t>(args[2].number))};
  }
  throw std::logic_error("a function that the oracle does not know: " + e->name);
}
