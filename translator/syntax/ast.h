// SPDX-License-Identifier: GPL-2.0-or-later
// The syntax tree, which elaboration annotates in place: declarations, types, and target variables lowered to fetches.
//
// Nodes live as long as the Session that made them (Session::make). No node is in two places of the tree: where a
// handler is needed once for each of its probe points, it is copied with clone().
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/source.h"

enum class Type : uint8_t { Unknown, Long, String, Stats, Void };
const char *type_name(Type t);  // "long", "string", "stats", "unknown", "void"

struct DerivedProbe;
struct Expr;
struct Stmt;
struct Block;
struct FunctionDecl;
struct ProbeDecl;
struct TargetType;  // debuginfo's type of an expression that is a pointer, for autocasts; its members are not used here

// ---------------------------------------------------------------- declarations

struct Node {
  Place place;
  virtual ~Node() = default;
};

// A global, a local or a parameter.
struct VarDecl : Node {
  enum class Kind { Global, Local, Parameter };
  Kind kind = Kind::Local;
  std::string name;           // as written
  std::string unique_name;    // in emitted C; set by resolve
  Type type = Type::Unknown;  // of the value; Stats for a scalar aggregate
  bool is_private = false;
  // Arrays (globals only): one type per key; arity 0 is a scalar, -1 not known yet.
  int arity = -1;
  std::vector<Type> key_types;
  int64_t max_entries = 0;             // declared [size]; 0: MAXMAPENTRIES
  bool wraps = false;                  // `%`
  Expr *initial = nullptr;             // literal
  const std::string *given = nullptr;  // value from -G, which replaces the initial one
  int index = -1;                      // globals: index into the program's table of those in use
  bool read = false, written = false;
  // Aggregates: which statistics are asked for, by the readers anywhere in the script.
  bool needs_variance = false;
  int variance_shift = 0;
  const struct HistogramUse *histogram = nullptr;
  const TargetType *target_type = nullptr;
};

struct HistogramUse {
  bool logarithmic = false;
  int64_t low = 0, high = 0, step = 0;
};

// What comments of embedded C say to the translator.
struct Pragmas {
  bool abi = false;       // strings are slices, and nothing but runtime/abi is there
  bool anywhere = false;  // it asks nothing about the hit: neither the task nor the CPU, registers or stack
  bool guru = false, unprivileged = false, myproc_unprivileged = false;  // who may call it
  bool match = false;                                                    // it asks what =~ matched last
  bool pure = false;                                                     // its value is all it does
  bool user_symbols = false, user_unwinding = false;                     // what it wants to be known of programs
  std::string reader;      // where its value is only printed, the reader finds it: what kind of symbol it is
  bool stable = false;     // the same value throughout a run of a handler
  bool string = false;     // an expression that is a string
  bool suffix = false;     // goes behind everything else in the file
  bool unmangled = false;  // arguments are members of THIS, too
  bool passes_on = false;  // it says STAP_NEXT: the call may go to the next overload
  std::vector<std::string> reads, writes;  // globals, by name
  // The globals that these names mean in the file of the C. Filled in when names are resolved.
  std::vector<VarDecl *> read_globals, written_globals;
};
Pragmas parse_pragmas(const std::string &code);

struct FunctionDecl : Node {
  std::string name;
  std::string unique_name;
  std::vector<VarDecl *> parameters;
  std::vector<VarDecl *> locals;
  Type type = Type::Unknown;  // return type; Void when nothing is returned
  bool type_is_declared = false;
  Block *body = nullptr;   // null for embedded C
  std::string embedded_c;  // the text between %{ and %}
  Pragmas pragmas;         // of that text
  Place embedded_place;    // of its %{
  bool is_embedded = false;
  bool is_private = false;
  bool is_synthetic = false;  // made by the translator (pretty-printers)
  int64_t priority = 0;       // overloads: lower is tried first
  bool in_use = false;
  DerivedProbe *probe = nullptr;  // whose target variables the body names; null: it belongs to no one probe
  int index = -1;
  const TargetType *target_type = nullptr;  // of what it returns, when a pointer of the target
  Trail trail;                              // how the script first came to call it
};

struct EmbeddedCode : Node {  // top-level %{ ... %}
  std::string text;
  Pragmas pragmas;
};

// One `.name`, `.name(literal)` or `.{a,b}` component of a probe point.
struct ProbeComponent {
  std::string name;  // may hold * and ** wildcards
  enum class Arg { None, Number, String } arg = Arg::None;
  int64_t number = 0;
  std::string string;
  Place place;
};

struct ProbePoint : Node {
  std::vector<ProbeComponent> components;
  bool optional = false;      // ?
  bool sufficient = false;    // !
  Expr *condition = nullptr;  // if (...)
};
std::string to_string(const ProbePoint &p);  // as written, canonical quoting

// `probe a, b { }` and `probe alias = a, b { }`.
struct ProbeDecl : Node {
  std::vector<ProbePoint *> points;
  Block *body = nullptr;
  Block *epilogue = nullptr;              // of `{prologue},{epilogue}` aliases
  std::vector<ProbePoint *> alias_names;  // empty: a probe, not an alias
  bool alias_is_epilogue = false;         // +=
  bool is_private = false;
};

struct ScriptFile {
  const SourceFile *source = nullptr;
  std::vector<ProbeDecl *> probes;
  std::vector<ProbeDecl *> aliases;
  std::vector<VarDecl *> globals;
  std::vector<FunctionDecl *> functions;
  std::vector<EmbeddedCode *> embedded;
};

// ---------------------------------------------------------------- expressions

// clang-format off
enum class ExprKind : uint8_t {
  Number, String, Symbol, Index, HistogramIndex,
  Unary, Binary, Compare, Logical, Concat, Ternary, ArrayIn, RegexMatch,
  Assign, PreStep, PostStep, Call, Format, Statistic, Histogram,
  Target, AtVar, Cast, Defined, Entry, Perf, Intrinsic, EmbeddedExpr,
  // Made by elaboration only:
  Register, Deref, DerefString, SavedValue, SymbolAddress, EnumName, Kept, EventValue,
};
// clang-format on

struct Expr : Node {
  const ExprKind kind;
  Type type = Type::Unknown;
  const TargetType *target_type = nullptr;
  explicit Expr(ExprKind k) : kind(k) {}
};
template <ExprKind K> struct ExprOf : Expr {
  static constexpr ExprKind Kind = K;
  ExprOf() : Expr(K) {}
};
// as<Binary>(e): e as that node, or nullptr when it is another kind.
template <class T> T *as(Expr *e) { return e && e->kind == T::Kind ? static_cast<T *>(e) : nullptr; }
template <class T> const T *as(const Expr *e) { return e && e->kind == T::Kind ? static_cast<const T *>(e) : nullptr; }

// clang-format off
struct Number : ExprOf<ExprKind::Number> { int64_t value = 0; };
struct String : ExprOf<ExprKind::String> { std::string value; };  // escapes decoded
struct Symbol : ExprOf<ExprKind::Symbol> { std::string name; VarDecl *decl = nullptr; };
// array[keys]; a null key is the slice's `*`.
struct Index : ExprOf<ExprKind::Index> { Symbol *base = nullptr; std::vector<Expr *> keys; };
// @hist_log(x)[bucket]
struct HistogramIndex : ExprOf<ExprKind::HistogramIndex> { Expr *histogram = nullptr; Expr *bucket = nullptr; };

// Address stands before something that has none, which the checks report: that of a target is a flag of the target.
enum class UnaryOp : uint8_t { Negate, Plus, Not, Complement, Address };
struct Unary : ExprOf<ExprKind::Unary> { UnaryOp op{}; Expr *operand = nullptr; };
enum class BinaryOp : uint8_t { Add, Sub, Mul, Div, Mod, Shl, Shr, ShrLogical, And, Or, Xor };
const char *spelling(BinaryOp op);
// op_place is where the operator itself stands, which run-time errors name; when it is empty, they name `place`.
struct Binary : ExprOf<ExprKind::Binary> { BinaryOp op{}; Place op_place; Expr *left = nullptr, *right = nullptr; };
enum class CompareOp : uint8_t { Eq, Ne, Lt, Le, Gt, Ge };
const char *spelling(CompareOp op);
struct Compare : ExprOf<ExprKind::Compare> { CompareOp op{}; Expr *left = nullptr, *right = nullptr; };
struct Logical : ExprOf<ExprKind::Logical> { bool is_or = false; Expr *left = nullptr, *right = nullptr; };
// is_chain: all operands of `((a . b) . c) . d` are joined in one step, without strings in between.
struct Concat : ExprOf<ExprKind::Concat> { Expr *left = nullptr, *right = nullptr; bool is_chain = false; };
struct Ternary : ExprOf<ExprKind::Ternary> { Expr *condition = nullptr, *yes = nullptr, *no = nullptr; };
struct ArrayIn : ExprOf<ExprKind::ArrayIn> { Index *element = nullptr; };
struct RegexMatch : ExprOf<ExprKind::RegexMatch> {
  Expr *text = nullptr;
  String *pattern = nullptr;
  bool negated = false;
};

// target op= value. Plain is `=`, Concat `.=`, Aggregate `<<<`; Arithmetic is one of the others, which `op` tells.
enum class AssignKind : uint8_t { Plain, Arithmetic, Concat, Aggregate };
struct Assign : ExprOf<ExprKind::Assign> {
  AssignKind assign{};
  BinaryOp op{};
  Place op_place;
  Expr *target = nullptr, *value = nullptr;
};
struct PreStep : ExprOf<ExprKind::PreStep> { bool decrement = false; Expr *target = nullptr; };
struct PostStep : ExprOf<ExprKind::PostStep> { bool decrement = false; Expr *target = nullptr; };

struct Call : ExprOf<ExprKind::Call> {
  std::string name;
  std::vector<Expr *> args;
  std::vector<FunctionDecl *> callees;  // overloads in the order they are tried
};

// print println printf printd printdln and their sprint forms, after parsing.
struct Format : ExprOf<ExprKind::Format> {
  std::string name;            // "printf"
  bool to_string = false;      // sprint*: yields a string
  bool has_format = false;     // *printf: format is the first argument
  bool has_delimiter = false;  // *printd*: delimiter holds it
  bool newline = false;        // *ln
  std::string format;
  Place format_place;          // of its literal
  Expr *delimiter = nullptr;
  std::vector<Expr *> args;
  // A fetch that faults prints "?" instead of failing ($$parms, $v$): set by elaboration.
  bool lenient = false;
  Expr *histogram = nullptr;   // print(@hist_log(x))
};

enum class StatisticOp : uint8_t { Count, Sum, Min, Max, Avg, Variance };
const char *spelling(StatisticOp op);  // "@count"
struct Statistic : ExprOf<ExprKind::Statistic> { StatisticOp op{}; Expr *stat = nullptr; int64_t shift = 0; };
struct Histogram : ExprOf<ExprKind::Histogram> { HistogramUse use; Expr *stat = nullptr; };

// `->name`, `[index]`, trailing `$` and `$$` of a target variable, @var or @cast.
struct TargetComponent {
  enum class Kind : uint8_t { Member, Index, ExprIndex, Pretty, PrettyDeep } kind{};
  std::string member;
  int64_t index = 0;
  Expr *expr_index = nullptr;
  Place place;
  bool is_pretty() const { return kind == Kind::Pretty || kind == Kind::PrettyDeep; }  // nothing stands behind it
};
struct Target : ExprOf<ExprKind::Target> {  // $name...
  std::string name;  // with its $ or $$
  std::vector<TargetComponent> components;
  bool address_of = false;
};
struct AtVar : ExprOf<ExprKind::AtVar> {  // @var("name@file", "module")...
  std::string name, module;
  std::vector<TargetComponent> components;
  bool address_of = false;
};
struct Cast : ExprOf<ExprKind::Cast> {  // @cast(e, "type", "module")..., and autocast members (type_name empty)
  Expr *operand = nullptr;
  std::string type_name, module;
  std::vector<TargetComponent> components;
  bool address_of = false;
};
struct Defined : ExprOf<ExprKind::Defined> { Expr *operand = nullptr; };
struct Entry : ExprOf<ExprKind::Entry> { Expr *operand = nullptr; };
// @perf("counter"); `probe` is the one that counts.
struct Perf : ExprOf<ExprKind::Perf> { std::string counter; const DerivedProbe *probe = nullptr; };
// Any other @operator(args).
enum class IntrinsicOp : uint8_t {
  ChooseDefined, Const, Enum, EnumName, Errno, Kderef, Kregister, ProbeWrite, Uderef, Uregister,
  Other,  // nothing that stap knows: told by its name
};
struct Intrinsic : ExprOf<ExprKind::Intrinsic> {
  IntrinsicOp op = IntrinsicOp::Other;
  std::string name;  // without the @
  std::vector<Expr *> args;
};
// %{ ... %} as an expression
struct EmbeddedExpr : ExprOf<ExprKind::EmbeddedExpr> { std::string text; Pragmas pragmas; };

// --- lowered target access: what emit sees instead of Target, AtVar, Cast, Entry ---

// user: the register's value in the process, not in the kernel.
struct Register : ExprOf<ExprKind::Register> { uint32_t dwarf_number = 0; bool user = false, may_fail = false; };
// size (1, 2, 4, 8) bytes at address; width != 0 selects a bit-field of the loaded value.
struct Deref : ExprOf<ExprKind::Deref> {
  Expr *address = nullptr;
  uint32_t size = 8;
  bool is_signed = false, user = false;
  uint32_t bit_shift = 0, bit_width = 0;
};
// NUL-terminated text at address, at most `max` bytes (0: MAXSTRINGLEN - 1).
struct DerefString : ExprOf<ExprKind::DerefString> { Expr *address = nullptr; uint32_t max = 0; bool user = false; };
// Value number `index` of those that a return probe saves at the function's entry. Both numbers count words of the area
// that a hit saves to: the value is at `offset`, and at `faults` begin the bytes that say which values could not be
// read. `faults` is 0 when reading this value can't fail.
struct SavedValue : ExprOf<ExprKind::SavedValue> { uint32_t index = 0, offset = 0, faults = 0; };
// What the probe's mechanism passes besides registers, or takes back (runtime/abi/event.h): number `index`, its text,
// the result that the handler asks for, or the address of the record that the kernel has made of the event.
// `why_read_only` is null when it may be written.
enum class EventPart : uint8_t { Number, Text, Result, Record };
struct EventValue : ExprOf<ExprKind::EventValue> {
  EventPart part{};
  uint32_t index = 0;
  const char *why_read_only = nullptr;
};
// Run-time address of the program's symbol table entry `symbol`.
struct SymbolAddress : ExprOf<ExprKind::SymbolAddress> { uint32_t symbol = 0; };
// The name of the operand's value in the program's enumeration number `enumeration`.
struct EnumName : ExprOf<ExprKind::EnumName> { Expr *operand = nullptr; uint32_t enumeration = 0; };
// A value that several places of a handler ask for. The place that is reached first evaluates it and keeps it in
// `slot`; `known` says whether that has happened.
struct Kept : ExprOf<ExprKind::Kept> { Expr *value = nullptr; VarDecl *slot = nullptr, *known = nullptr; };
// clang-format on

// ---------------------------------------------------------------- statements

// clang-format off
enum class StmtKind : uint8_t {
  Block, Empty, Expression, If, While, For, Foreach, Break, Continue, Return, Next, Try, Delete, Embedded,
};
// clang-format on

struct Stmt : Node {
  const StmtKind kind;
  explicit Stmt(StmtKind k) : kind(k) {}
};
template <StmtKind K> struct StmtOf : Stmt {
  static constexpr StmtKind Kind = K;
  StmtOf() : Stmt(K) {}
};
template <class T> T *as(Stmt *s) { return s && s->kind == T::Kind ? static_cast<T *>(s) : nullptr; }
template <class T> const T *as(const Stmt *s) { return s && s->kind == T::Kind ? static_cast<const T *>(s) : nullptr; }

// clang-format off
struct Block : StmtOf<StmtKind::Block> { std::vector<Stmt *> statements; };
struct Empty : StmtOf<StmtKind::Empty> {};
struct ExprStmt : StmtOf<StmtKind::Expression> { Expr *expr = nullptr; };
struct If : StmtOf<StmtKind::If> { Expr *condition = nullptr; Stmt *yes = nullptr, *no = nullptr; };
struct While : StmtOf<StmtKind::While> { Expr *condition = nullptr; Stmt *body = nullptr; };
struct For : StmtOf<StmtKind::For> {
  Expr *init = nullptr, *condition = nullptr, *step = nullptr;
  Stmt *body = nullptr;
};
struct Foreach : StmtOf<StmtKind::Foreach> {
  std::vector<Symbol *> keys;     // ([k1, k2] in a)
  Symbol *value = nullptr;        // (v = [k] in a)
  Symbol *array = nullptr;
  std::vector<Expr *> slice;      // a[*, x]: null is `*`; empty: no slice
  Expr *histogram = nullptr;      // (bucket in @hist_log(x)): a Histogram
  int sort_direction = 0;         // +1, -1, 0
  int sort_key = -1;              // key number from 0; -1: the value
  bool sort_by_statistic = false; // a @count +, @avg - ...
  StatisticOp sort_statistic = StatisticOp::Count;
  Expr *limit = nullptr;
  Stmt *body = nullptr;
  bool body_changes_array = false; // through a function that it calls
};
struct Break : StmtOf<StmtKind::Break> {};
struct Continue : StmtOf<StmtKind::Continue> {};
struct Return : StmtOf<StmtKind::Return> { Expr *value = nullptr; };
struct Next : StmtOf<StmtKind::Next> {};
struct Try : StmtOf<StmtKind::Try> { Block *body = nullptr; Symbol *message = nullptr; Block *handler = nullptr; };
struct Delete : StmtOf<StmtKind::Delete> { Expr *target = nullptr; };  // Symbol, or Index (null keys: slice)
struct Embedded : StmtOf<StmtKind::Embedded> { std::string text; Pragmas pragmas; };
// clang-format on

// ---------------------------------------------------------------- traversal (visitor.cc)

class Session;

// Calls f on each direct child expression, by reference so that it can be replaced.
void for_each_child(Expr *e, const std::function<void(Expr *&)> &f);
// Calls on_expr on each direct child expression and on_stmt on each direct child statement.
void for_each_child(Stmt *s, const std::function<void(Expr *&)> &on_expr, const std::function<void(Stmt *&)> &on_stmt);
// Calls f on every expression below (and including) the statement, children before parents.
void for_each_expr(Stmt *s, const std::function<void(Expr *&)> &f);
void for_each_expr(Expr *&e, const std::function<void(Expr *&)> &f);
void for_each_stmt(Stmt *s, const std::function<void(Stmt *)> &f);
// Deep copies; declarations are shared.
Expr *clone(Session &s, const Expr *e);
Stmt *clone(Session &s, const Stmt *st);
template <class T> T *clone_as(Session &s, const T *n) { return static_cast<T *>(clone(s, n)); }
