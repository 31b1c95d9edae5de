// SPDX-License-Identifier: GPL-2.0-or-later
// Text to tree: runs the steps, and builds statements, declarations and probe points for the grammar.
#include "syntax/parse.h"

#include <algorithm>
#include <fmt/core.h>

#include "base/session.h"
#include "syntax/grammar.hh"
#include "syntax/habits.h"
#include "syntax/preprocess.h"

namespace {
// How deep a tree may be. The later passes recurse over it, and can do so this deep on a stack of 8 MB even when they
// are compiled with sanitizers.
constexpr uint32_t max_depth = 1000;
constexpr size_t max_points = 10000;  // that one declaration's braces may expand to
}  // namespace

ScriptFile *parse_script(Session &s, const SourceFile *source) {
  ScriptFile *file = s.make<ScriptFile>();
  file->source = source;
  std::vector<Token> tokens = scan(s, source);
  const int errors = s.diag.error_count();
  tokens = preprocess(s, std::move(tokens));
  // What the preprocessor left out because of its errors would only cause further ones in the grammar.
  if (s.diag.error_count() > errors) return file;
  ParseContext ctx(s, arrange(s, std::move(tokens), source), file);
  yy::Grammar grammar(ctx);
  if (grammar.parse() != 0) return nullptr;
  ctx.finish();
  return file;
}

void require_probe(Session &s) {
  bool has_alias = false;
  for (const ScriptFile *file : s.user_files) {
    if (!file->probes.empty()) return;
    has_alias |= !file->aliases.empty();
  }
  s.diag.error("no-probes", {}, "parse error: no probes found")
      .hint(has_alias ? "an alias runs where a probe names it: probe ALIAS { }" : "");
}

ParseContext::ParseContext(Session &session_, std::vector<Token> tokens, ScriptFile *file_)
    : session(session_), file(file_), tokens_(std::move(tokens)) {}

const Token *ParseContext::next() {
  last_ = &tokens_[position_];
  if (position_ + 1 < tokens_.size()) position_++;
  if (last_->kind == yy::Grammar::token::PROBE || last_->kind == yy::Grammar::token::FUNCTION)
    declaration_ = last_->kind;
  return last_;
}

void ParseContext::syntax_error(const Place &place, const std::string &message) {
  Diagnostic &d = session.diag.error("syntax", place, "parse error: " + message);
  static const std::vector<std::string> keywords = {"probe",  "function", "global", "private",  "foreach", "while",
                                                    "return", "delete",   "break",  "continue", "else",    "catch"};
  if (last_)
    if (const std::string hint = habit_hint(tokens_, last_ - tokens_.data()); !hint.empty()) {
      d.hint(hint);
      return;
    }
  if (!last_ || last_->kind != yy::Grammar::token::IDENTIFIER || last_->text.size() < 4) return;
  if (const std::string near = nearest_name(last_->text, keywords); !near.empty()) d.hint("did you mean '{}'?", near);
}

std::string ParseContext::current_spelling() const { return last_ ? spelling(*last_) : "nothing"; }

// ---------------------------------------------------------------- depth

uint32_t ParseContext::depth_of(const Node *n) const {
  auto found = n ? depth_.find(n) : depth_.end();
  return found == depth_.end() ? 0 : found->second;
}
uint32_t ParseContext::depth_of(const std::vector<Expr *> &nodes) const {
  uint32_t deepest = 0;
  for (const Expr *e : nodes) deepest = std::max(deepest, depth_of(e));
  return deepest;
}
uint32_t ParseContext::depth_of(const std::vector<Stmt *> &nodes) const {
  uint32_t deepest = 0;
  for (const Stmt *s : nodes) deepest = std::max(deepest, depth_of(s));
  return deepest;
}

// The tree that is too deep need not be cut off: parse_script's caller ends the run because of the error, before any
// pass recurses over the tree.
void ParseContext::set_depth(const Node *n, uint32_t depth) {
  if (depth > max_depth && !too_deep_reported_) {
    too_deep_reported_ = true;
    session.diag
        .error("too-deep", n->place, "parse error: expressions or statements nest deeper than {} levels", max_depth)
        .hint("split it with variables or functions");
  }
  depth_[n] = depth;
}

// ---------------------------------------------------------------- statements

// Reports a name that stands alone where `int x = 5` or `print "x"` was written. For the grammar each of these is two
// statements, the first of which does nothing.
void ParseContext::check_lone_name(const Symbol &name) {
  const int next = last_->kind;
  if (last_->place.line != name.place.line || last_->place.file != name.place.file) return;
  if (next == yy::Grammar::token::IDENTIFIER && declares_elsewhere(name.name))
    session.diag.error("declared-type", name.place, "parse error: variables are not declared with '{}'", name.name)
        .hint("write {} alone: it has the type of what is assigned to it", last_->text);
  else if ((next == yy::Grammar::token::STRING || next == yy::Grammar::token::IDENTIFIER) && is_format(name.name))
    session.diag.error("missing-parentheses", name.place, "parse error: {} needs parentheses", name.name)
        .hint("write {}(...)", name.name);
}

Stmt *ParseContext::expression_statement(Expr *e, const Place &place) {
  if (auto *name = as<Symbol>(e)) check_lone_name(*name);
  if (auto *c = as<EmbeddedExpr>(e)) {
    auto *st = session.make<Embedded>(place);
    st->text = c->text;
    st->pragmas = c->pragmas;
    return st;
  }
  auto *st = session.make<ExprStmt>(place);
  st->expr = e;
  return deepened(st, e);
}

Stmt *ParseContext::if_statement(Expr *condition, Stmt *yes, Stmt *no, const Place &place) {
  auto *st = session.make<If>(place);
  st->condition = condition;
  st->yes = or_empty(yes, place);
  st->no = no;
  return deepened(st, condition, yes, no);
}

Stmt *ParseContext::while_statement(Expr *condition, Stmt *body, const Place &place) {
  auto *st = session.make<While>(place);
  st->condition = condition;
  st->body = or_empty(body, place);
  return deepened(st, condition, body);
}

Stmt *ParseContext::for_statement(Expr *init, Expr *condition, Expr *step, Stmt *body, const Place &place) {
  auto *st = session.make<For>(place);
  st->init = init;
  st->condition = condition;
  st->step = step;
  st->body = or_empty(body, place);
  return deepened(st, init, condition, step, body);
}

Stmt *ParseContext::or_empty(Stmt *st, const Place &place) { return st ? st : session.make<Empty>(place); }

// Finds the one sort sign among value, keys and array.
void ParseContext::set_sort(Foreach *st, const LoopVars &vars, const LoopSource &source) {
  int signs = 0;
  auto take = [&](int direction, int key, const Place &place) {
    if (!direction) return;
    if (signs++) session.diag.error("two-sorts", place, "parse error: a foreach can sort by one key or value only");
    st->sort_direction = direction;
    st->sort_key = key;
  };
  if (vars.value.symbol) take(vars.value.direction, -1, vars.value.symbol->place);
  for (size_t i = 0; i < vars.keys.size(); i++)
    take(vars.keys[i].direction, static_cast<int>(i), vars.keys[i].symbol->place);
  take(source.direction, -1, source.direction_place);
  if (source.statistic) set_sort_statistic(st, *source.statistic, source.direction);
}

void ParseContext::set_sort_statistic(Foreach *st, const Token &name, int direction) {
  auto op = statistic_named(name.text);
  if (!op)
    session.diag.error("bad-sort-operator", name.place, "parse error: a foreach cannot sort by @" + name.text)
        .hint("sort by @count, @sum, @min, @max, @avg or @variance");
  else if (!direction)
    session.diag.error("missing-sort-sign", name.place, "parse error: @{} here needs a sort direction", name.text)
        .hint("write @{0}+ or @{0}-", name.text);
  else st->sort_statistic = *op;
  st->sort_by_statistic = true;
}

Stmt *ParseContext::foreach_statement(const LoopVars &vars, const LoopSource &source, Expr *limit, Stmt *body,
                                      const Place &place) {
  auto *st = session.make<Foreach>(place);
  st->value = vars.value.symbol;
  for (const LoopVar &key : vars.keys) st->keys.push_back(key.symbol);
  st->array = source.array;
  st->slice = source.slice;
  st->histogram = source.histogram;
  st->limit = limit;
  st->body = or_empty(body, place);
  set_sort(st, vars, source);
  if (st->histogram && st->keys.size() > 1)
    session.diag.error("histogram-keys", st->keys[1]->place, "parse error: a histogram has one key, its bucket");
  return deepened(st, limit, body, st->slice, st->histogram);
}

LoopSource ParseContext::histogram_source(const Token *name, std::vector<Expr *> args, const Place &place) {
  LoopSource source;
  source.histogram = at_operator(name, true, std::move(args), place);
  if (!as<Histogram>(source.histogram) && !is_broken(source.histogram))
    session.diag.error("foreach-not-array", place,
                       "parse error: foreach runs over an array or a histogram, not over @" + name->text);
  return source;
}

Stmt *ParseContext::delete_statement(Expr *target, const Place &place) {
  if (!as<Symbol>(target) && !as<Index>(target) && !is_broken(target))
    session.diag.error("not-deletable", target->place,
                       "parse error: delete takes a variable, an array or an array's element");
  auto *st = session.make<Delete>(place);
  st->target = target;
  if (auto *element = as<Index>(target)) slices_.erase(element);
  return deepened(st, target);
}

Stmt *ParseContext::return_statement(Expr *value, const Place &place) {
  if (declaration_ == yy::Grammar::token::PROBE)
    session.diag.error("return-outside-function", place, "parse error: 'return' outside a function")
        .hint("'next' leaves a probe handler");
  auto *st = session.make<Return>(place);
  st->value = value;
  return deepened(st, value);
}

Stmt *ParseContext::try_statement(Block *body, const Token *message, Block *handler, const Place &place) {
  auto *st = session.make<Try>(place);
  st->body = body;
  if (message) st->message = static_cast<Symbol *>(symbol(message));
  st->handler = handler;
  return deepened(st, body, handler);
}

Block *ParseContext::block(std::vector<Stmt *> statements, const Place &place) {
  auto *b = session.make<Block>(place);
  b->statements = std::move(statements);
  return deepened(b, b->statements);
}

// ---------------------------------------------------------------- declarations

void ParseContext::global(const Token *name, bool is_private, bool wraps, ArraySize size, Expr *initial) {
  auto *v = session.make<VarDecl>(name->place);
  v->kind = VarDecl::Kind::Global;
  v->name = name->text;
  v->is_private = is_private;
  v->wraps = wraps;
  v->initial = initial;
  if (initial) v->arity = 0;
  if (initial) v->type = as<String>(initial) ? Type::String : Type::Long;
  if ((wraps || size.given) && initial)
    session.diag.error("array-initialiser", initial->place, "parse error: an array cannot have an initial value");
  if (size.entries) v->max_entries = size.entries->number;
  if (size.entries && (v->max_entries < 1 || v->max_entries > INT32_MAX))
    session.diag.error("array-size", size.entries->place, "parse error: the size of array '{}' must be from 1 to {}",
                       v->name, INT32_MAX);
  if (auto [first, is_new] = globals_.emplace(v->name, v); !is_new)
    session.diag.error("duplicate-global", v->place, "parse error: global variable '{}' is declared twice", v->name)
        .note("already declared here", first->second->place);
  else file->globals.push_back(v);
}

FunctionDecl *ParseContext::function(bool is_private, const Token *name, Type type, std::vector<VarDecl *> parameters,
                                     const Token *priority, const Place &place) {
  auto *f = session.make<FunctionDecl>(place);
  f->name = name->text;
  f->is_private = is_private;
  f->type = type;
  f->type_is_declared = type != Type::Unknown;
  f->parameters = std::move(parameters);
  f->priority = priority ? priority->number : file->source->is_tapset ? 1 : 0;
  for (size_t i = 0; i < f->parameters.size(); i++)
    for (size_t j = 0; j < i; j++)
      if (f->parameters[i]->name == f->parameters[j]->name)
        session.diag
            .error("duplicate-parameter", f->parameters[i]->place,
                   "parse error: function '{}' has two parameters named '{}'", f->name, f->parameters[i]->name)
            .note("the first is here", f->parameters[j]->place);
  return f;
}

void ParseContext::add_function(FunctionDecl *f) { file->functions.push_back(f); }

void ParseContext::embedded_body(FunctionDecl *f, const Token *c) {
  may_embed_c(c);
  f->is_embedded = true;
  f->embedded_c = c->text;
  // Before 1.8, THIS was how all embedded C reached its arguments.
  f->pragmas = parse_pragmas(c->text);
  if (session.is_before("1.8") && !file->source->is_tapset) f->pragmas.unmangled = true;
  if (f->pragmas.unmangled)
    session.depends_on_version(f->place, "before 1.8, all embedded C had THIS; since then, what says 'unmangled'");
  f->embedded_place = c->place;
  add_function(f);
}

VarDecl *ParseContext::parameter(const Token *name, Type type) {
  auto *v = session.make<VarDecl>(name->place);
  v->kind = VarDecl::Kind::Parameter;
  v->name = name->text;
  v->type = type;
  v->arity = 0;
  return v;
}

Type ParseContext::type_named(const Token *name) {
  if (name->text == "long") return Type::Long;
  if (name->text == "string") return Type::String;
  if (name->text == "unknown") return Type::Unknown;
  session.diag.error("unknown-type", name->place, "parse error: no type is named '{}'", name->text)
      .hint("the types are long and string");
  return Type::Unknown;
}

std::vector<ProbePoint *> ParseContext::points(const PointDrafts &drafts) {
  std::vector<ProbePoint *> all;
  for (const PointDraft &d : drafts) {
    auto *p = session.make<ProbePoint>(d.place);
    p->components = d.components;
    p->optional = d.optional;
    p->sufficient = d.sufficient;
    p->condition = d.condition;
    all.push_back(p);
  }
  return all;
}

void ParseContext::probe(PointDrafts drafts, Block *body, const Place &place) {
  auto *p = session.make<ProbeDecl>(place);
  p->points = points(drafts);
  p->body = body;
  file->probes.push_back(p);
}

void ParseContext::alias(PointDrafts names, bool is_epilogue, PointDrafts drafts, Block *body, Block *epilogue,
                         const Place &place) {
  auto *p = session.make<ProbeDecl>(place);
  p->alias_names = points(names);
  for (const ProbePoint *name : p->alias_names) check_alias_name(*name);
  p->points = points(drafts);
  p->body = body;
  p->epilogue = epilogue;
  p->alias_is_epilogue = is_epilogue;
  file->aliases.push_back(p);
}

void ParseContext::check_alias_name(const ProbePoint &name) {
  auto complain = [&](const Place &where, const std::string &what) {
    session.diag.error("bad-alias-name", where, "parse error: the name of an alias cannot have " + what);
  };
  if (name.optional || name.sufficient) complain(name.place, "? or !");
  if (name.condition) complain(name.condition->place, "a condition");
  for (const ProbeComponent &c : name.components)
    if (c.name.find('*') != std::string::npos) complain(c.place, "a wildcard");
}

bool ParseContext::may_embed_c(const Token *t) {
  if (session.options.guru || t->place.file->privileged) return true;
  session.diag.error("embedded-c-needs-guru", t->place, "parse error: embedded C is allowed in guru mode only")
      .hint("run stap with -g");
  return false;
}

void ParseContext::top_level_c(const Token *t) {
  if (!may_embed_c(t)) return;
  auto *c = session.make<EmbeddedCode>(t->place);
  c->text = t->text;
  c->pragmas = parse_pragmas(t->text);
  file->embedded.push_back(c);
}

// ---------------------------------------------------------------- probe points

PointDrafts ParseContext::one_component(const Token *name, ProbeComponent::Arg kind, int64_t number,
                                        const std::string &text, const Place &place) {
  ProbeComponent c;
  c.name = name->text;
  c.arg = kind;
  c.number = number;
  c.string = text;
  c.place = place;
  return {PointDraft{{c}, false, false, nullptr, place}};
}

// Joins every head with every tail: {a,b}.{c,d} gives a.c, a.d, b.c, b.d.
PointDrafts ParseContext::join(const PointDrafts &heads, const PointDrafts &tails, const Place &place) {
  PointDrafts all;
  if (heads.size() * tails.size() > max_points) {
    session.diag.error("too-many-points", place, "parse error: these braces expand to more than {} probe points",
                       max_points);
    return heads;
  }
  for (const PointDraft &head : heads) {
    if (head.optional || head.sufficient || head.condition)
      session.diag.error("early-suffix", head.place,
                         "parse error: ?, ! and if may only follow the last part of a probe point");
    for (const PointDraft &tail : tails) {
      PointDraft d = tail;
      d.components.insert(d.components.begin(), head.components.begin(), head.components.end());
      d.place = place;
      all.push_back(std::move(d));
    }
  }
  return all;
}

// A `?`, `!` or condition behind a group holds for each of the group's points.
void ParseContext::suffix(PointDrafts &drafts, bool optional, bool sufficient, Expr *condition) {
  bool first = true;
  for (PointDraft &d : drafts) {
    d.optional |= optional;
    d.sufficient |= sufficient;
    if (condition && !too_deep_reported_) {
      Expr *own = first ? condition : clone(session, condition);
      d.condition = d.condition ? logical(false, d.condition, own, own->place) : own;
    }
    first = false;
  }
}
