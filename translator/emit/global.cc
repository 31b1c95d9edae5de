// SPDX-License-Identifier: GPL-2.0-or-later
// Globals to C: scalars, aggregates, arrays with their entry types and inline lookup, and the table of them.
#include <fmt/core.h>

#include "emit/emit.h"
#include "sema/elaborate.h"

static const char *field_type(Type t) {
  return t == Type::String ? "STAP_FIELD_STR" : t == Type::Stats ? "STAP_FIELD_STAT" : "STAP_FIELD_LONG";
}

static std::string string_storage(int64_t max_string_len) {
  return fmt::format("struct {{ u32 len; char data[{}]; }}", max_string_len);
}

// The C type of a stats variable's value: the numbers, and behind them the buckets of its histogram.
static std::string stat_storage(const VarDecl *v) {
  if (!v->histogram) return "struct { struct stap_stat stat; }";
  return fmt::format("struct {{ struct stap_stat stat; stap_long buckets[{}]; }}", histogram_buckets(v->histogram));
}

static std::string key_parameters(const VarDecl *array) {
  std::string text;
  for (size_t i = 0; i < array->key_types.size(); i++)
    text += fmt::format("{}{} k{}", i ? ", " : "", c_type(array->key_types[i]), i);
  return text;
}

// The inline functions that find an array's entry, or obtain it. Hashing and comparing are made for the types of its
// keys.
std::string emit_map_helpers(const VarDecl *array) {
  const std::string &name = array->unique_name;
  std::string hash = "stap_hash_seed", same = "e->node.hash == (u32)h";
  Code set;
  set.depth = 1;
  for (size_t i = 0; i < array->key_types.size(); i++) {
    const std::string k = fmt::format("k{}", i), field = "e->" + k;
    if (array->key_types[i] == Type::String) {
      hash = fmt::format("stap_hash_str({}, {})", hash, k);
      same += fmt::format(" && stap_str_eq({}, {})", inline_string(field), k);
      set.line(set_inline_string(field, k));
    } else {
      hash = fmt::format("stap_hash_long({}, {})", hash, k);
      same += fmt::format(" && {} == {}", field, k);
      set.line("{} = {};", field, k);
    }
  }
  Code code;
  auto lookup = [&] {
    code.line("const u64 h = {};", hash);
    code.line("struct {}_entry *e;", name);
    code.line("for (e = stap_map_bucket(&{0}, h); e; e = stap_map_entry(&{0}, e->node.next_in_bucket))", name);
    code.line("\tif ({})", same);
    code.line("\t\treturn e;");
  };
  code.line("static inline struct {0}_entry *{0}_find({1})", name, key_parameters(array));
  code.open("");
  lookup();
  code.line("return STAP_NULL;");
  code.close();
  code.blank();
  code.line("// The entry of these keys, made when there is none; NULL with an error when the array is full.");
  code.line("static inline struct {0}_entry *{0}_obtain(struct stap_ctx *c, {1})", name, key_parameters(array));
  code.open("");
  lookup();
  code.line("e = stap_map_add(c, &{}, h);", name);
  code.line("if (!e)");
  code.line("\treturn STAP_NULL;");
  code.append(set);
  code.line("return e;");
  code.close();
  return code.text();
}

static void emit_array(Code &code, ModuleTables &tables, const VarDecl *v) {
  const std::string string = string_storage(tables.s.limits.max_string_len);
  code.open("struct {}_entry", v->unique_name);
  code.line("struct stap_map_node node;");
  for (size_t i = 0; i < v->key_types.size(); i++)
    code.line("{} k{};", v->key_types[i] == Type::String ? string : "stap_long", i);
  code.line("{} value;", v->type == Type::String ? string : v->type == Type::Stats ? stat_storage(v) : "stap_long");
  code.close(" __attribute__((aligned(8)));");
  code.line("static struct stap_map {};", v->unique_name);
  emit_histogram_layout(code, v);
  code.blank();
}

// Emitted after the functions and handlers, when it is known how many sorted loops each array has.
static void emit_layout(Code &code, ModuleTables &tables, const VarDecl *v) {
  const std::string &name = v->unique_name;
  int64_t entries = v->max_entries ? v->max_entries : tables.s.limits.max_map_entries;
  code.line("static const struct stap_field {}_keys[] = {{", name);
  for (size_t i = 0; i < v->key_types.size(); i++)
    code.line("\t{{{}, __builtin_offsetof(struct {}_entry, k{})}},", field_type(v->key_types[i]), name, i);
  code.line("};");
  code.open("static const struct stap_map_layout {}_layout =", name);
  code.line(".entry_size = sizeof(struct {}_entry),", name);
  code.line(".max_entries = {},", entries);
  code.line(".key_count = {},", v->key_types.size());
  code.line(".wraps = {},", v->wraps ? 1 : 0);
  if (v->max_entries) code.line(".overflow = \"Array overflow, check size limit ({})\",", entries);
  code.line(".sort_slots = {},", tables.sort_slots[v]);
  if (tables.changed_while_sorted.count(v)) code.line(".marks_removals = 1,");
  code.line(".keys = {}_keys,", name);
  code.line(".value = {{{}, __builtin_offsetof(struct {}_entry, value)}},", field_type(v->type), name);
  if (v->histogram) code.line(".histogram = &{}_histogram,", name);
  code.close(";");
}

std::string emit_globals(ModuleTables &tables) {
  Code code;
  for (const VarDecl *v : tables.s.program.globals) {
    code.line(comment_at(v->place, "global " + v->name));
    if (v->arity > 0) {
      emit_array(code, tables, v);
      continue;
    }
    if (v->type == Type::String) {
      code.line("static struct stap_global_str {};", v->unique_name);
    } else if (v->type == Type::Stats) {
      code.line("static {} {};", stat_storage(v), v->unique_name);
      emit_histogram_layout(code, v);
    } else {
      auto *number = as<Number>(v->initial);
      code.line("static stap_long {}{};", v->unique_name, number ? " = " + c_long(number->value) : "");
    }
    code.blank();
  }
  for (const VarDecl *v : tables.s.program.globals)
    if (v->arity > 0) code.line(emit_map_helpers(v));
  return code.text();
}

// By which the reader may set it. No script can declare a name as that of a library file's private one: "FILE:NAME".
static std::string name_for_reader(const VarDecl &v) {
  if (v.arity > 0 || is_settable(v)) return v.name;
  const std::string &file = scope_of(v.place)->name;
  return file.substr(file.rfind('/') + 1) + ":" + v.name;
}

std::string emit_global_table(ModuleTables &tables) {
  Code code;
  const auto &globals = tables.s.program.globals;
  for (const VarDecl *v : globals)
    if (v->arity > 0) emit_layout(code, tables, v);
  if (globals.empty()) return "";
  code.line("static struct stap_global globals[] = {");
  code.depth++;
  for (const VarDecl *v : globals) {
    const char *kind = v->arity > 0              ? "MAP"
                       : v->type == Type::String ? "STR"
                       : v->type == Type::Stats  ? "STAT"
                                                 : "LONG";
    std::string fields = fmt::format(".name = {}, .kind = STAP_GLOBAL_{}, .object = &{}", c_string(name_for_reader(*v)),
                                     kind, v->unique_name);
    if (v->arity > 0) fields += fmt::format(", .layout = &{}_layout", v->unique_name);
    if (v->histogram) fields += fmt::format(", .histogram = &{}_histogram", v->unique_name);
    if (auto *initial = as<String>(v->initial))
      fields += fmt::format(", .initial_str = {{{}, {}}}", c_string(initial->value), initial->value.size());
    code.line("{{{}}},", fields);
  }
  code.depth--;
  code.line("};");
  return code.text();
}
