// SPDX-License-Identifier: GPL-2.0-or-later
// Globals to C: scalars, aggregates, arrays with their entry types and inline lookup, and the table of them.
#include "emit/emit.h"
#include "sema/elaborate.h"

static const char *field_type(Type t) {
  return t == Type::String ? "STAP_FIELD_STR" : t == Type::Stats ? "STAP_FIELD_STAT" : "STAP_FIELD_LONG";
}

static std::string string_storage(int64_t max_string_len) {
  return "struct { u32 len; char data[" + std::to_string(max_string_len) + "]; }";
}

// The value of a stats variable: the numbers, then the histogram's buckets.
static std::string stat_storage(const VarDecl *v) {
  if (!v->histogram) return "struct { struct stap_stat stat; }";
  return "struct { struct stap_stat stat; stap_long buckets[" + std::to_string(histogram_buckets(v->histogram)) +
         "]; }";
}

static std::string key_parameters(const VarDecl *array) {
  std::string text;
  for (size_t i = 0; i < array->key_types.size(); i++)
    text += std::string(i ? ", " : "") + c_type(array->key_types[i]) + " k" + std::to_string(i);
  return text;
}

// Hash, chain walk and comparison, inline and made for the key's types.
std::string emit_map_helpers(const VarDecl *array) {
  const std::string &name = array->unique_name;
  std::string hash = "STAP_HASH_SEED", same = "e->node.hash == (u32)h", arguments;
  Code set;
  set.depth = 1;
  for (size_t i = 0; i < array->key_types.size(); i++) {
    std::string k = "k" + std::to_string(i);
    arguments += ", " + k;
    if (array->key_types[i] == Type::String) {
      hash = "stap_hash_str(" + hash + ", " + k + ")";
      same += " && stap_str_eq(stap_inline_str(&e->" + k + ".len, e->" + k + ".data), " + k + ")";
      set.line("stap_inline_str_set(&e->" + k + ".len, e->" + k + ".data, sizeof(e->" + k + ".data), " + k + ");");
    } else {
      hash = "stap_hash_long(" + hash + ", " + k + ")";
      same += " && e->" + k + " == " + k;
      set.line("e->" + k + " = " + k + ";");
    }
  }
  Code code;
  auto lookup = [&] {
    code.line("const u64 h = " + hash + ";");
    code.line("struct " + name + "_entry *e;");
    code.line("for (e = stap_map_bucket(&" + name + ", h); e; e = stap_map_entry(&" + name +
              ", e->node.next_in_bucket))");
    code.depth++;
    code.line("if (" + same + ")");
    code.depth++;
    code.line("return e;");
    code.depth -= 2;
  };
  code.line("static inline struct " + name + "_entry *" + name + "_find(" + key_parameters(array) + ")");
  code.open("");
  lookup();
  code.line("return STAP_NULL;");
  code.close();
  code.blank();
  code.line("// The entry of these keys, made when there is none; NULL with an error when the array is full.");
  code.line("static inline struct " + name + "_entry *" + name + "_obtain(struct stap_ctx *c, " +
            key_parameters(array) + ")");
  code.open("");
  lookup();
  code.line("e = stap_map_add(c, &" + name + ", h);");
  code.line("if (!e)");
  code.depth++;
  code.line("return STAP_NULL;");
  code.depth--;
  code.append(set);
  code.line("return e;");
  code.close();
  return code.text();
}

static void emit_array(Code &code, ModuleTables &tables, const VarDecl *v) {
  int64_t string_len = tables.s.limits.max_string_len;
  const std::string &name = v->unique_name;
  code.open("struct " + name + "_entry");
  code.line("struct stap_map_node node;");
  for (size_t i = 0; i < v->key_types.size(); i++)
    code.line((v->key_types[i] == Type::String ? string_storage(string_len) : "stap_long") + " k" + std::to_string(i) +
              ";");
  code.line((v->type == Type::String  ? string_storage(string_len)
             : v->type == Type::Stats ? stat_storage(v)
                                      : "stap_long") +
            " value;");
  code.close(" __attribute__((aligned(8)));");
  code.line("static struct stap_map " + name + ";");
  emit_histogram_layout(code, v);
  code.blank();
}

// After the bodies, when it is known how many sorted loops each array has.
static void emit_layout(Code &code, ModuleTables &tables, const VarDecl *v) {
  const std::string &name = v->unique_name, entry = "struct " + name + "_entry";
  int64_t entries = v->max_entries ? v->max_entries : tables.s.limits.max_map_entries;
  code.line("static const struct stap_field " + name + "_keys[] = {");
  for (size_t i = 0; i < v->key_types.size(); i++)
    code.line(std::string("\t{") + field_type(v->key_types[i]) + ", __builtin_offsetof(" + entry + ", k" +
              std::to_string(i) + ")},");
  code.line("};");
  code.open("static const struct stap_map_layout " + name + "_layout =");
  code.line(".entry_size = sizeof(" + entry + "),");
  code.line(".max_entries = " + std::to_string(entries) + ",");
  code.line(".key_count = " + std::to_string(v->key_types.size()) + ",");
  code.line(std::string(".wraps = ") + (v->wraps ? "1" : "0") + ",");
  if (v->max_entries) code.line(".overflow = \"Array overflow, check size limit (" + std::to_string(entries) + ")\",");
  code.line(".sort_slots = " + std::to_string(tables.sort_slots[v]) + ",");
  code.line(".keys = " + name + "_keys,");
  code.line(".value = {" + std::string(field_type(v->type)) + ", __builtin_offsetof(" + entry + ", value)},");
  if (v->histogram) code.line(".histogram = &" + name + "_histogram,");
  code.close(";");
}

std::string emit_globals(ModuleTables &tables) {
  Code code;
  for (const VarDecl *v : tables.s.program.globals) {
    code.line("// " + c_comment(to_string(v->place) + ": global " + v->name));
    if (v->arity > 0) {
      emit_array(code, tables, v);
      continue;
    }
    if (v->type == Type::String) {
      code.line("static struct stap_global_str " + v->unique_name + ";");
    } else if (v->type == Type::Stats) {
      code.line("static " + stat_storage(v) + " " + v->unique_name + ";");
      emit_histogram_layout(code, v);
    } else {
      auto *number = as<Number>(v->initial);
      code.line("static stap_long " + v->unique_name + (number ? " = " + c_long(number->value) : "") + ";");
    }
    code.blank();
  }
  for (const VarDecl *v : tables.s.program.globals)
    if (v->arity > 0) code.line(emit_map_helpers(v));
  return code.text();
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
    std::string text = "{.name = " + c_string(v->arity > 0 || is_settable(*v) ? v->name : "") +
                       ", .kind = STAP_GLOBAL_" + kind + ", .object = &" + v->unique_name;
    if (v->arity > 0) text += ", .layout = &" + v->unique_name + "_layout";
    if (v->histogram) text += ", .histogram = &" + v->unique_name + "_histogram";
    if (auto *initial = as<String>(v->initial))
      text += ", .initial_str = {" + c_string(initial->value) + ", " + std::to_string(initial->value.size()) + "}";
    code.line(text + "},");
  }
  code.depth--;
  code.line("};");
  return code.text();
}
