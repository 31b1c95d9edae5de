// SPDX-License-Identifier: GPL-2.0-or-later
// What the grammar's rules call to build the tree: checks that are not grammar, and the state of one parse.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "syntax/ast.h"
#include "syntax/token.h"

class Session;

// Makes a tree of the text. Errors go to s.diag. Returns null only when the grammar found no way to go on.
ScriptFile *parse_script(Session &s, const SourceFile *source);

// Reports when none of the user's scripts has a probe.
void require_probe(Session &s);

// A probe point that is being read. Braces make several of one.
struct PointDraft {
  std::vector<ProbeComponent> components;
  bool optional = false, sufficient = false;
  Expr *condition = nullptr;
  Place place;
};
using PointDrafts = std::vector<PointDraft>;

// One key or the value of a foreach, with its sort suffix.
struct LoopVar {
  Symbol *symbol = nullptr;
  int direction = 0;
};

struct LoopVars {
  LoopVar value;  // its symbol is null when the loop names no variable for the value
  std::vector<LoopVar> keys;
};

struct LoopSource {
  Symbol *array = nullptr;
  std::vector<Expr *> slice;
  Expr *histogram = nullptr;
  const Token *statistic = nullptr;  // the @op before the sort sign
  int direction = 0;
  Place direction_place;
};

// What stands between the brackets behind a global's name.
struct ArraySize {
  bool given = false;
  const Token *entries = nullptr;  // null: empty brackets
};

class ParseContext {
 public:
  ParseContext(Session &session, std::vector<Token> tokens, ScriptFile *file);

  Session &session;
  ScriptFile *file;

  // --- the token stream (bison's yylex) ---
  const Token *next();
  void syntax_error(const Place &place, const std::string &message);
  std::string current_spelling() const;

  // --- expressions ---
  Expr *number(const Token *t);
  Expr *string(const Token *t);
  Expr *symbol(const Token *t);
  Expr *unary(UnaryOp op, Expr *operand, const Place &place);
  Expr *binary(BinaryOp op, Expr *left, Expr *right, const Place &place, const Place &op_place);
  Expr *compare(CompareOp op, Expr *left, Expr *right, const Place &place);
  Expr *logical(bool is_or, Expr *left, Expr *right, const Place &place);
  Expr *concat(Expr *left, Expr *right, const Place &place);
  Expr *ternary(Expr *condition, Expr *yes, Expr *no, const Place &place);
  Expr *match(bool negated, Expr *text, Expr *pattern, const Place &place);
  Expr *in_array(std::vector<Expr *> keys, const Token *array, const Place &place);
  Expr *assign(AssignKind kind, BinaryOp op, Expr *target, Expr *value, const Place &place, const Place &op_place);
  Expr *step(bool before, bool decrement, Expr *target, const Place &place);
  Expr *call(const Token *name, std::vector<Expr *> args, const Place &place);
  Expr *at_operator(const Token *name, bool has_args, std::vector<Expr *> args, const Place &place);
  Expr *target(const Token *name);
  Expr *subscript(Expr *base, std::vector<Expr *> keys, const Place &place, const Place &component_place);
  Expr *component(Expr *base, TargetComponent c, const Place &place);
  Expr *address_of(Expr *operand, const Place &place);
  Expr *embedded(const Token *t);
  Expr *parenthesized(Expr *e);
  Expr *broken(const Place &place);  // stands for what could not be parsed

  // --- statements ---
  Stmt *expression_statement(Expr *e, const Place &place);
  Stmt *if_statement(Expr *condition, Stmt *yes, Stmt *no, const Place &place);
  Stmt *while_statement(Expr *condition, Stmt *body, const Place &place);
  Stmt *for_statement(Expr *init, Expr *condition, Expr *step, Stmt *body, const Place &place);
  Stmt *foreach_statement(const LoopVars &vars, const LoopSource &source, Expr *limit, Stmt *body, const Place &place);
  Stmt *delete_statement(Expr *target, const Place &place);
  Stmt *return_statement(Expr *value, const Place &place);
  Stmt *try_statement(Block *body, const Token *message, Block *handler, const Place &place);
  Block *block(std::vector<Stmt *> statements, const Place &place);
  LoopSource histogram_source(const Token *name, std::vector<Expr *> args, const Place &place);

  // --- declarations ---
  void global(const Token *name, bool is_private, bool wraps, ArraySize size, Expr *initial);
  FunctionDecl *function(bool is_private, const Token *name, Type type, std::vector<VarDecl *> parameters,
                         const Token *priority, const Place &place);
  VarDecl *parameter(const Token *name, Type type);
  void add_function(FunctionDecl *f);
  void embedded_body(FunctionDecl *f, const Token *c);
  Type type_named(const Token *name);
  void probe(PointDrafts points, Block *body, const Place &place);
  void alias(PointDrafts names, bool is_epilogue, PointDrafts points, Block *body, Block *epilogue, const Place &place);
  void top_level_c(const Token *t);
  bool may_embed_c(const Token *t);

  // --- probe points ---
  static PointDrafts one_component(const Token *name, ProbeComponent::Arg kind, int64_t number, const std::string &text,
                                   const Place &place);
  PointDrafts join(const PointDrafts &heads, const PointDrafts &tails, const Place &place);
  void suffix(PointDrafts &points, bool optional, bool sufficient, Expr *condition);

  void finish();  // checks that need the whole text

  // Depth of a node's subtree, so that no later pass runs out of stack.
  template <class T, class... Children> T *deepened(T *node, Children... children) {
    set_depth(node, std::max({0u, depth_of(children)...}) + 1);
    return node;
  }

 private:
  std::vector<Token> tokens_;
  size_t position_ = 0;
  std::unordered_map<const Node *, uint32_t> depth_;
  const Token *last_ = nullptr;
  int declaration_ = 0;  // the kind of the token that began what is being read: PROBE or FUNCTION
  std::unordered_map<std::string, const VarDecl *> globals_;
  std::unordered_set<const Expr *> parenthesized_;
  std::unordered_set<const Expr *> broken_;
  std::unordered_map<const Expr *, Place> unknown_escapes_;  // of the strings that have one (see Token)
  std::unordered_set<const Expr *> negated_;                 // number literals that took in a minus
  std::unordered_map<const Expr *, Place> slices_;  // elements with a `*` key that no delete or `in` has taken yet
  bool too_deep_reported_ = false;

  uint32_t depth_of(const Node *n) const;
  uint32_t depth_of(const std::vector<Expr *> &nodes) const;
  uint32_t depth_of(const std::vector<Stmt *> &nodes) const;
  void set_depth(const Node *n, uint32_t depth);
  bool check_lvalue(Expr *e, const char *what);
  Expr *format_call(const Token *name, std::vector<Expr *> args, const Place &place);
  Expr *statistic(StatisticOp op, const Token *name, const std::vector<Expr *> &args, const Place &place);
  Expr *var_operator(const Token *name, const std::vector<Expr *> &args, const Place &place);
  Expr *cast_operator(const Token *name, const std::vector<Expr *> &args, const Place &place);
  Expr *histogram(const Token *name, const std::vector<Expr *> &args, const Place &place);
  void check_histogram_bounds(const HistogramUse &use, const Place &place);
  bool check_args(const Token *name, const std::vector<Expr *> &args, size_t least, size_t most, const Place &place,
                  const char *usage);
  const String *literal(const Token *name, Expr *arg, const char *usage);
  std::vector<ProbePoint *> points(const PointDrafts &drafts);
  void check_alias_name(const ProbePoint &name);
  Stmt *or_empty(Stmt *st, const Place &place);
  void check_lone_name(const Symbol &name);
  static bool is_format(const std::string &name);
  void set_sort(Foreach *st, const LoopVars &vars, const LoopSource &source);
  void set_sort_statistic(Foreach *st, const Token &name, int direction);
  bool is_broken(const Expr *e) const { return broken_.count(e) != 0; }
  static std::optional<StatisticOp> statistic_named(const std::string &name);
};
