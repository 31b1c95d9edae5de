// SPDX-License-Identifier: GPL-2.0-or-later
// Statements to C: control flow, loops over arrays, try/catch, delete.
#include <fmt/core.h>
#include <set>
#include <string_view>

#include "emit/emit.h"

std::string comment_at(const Place &place, std::string_view text) {
  return "// " + c_comment(fmt::format("{}: {}", to_string(place), text));
}

void FunctionEmitter::source_comment(const Place &place) {
  if (!place) return;
  std::string_view line = place.file->line(place.line);
  size_t start = line.find_first_not_of(" \t");
  std::string text = start == std::string_view::npos ? "" : std::string(line.substr(start, 100));
  code.line(comment_at(place, text));
}

// A statement in braces, for what it declares, below the comment that shows its source. It releases the string
// temporaries that it made.
void FunctionEmitter::scoped(const Place &place, const std::function<void()> &emit) {
  Code outer = std::move(code);
  bool outer_used = used_temps_;
  used_temps_ = false;
  code = Code();
  code.depth = outer.depth + 1;
  emit();
  Code inner = std::move(code);
  code = std::move(outer);
  source_comment(place);
  code.open("");
  std::string mark;
  if (used_temps_) {
    mark = fresh("temps");
    code.line("const u32 {} = stap_temps(c);", mark);
  }
  code.append(inner);
  if (used_temps_) code.line("stap_temps_release(c, {});", mark);
  code.close();
  used_temps_ = outer_used;
}

// How many actions a block spends: one for each of its own statements. Blocks within it count for themselves.
static int own_actions(const Block *b) {
  int n = 0;
  for (const Stmt *st : b->statements)
    if (st->kind != StmtKind::Block && st->kind != StmtKind::Empty) n++;
  return n;
}

// What a run-time error at the statement is "near": the statement's first word.
static std::string statement_word(const Stmt *st) {
  if (!st->place) return "";
  std::string_view line = st->place.file->line(st->place.line);
  if (st->place.col == 0 || st->place.col > line.size()) return "";
  auto in_word = [](char c) { return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); };
  size_t start = st->place.col - 1, end = start;
  while (end < line.size() && in_word(line[end])) end++;
  if (end == start) return "";
  static const std::set<std::string_view> keywords = {"if",     "while", "for",  "foreach", "return",
                                                      "delete", "try",   "next", "break",   "continue"};
  const std::string_view word = line.substr(start, end - start);
  return keywords.count(word) ? fmt::format("keyword '{}'", word) : identifier_word(word);
}

void FunctionEmitter::block(const Block *b) {
  if (int n = own_actions(b)) {
    // Where the actions run out in this block, "MAXACTION exceeded" names the place of its first statement.
    const Stmt *first = b->statements.front();
    set_place(first->place, statement_word(first));
    code.line("stap_actions(c, {});", n);
    check();
  }
  for (const Stmt *st : b->statements) statement(st);
}

// Evaluates a condition and releases its string temporaries at once. Its value is a number, so it needs none of them.
Value FunctionEmitter::condition_value(const Expr *condition) {
  bool outer_used = used_temps_;
  used_temps_ = false;
  Code outer = std::move(code);
  code = Code();
  code.depth = outer.depth;
  Value value = expr(condition);
  Code inner = std::move(code);
  code = std::move(outer);
  if (used_temps_) {
    std::string mark = fresh("temps");
    code.line("const u32 {} = stap_temps(c);", mark);
    code.append(inner);
    value = long_temp(value.text);
    code.line("stap_temps_release(c, {});", mark);
  } else {
    code.append(inner);
  }
  used_temps_ = outer_used;
  return value;
}

void FunctionEmitter::if_statement(const If *st) {
  source_comment(st->place);
  code.open("");
  Value value = condition_value(st->condition);
  code.open("if ({})", value.text);
  statement(st->yes);
  if (st->no) {
    code.close(" else {");
    code.depth++;
    statement(st->no);
  }
  code.close();
  code.close();
}

void FunctionEmitter::loop(const Expr *condition, const Expr *step, const Stmt *body) {
  std::string next = fresh("continue_");
  code.open("for (;;)");
  // Every turn spends an action: with an empty body nothing else would bound the loop.
  set_place(body->place, statement_word(body));
  code.line("stap_actions(c, 1);");
  check();
  if (condition) {
    Value value = condition_value(condition);
    code.line("if (!{})", c_atom(value.text));
    code.line("\tbreak;");
  }
  continue_labels_.push_back(next);
  code.open("");
  statement(body);
  code.close();
  continue_labels_.pop_back();
  code.label(next);
  if (step) scoped({}, [&] { effects(step); });
  else code.line(";");
  code.close();
}

void FunctionEmitter::spend_for_turn(const Foreach *st) {
  set_place(st->place, statement_word(st));
  code.line("stap_actions(c, 1);");
  check();
}

static std::string read_field(Type type, const std::string &field) {
  return type == Type::String ? inline_string(field) : field;
}

// Sets the loop's variables from the entry and runs the body.
void FunctionEmitter::foreach_body(const Foreach *st, const std::string &entry) {
  const VarDecl *array = st->array->decl;
  spend_for_turn(st);
  for (size_t i = 0; i < st->keys.size(); i++) {
    const std::string key = fmt::format("{}->k{}", entry, i);
    store_variable(st->keys[i]->decl, Value::expression(read_field(array->key_types[i], key)));
  }
  if (st->value)
    store_variable(st->value->decl, Value::expression(read_field(array->type, fmt::format("{}->value", entry))));
  code.open("");
  statement(st->body);
  code.close();
}

// Evaluates a slice's keys. Returns the C condition under which an entry belongs to the slice; it is empty when every
// entry does.
std::string FunctionEmitter::slice_condition(const VarDecl *array, const std::string &entry,
                                             const std::vector<Expr *> &slice) {
  std::string text;
  for (size_t i = 0; i < slice.size(); i++) {
    if (!slice[i]) continue;
    const std::string key = fmt::format("{}->k{}", entry, i);
    Value value = expr(slice[i]);
    if (!text.empty()) text += " && ";
    text += array->key_types[i] == Type::String
                ? fmt::format("stap_str_eq({}, {})", inline_string(key), copied(value).text)
                : fmt::format("{} == {}", key, long_temp(value.text).text);
  }
  return text;
}

// Entries that a slice passes over execute no statement, and are paid for as steps. Declares their counter.
std::string FunctionEmitter::count_steps() {
  const std::string steps = fresh("steps");
  code.line("u32 {} = 0;", steps);
  return steps;
}

void FunctionEmitter::spend_step(const std::string &steps) {
  code.line("if (stap_step(c, &{}))", steps);
  code.line("\tgoto {};", fail_labels.back());
}

// [*, x] in array: is there an entry that matches?
Value FunctionEmitter::slice_in(const Index *e) {
  const std::string &name = e->base->decl->unique_name;
  std::string found = fresh("t"), condition = slice_condition(e->base->decl, "entry", e->keys);
  if (condition.empty()) return Value::expression(fmt::format("stap_map_count(&{}) != 0", name));
  set_place(e->place, identifier_word(e->base->decl->name));
  code.line("stap_long {} = 0;", found);
  const std::string steps = count_steps();
  code.open("for (struct {0}_entry *entry = stap_map_first(&{0}); entry && !{1}; entry = stap_map_next(&{0}, entry))",
            name, found);
  spend_step(steps);
  code.line("{} = {};", found, condition);
  code.close();
  return Value::temporary(found);
}

// Opens the C loop over the array's entries, each of which is `entry`. `wanted`: of a sorted loop, how many entries.
void FunctionEmitter::foreach_turns(const Foreach *st, const std::string &wanted) {
  const VarDecl *array = st->array->decl;
  const std::string &name = array->unique_name;
  std::string sort;
  if (st->sort_direction) {
    const std::string key = st->sort_key < 0 ? "STAP_SORT_VALUE" : std::to_string(st->sort_key);
    sort = fmt::format("&{}, {}, &(struct stap_sort_order){{{}, (enum stap_stat_op){}, {}}}, {}", name,
                       tables_.sort_slot(array), key, static_cast<int>(st->sort_statistic), st->sort_direction, wanted);
    set_place(st->place, statement_word(st));
  }
  if (st->body_changes_array) {
    const std::string loop = fresh("loop");
    code.line("struct stap_iteration {} __attribute__((cleanup(stap_iteration_end)));", loop);
    if (sort.empty()) {
      code.line("stap_iteration_begin(&{}, &{});", loop, name);
    } else {
      tables_.changed_while_sorted.insert(array);
      code.line("stap_iteration_sort(c, &{}, {});", loop, sort);
      check();
    }
    code.open("for (struct {}_entry *entry; (entry = stap_iteration_next(&{}));)", name, loop);
  } else if (!sort.empty()) {
    const unsigned slot = tables_.sort_slots[array] - 1;
    const std::string count = fresh("n"), i = fresh("i");
    code.line("const u32 {} = stap_map_sort(c, {});", count, sort);
    check();
    code.open("for (u32 {0} = 0; {0} < {1}; {0}++)", i, count);
    code.line("struct {0}_entry *entry = stap_map_sorted(&{0}, {1}, {2});", name, slot, i);
  } else {
    code.open("for (struct {0}_entry *entry = stap_map_first(&{0}); entry; entry = stap_map_next(&{0}, entry))", name);
  }
}

void FunctionEmitter::foreach_statement(const Foreach *st) {
  if (st->histogram) return histogram_loop(st);
  source_comment(st->place);
  code.open("");
  std::string mark = fresh("temps");
  code.line("const u32 {} = stap_temps(c);", mark);
  std::string limit = st->limit ? long_temp(expr(st->limit).text).text : "";
  std::string condition = slice_condition(st->array->decl, "entry", st->slice);
  std::string next = fresh("continue_");
  // Sorting takes no more entries than the limit allows. Where the body may remove some of them, without sorting, and
  // for a slice, whose entries are chosen while walking, the limit counts the entries that were visited.
  const bool sorts_few = st->sort_direction && condition.empty() && !st->body_changes_array;
  std::string visited = limit.empty() || sorts_few ? "" : fresh("visited");
  if (!visited.empty()) code.line("stap_long {} = 0;", visited);
  const std::string steps = condition.empty() ? "" : count_steps();
  foreach_turns(st, limit.empty() || !sorts_few ? "-1" : fmt::format("{0} < 0 ? 0 : {0}", limit));
  if (!condition.empty()) {
    spend_step(steps);
    code.line("if (!({}))", condition);
    code.line("\tcontinue;");
  }
  if (!visited.empty()) {
    code.line("if ({}++ >= {})", visited, limit);
    code.line("\tbreak;");
  }
  continue_labels_.push_back(next);
  foreach_body(st, "entry");
  continue_labels_.pop_back();
  code.label(next);
  code.line(";");
  code.close();
  code.line("stap_temps_release(c, {});", mark);
  code.close();
}

void FunctionEmitter::return_statement(const Return *st) {
  source_comment(st->place);
  code.open("");
  if (st->value) {
    Value value = expr(st->value);
    code.line("result = {};", value.text);
  }
  code.line("goto out;");
  code.close();
}

void FunctionEmitter::try_statement(const Try *st) {
  std::string caught = fresh("catch_"), done = fresh("tried_"), mark = fresh("temps");
  source_comment(st->place);
  code.open("");
  code.line("const u32 {} = stap_temps(c);", mark);
  code.open("");
  fail_labels.push_back(caught);
  block(st->body);
  fail_labels.pop_back();
  code.line("goto {};", done);
  code.close();
  code.label(caught);
  code.open("");
  code.line("stap_temps_release(c, {});", mark);
  code.line("const struct stap_str caught = stap_catch(c);");
  check();
  if (st->message) store_variable(st->message->decl, Value::expression("caught"));
  else code.line("(void)caught;");
  code.line("stap_temps_release(c, {});", mark);
  if (st->handler) block(st->handler);
  code.close();
  code.label(done);
  code.line(";");
  code.close();
}

void FunctionEmitter::delete_statement(const Delete *st) {
  if (auto *symbol = as<Symbol>(st->target)) {
    const VarDecl *decl = symbol->decl;
    source_comment(st->place);
    if (decl->arity > 0) {
      set_place(st->place, statement_word(st));
      code.line("stap_map_clear(c, &{});", decl->unique_name);
      check();
    } else if (decl->type == Type::Stats) {
      code.line("__builtin_memset(&{0}, 0, sizeof({0}));", decl->unique_name);
    } else {
      store_variable(decl, Value::constant(decl->type == Type::String ? c_slice("") : "0"));
    }
    return;
  }
  auto *index = static_cast<const Index *>(st->target);
  const std::string &name = index->base->decl->unique_name;
  scoped(st->place, [&] {
    bool is_slice = false;
    for (const Expr *key : index->keys) is_slice = is_slice || !key;
    if (!is_slice) {
      std::string entry = fresh("e"), found = find_element(index);
      code.line("struct {}_entry *{} = {};", name, entry, found);
      code.line("if ({})", entry);
      code.line("\tstap_map_remove(&{}, {});", name, entry);
      return;
    }
    std::string condition = slice_condition(index->base->decl, "entry", index->keys);
    set_place(st->place, statement_word(st));
    const std::string steps = count_steps();
    code.open("for (struct {0}_entry *entry = stap_map_first(&{0}), *next; entry; entry = next)", name);
    spend_step(steps);
    code.line("next = stap_map_next(&{}, entry);", name);
    code.line("if ({})", condition.empty() ? "1" : condition);
    code.line("\tstap_map_remove(&{}, entry);", name);
    code.close();
  });
}

void FunctionEmitter::statement(const Stmt *st) {
  switch (st->kind) {
    case StmtKind::Block: block(static_cast<const Block *>(st)); return;
    case StmtKind::Empty: code.line(";"); return;
    case StmtKind::Expression: scoped(st->place, [&] { effects(static_cast<const ExprStmt *>(st)->expr); }); return;
    case StmtKind::If: if_statement(static_cast<const If *>(st)); return;
    case StmtKind::While: {
      auto *w = static_cast<const While *>(st);
      source_comment(st->place);
      loop(w->condition, nullptr, w->body);
      return;
    }
    case StmtKind::For: {
      auto *f = static_cast<const For *>(st);
      if (f->init) scoped(st->place, [&] { effects(f->init); });
      else source_comment(st->place);
      loop(f->condition, f->step, f->body);
      return;
    }
    case StmtKind::Foreach: foreach_statement(static_cast<const Foreach *>(st)); return;
    case StmtKind::Break: code.line("break;"); return;
    case StmtKind::Continue: code.line("goto {};", continue_labels_.back()); return;
    case StmtKind::Return: return_statement(static_cast<const Return *>(st)); return;
    case StmtKind::Next:
      if (function_) code.line("c->passed_on = 1;");
      code.line("goto out;");
      return;
    case StmtKind::Try: try_statement(static_cast<const Try *>(st)); return;
    case StmtKind::Delete: delete_statement(static_cast<const Delete *>(st)); return;
    case StmtKind::Embedded: embedded_statement(static_cast<const Embedded *>(st)); return;
  }
}
