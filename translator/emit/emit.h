// SPDX-License-Identifier: GPL-2.0-or-later
// Typed program to C, by construct: the tables every part adds to, and the emitter of one C function.
//
// Every expression becomes a C expression and, where it must, statements before it. Whatever can fail or has an effect
// is done in a statement of its own, in the script's order. After what can fail, c->failed is tested, with a jump to
// the innermost catch or to the end of the function. So emitted C never depends on C's order of evaluation, and nothing
// runs after an error.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/session.h"
#include "emit/code.h"
#include "emit/value.h"
#include "sema/match.h"
#include "syntax/ast.h"

// What functions and probes refer to by number; printed once at the end of the file.
class ModuleTables {
 public:
  explicit ModuleTables(const Session &session) : s(session), places(1) {}  // places[0] is nowhere
  // The number of a place and of the word there that a run-time error is reported near.
  unsigned place(const Place &where, const std::string &word);
  unsigned format(const std::string &text, const std::string &arg_types);
  // The number of a slot for one more sorted foreach over this array.
  unsigned sort_slot(const VarDecl *array) { return sort_slots[array]++; }

  struct PlaceEntry {
    std::string file;
    uint32_t line, col;
    std::string word, text;
  };
  struct FormatEntry {
    std::string text, arg_types;
  };
  const Session &s;
  std::vector<PlaceEntry> places;
  std::vector<FormatEntry> formats;
  std::map<const VarDecl *, unsigned> sort_slots;
  std::set<const VarDecl *> changed_while_sorted;  // a sorted loop over the array may change it
  uint32_t user_files = 0;                         // enum stap_user_files: what handlers want to know of programs

 private:
  std::map<std::string, unsigned> place_index_, format_index_;
};

// Emits the statements of one C function.
class FunctionEmitter {
 public:
  FunctionEmitter(ModuleTables &tables, const FunctionDecl *function) : tables_(tables), function_(function) {}

  Code code;
  const DerivedProbe *probe = nullptr;  // whose handler this is; null in functions
  // Of a handler: collects the formats that the probe brings. Null in functions, which name every format by its number.
  std::vector<unsigned> *probe_formats = nullptr;

  void declare_locals(const std::vector<VarDecl *> &locals);
  // A parameter that the body assigns to is copied into a variable of its own.
  void declare_parameters();
  void statement(const Stmt *st);
  // The value of the expression. The statements that it needs have been added to `code`.
  Value expr(const Expr *e);
  // Evaluates the expression for its effects only.
  void effects(const Expr *e);
  // Stands after whatever may have failed: where it has, the C jumps to the last of fail_labels.
  void check();
  // The same after a target variable was read: with --skip-badvars the error is forgotten instead.
  void check_fetch();
  void set_place(const Place &where, const std::string &word);
  // The same after a call of a script function at this place, which the C adds to the error's trace.
  void check_call(const Place &where, const std::string &word);
  const Session &session() const { return tables_.s; }
  bool errors_have_places = true;  // c->place is set before what may fail
  // Where errors go: the last is the innermost catch, or the end of the function.
  std::vector<std::string> fail_labels{"out"};

 private:
  // expression.cc
  Value arithmetic(const Binary *e);
  // Division and remainder, which fail when the right side is 0, become a temporary, and the caller calls check().
  Value operate(BinaryOp op, const Value &left, const Value &right);
  Value compare(const Compare *e);
  Value logical(const Logical *e);
  Value concat(const Concat *e);
  Value ternary(const Ternary *e);
  Value call(const Call *e);
  void try_overloads(const Call *e, const std::string &arguments, const std::string &result);
  Value statistic(const Statistic *e);
  Value regex_match(const RegexMatch *e);
  Value unary(const Unary *e);
  Value saved_value(const SavedValue *e);
  void check_saved(const SavedValue *e);
  Value deref_string(const DerefString *e);
  Value deref(const Deref *e);
  Value symbol_address(const SymbolAddress *e);
  Value target_register(const Register *e);
  Value kept_value(const Kept *e);
  Value event_value(const EventValue *e);
  Value perf_counter(const Perf *e);
  // Values of several operands, evaluated left to right.
  std::vector<Value> operands(const std::vector<const Expr *> &list);
  // Each adds a temporary that holds what the C text yields at this point: a number, a string that may be a slice of a
  // variable, and a string whose bytes are no variable's.
  Value long_temp(const std::string &text);
  Value string_temp(const std::string &text);
  Value own_string(const std::string &text);
  // A copy of the string's bytes, which no change of a variable reaches.
  Value copied(const Value &string);
  // The value of e, in a temporary where evaluating `later` could change it before it is used.
  Value settle(const Expr *e, const Value &value, const Expr *later);

  // lvalue.cc
  // How a write gets the value to store. With reads_old the place is read first, for new_value; without it old_value is
  // empty.
  struct Update {
    bool reads_old;
    std::function<Value(const Value &old_value)> new_value;
  };
  Value read_variable(const VarDecl *decl);
  Value read_element(const Index *e);
  Value assign(const Assign *e, bool want_value);
  Value step(const Expr *target, bool decrement, bool post, bool want_value);
  Value write_register(const Expr *target, const Register *place, const Update &update);
  Value write_memory(const Deref *target, const Update &update);
  Value write_result(const EventValue *target, const Update &update);
  Value write_text(const EventValue *target, const Assign *e, bool want_value);
  Value combine(const Assign *e, const Value &old_value, const Value &value);
  void store_variable(const VarDecl *decl, const Value &value);
  void add_to_stat(const VarDecl *decl, const std::string &stat, const Value &value);
  std::vector<Value> keys(const Index *e, const Expr *later);
  // C text of a pointer to the element's entry: null where there is none, or to one that is made then.
  std::string find_element(const Index *e);
  std::string obtain_element(const Index *e, const std::vector<Value> &keys);
  // C text of a pointer to an aggregate. An element's is null where there is no such element.
  std::string stat_pointer(const Expr *e);
  std::string element_stat(const Index *index, const std::vector<Value> &keys);

  // format.cc
  Value format(const Format *e);
  Value lenient_format(const Format *e);
  Value lenient_parts(const Format *e);
  std::string lenient_number(const std::string &text, const std::string &types);
  std::string argument_array(const std::vector<Value> &values, const std::string &types);
  Code apart(const std::function<void()> &emit);

  // embedded.cc
  void embedded_statement(const Embedded *st);
  Value embedded_expression(const EmbeddedExpr *e);

  // histogram.cc
  Value print_histogram(const Format *e);
  Value histogram_bucket(const HistogramIndex *e);
  void histogram_turns(const Foreach *st, const std::string &bucket, const std::string &limit,
                       const std::function<std::string()> &stat);
  void histogram_loop(const Foreach *st);

  // statement.cc
  void block(const Block *b);
  void if_statement(const If *st);
  void loop(const Expr *condition, const Expr *step, const Stmt *body);
  void foreach_statement(const Foreach *st);
  void foreach_turns(const Foreach *st, const std::string &limit);
  std::string count_steps();
  void spend_step(const std::string &steps);
  void foreach_body(const Foreach *st, const std::string &entry);
  void spend_for_turn(const Foreach *st);
  std::string slice_condition(const VarDecl *array, const std::string &entry, const std::vector<Expr *> &slice);
  Value slice_in(const Index *e);
  void return_statement(const Return *st);
  void try_statement(const Try *st);
  void delete_statement(const Delete *st);
  void scoped(const Place &place, const std::function<void()> &emit);
  Value condition_value(const Expr *condition);
  void source_comment(const Place &place);

  unsigned next_id() { return ++ids_; }
  std::string fresh(const char *stem) { return stem + std::to_string(next_id()); }

  ModuleTables &tables_;
  const FunctionDecl *function_;  // null in a probe
  unsigned ids_ = 0;
  bool used_temps_ = false;           // the statement made a string temporary
  bool shows_faults_ = false;         // a value that can't be read is no error but prints "?"
  bool saved_without_fault_ = false;  // all values of the function's entry are known to have been read
  std::vector<std::string> continue_labels_;
};

// May evaluating e change a variable, print, or otherwise be noticed?
bool may_change_state(const Expr *e);
// Does the operator fail when its right side is 0?
inline bool divides(BinaryOp op) { return op == BinaryOp::Div || op == BinaryOp::Mod; }
// What "near ..." names in a run-time error: operator '+', identifier 'x'.
std::string operator_word(std::string_view spelling);
std::string identifier_word(std::string_view name);
// C text of the integer of e's size at the address, and of a bit-field's value that is taken out of that integer.
std::string memory_read(const Deref *e, const Value &address, bool is_signed);
std::string bits_of(const Deref *e, const Value &loaded);
// "// file:line:column: text"
std::string comment_at(const Place &place, std::string_view text);
// C text of the string that an entry's field {len, data} holds, and the statement that stores one there.
std::string inline_string(const std::string &field);
std::string set_inline_string(const std::string &field, const std::string &value);
// "stap_long", "struct stap_str", "void"
const char *c_type(Type t);
// Is this parameter assigned to in its function (so that it needs storage)?
bool parameter_is_assigned(const FunctionDecl *f, const VarDecl *parameter);

// The parts of the file, in order (module.cc prints them).
std::string emit_regexes(const Program &program);
// The tables that @enumname looks values up in, and the C name of one.
std::string emit_enumerations(const Program &program);
std::string enumeration_name(uint32_t number);
// The name of a pattern's constant in the file.
std::string regex_name(const Program &program, const std::string &pattern);
// How many counters a histogram has, those out of its range included.
int64_t histogram_buckets(const HistogramUse *h);
// Emits the constant that describes a variable's histogram to the runtime; nothing when it has none.
void emit_histogram_layout(Code &code, const VarDecl *v);
std::string emit_globals(ModuleTables &tables);
std::string emit_map_helpers(const VarDecl *array);
std::string emit_global_table(ModuleTables &tables);
// Embedded C behind a #line directive, so that the compiler's messages name the script's lines, and before a mark.
// STAP_GLOBAL_GET_x in it means the global that x is in its file.
std::string with_line_numbers(const Place &place, const std::string &text, const Pragmas &pragmas);
// Replaces those marks by #line directives with the lines of the C file itself.
std::string resolve_line_marks(const std::string &code, const std::string &file);
// Headers for embedded C; empty when there is no embedded C but the library's.
std::string emit_embedded_prelude(const Session &s);
std::string emit_embedded_macros(const Session &s);
// STAP_GLOBAL_GET_x and STAP_GLOBAL_SET_x of the globals that pragmas name.
std::string emit_global_accessors(const Program &program);
std::string emit_embedded_function(const FunctionDecl *f);
std::string embedded_parameter_name(const FunctionDecl *f, const VarDecl *p);
std::string emit_prototype(const FunctionDecl *f);
std::string emit_function(ModuleTables &tables, const FunctionDecl *f);
// Handlers, then the table of probes.
std::string emit_probes(ModuleTables &tables);
