// SPDX-License-Identifier: GPL-2.0-or-later
// The whole C file: globals, functions, handlers, tables and the program's descriptor.
#include <algorithm>
#include <fmt/core.h>

#include "debuginfo/binary.h"
#include "emit/emit.h"
#include "emit/translate.h"
#include "regex/regex.h"
#include "sema/elaborate.h"

// The text of the place's line, for traces, without the blanks around it. Of a long line it is the part near the place.
static std::string source_text(const Place &place) {
  constexpr size_t longest = 80, before = 30;
  if (!place.file || !place.col) return "";
  std::string_view line = place.file->line(place.line);
  size_t start = std::min(line.find_first_not_of(" \t"), line.size());
  if (line.size() - start > longest && place.col - 1 > start + before) {
    start = std::min<size_t>(place.col - 1 - before, line.size());
    while (start < line.size() && (line[start] & 0xc0) == 0x80) start++;
  }
  line.remove_prefix(start);
  size_t end = std::min(line.size(), longest);
  while (end > 0 && end < line.size() && (line[end] & 0xc0) == 0x80) end--;
  std::string text;
  for (unsigned char c : line.substr(0, end))
    text += c == '\t' ? ' ' : c < 0x20 || c == 0x7f ? '?' : static_cast<char>(c);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

unsigned ModuleTables::place(const Place &where, const std::string &word) {
  PlaceEntry entry{where.file ? where.file->name : "", where.line, where.col, word, source_text(where)};
  std::string key = fmt::format("{}:{}:{}:{}", entry.file, entry.line, entry.col, word);
  auto [it, is_new] = place_index_.try_emplace(key, places.size());
  if (is_new) places.push_back(entry);
  return it->second;
}

unsigned ModuleTables::format(const std::string &text, const std::string &arg_types) {
  auto [it, is_new] = format_index_.try_emplace(fmt::format("{}:{}", arg_types, text), formats.size());
  if (is_new) formats.push_back({text, arg_types});
  return it->second;
}

static std::string string_or_null(const std::string &text) { return text.empty() ? "STAP_NULL" : c_string(text); }

static std::string emit_places(const ModuleTables &tables) {
  Code code;
  code.line("static const struct stap_place places[] = {");
  for (const auto &p : tables.places) {
    if (p.file.empty()) code.line("\t{0},");
    else
      code.line("\t{{{}, {}, {}, {}, {}}},", c_string(p.file), p.line, p.col, c_string(p.word), string_or_null(p.text));
  }
  code.line("};");
  return code.text();
}

static std::string emit_formats(const ModuleTables &tables) {
  Code code;
  code.line("static const struct stap_format formats[] = {");
  for (const auto &f : tables.formats)
    code.line("\t{{{{{}, {}}}, {}, {}}},", c_string(f.text), f.text.size(), c_string(f.arg_types), f.arg_types.size());
  code.line("};");
  return code.text();
}

// The kernel has no module name.
static std::string module_name(const TargetBinary &binary) {
  return binary.is_module() ? c_string(binary.name) : "STAP_NULL";
}

static std::string emit_symbols(const Program &program) {
  Code code;
  code.line("static struct stap_symbol symbols[] = {");
  for (const auto &ref : program.symbols)
    code.line("\t{{{}, {}, {}ull, 0}},", module_name(*ref.binary), string_or_null(ref.section), ref.offset);
  code.line("};");
  return code.text();
}

// The symbols by which a module's sections are found, as an array of that name.
static void emit_anchors(Code &code, const std::string &name, const TargetBinary &binary) {
  code.line("static const struct stap_anchor {}[] = {{", name);
  for (const SectionAnchor &anchor : binary.anchors)
    code.line("\t{{{}, {}, {:#x}ull}},", c_string(anchor.section), c_string(anchor.symbol), anchor.offset);
  code.line("};");
}

// Binaries of which the script must know more than its places say: build-ids, which must be those it was compiled for
// unless it is told not to look, and where the sections of modules are found.
static std::vector<const TargetBinary *> described_binaries(const Session &s) {
  std::vector<const TargetBinary *> list;
  for (const TargetBinary *binary : s.program.required)
    if (!s.limits.no_build_id_check || !binary->anchors.empty()) list.push_back(binary);
  return list;
}

static std::string emit_modules(const Session &s) {
  const std::vector<const TargetBinary *> binaries = described_binaries(s);
  Code code;
  auto anchors_name = [](size_t i) { return fmt::format("anchors_{}", i); };
  for (size_t i = 0; i < binaries.size(); i++)
    if (!binaries[i]->anchors.empty()) emit_anchors(code, anchors_name(i), *binaries[i]);
  code.line("static const struct stap_module_id modules[] = {");
  for (size_t i = 0; i < binaries.size(); i++) {
    const TargetBinary &id = *binaries[i];
    std::string bytes;
    const size_t length = s.limits.no_build_id_check ? 0 : std::min<size_t>(id.build_id.size(), 20);
    for (size_t n = 0; n < length; n++) bytes += fmt::format("{}{}", n ? ", " : "", id.build_id[n]);
    code.line("\t{{{}, {{{}}}, {}, {}ull, {}, {}, {}}},", module_name(id), bytes, length, id.notes_offset,
              string_or_null(id.is_file() ? id.path : ""), id.anchors.empty() ? "STAP_NULL" : anchors_name(i),
              id.anchors.size());
  }
  code.line("};");
  return code.text();
}

// How deep calls may nest: as deep as the script's calls go, and 10 levels more when a function calls itself.
static int32_t computed_nesting(const Program &program) {
  return program.max_call_depth + (program.recursive ? 10 : 0);
}

static void emit_limits(Code &code, const Session &s) {
  const Limits &limits = s.limits;
  const int64_t nesting = limits.max_nesting.value_or(computed_nesting(s.program));
  // Probes that may wait, such as begin and end, get ten times as many statements.
  const int64_t more_actions = std::min<int64_t>(int64_t{10} * limits.max_action, INT32_MAX);
  // Room for a few dozen temporaries and for the string variables of every nested call.
  const int64_t arena = std::clamp<int64_t>(16384 + limits.max_string_len * (32 + 4 * nesting), 65536, 4 << 20);
  auto field = [&](const char *name, int64_t value) { code.line(".{} = {},", name, c_long(value)); };
  code.open(".limits =");
  field("max_string_len", limits.max_string_len);
  field("max_action", limits.max_action);
  field("max_action_interruptible", limits.max_action_interruptible.value_or(more_actions));
  field("max_atomic_time_us", limits.max_atomic_time_us);
  field("max_try_lock", limits.max_try_lock);
  field("try_lock_delay_us", limits.try_lock_delay_us);
  field("max_nesting", nesting);
  field("max_errors", limits.max_errors);
  field("max_skipped", limits.max_skipped);
  field("min_stack_space", limits.min_stack_space);
  field("max_backtrace", limits.max_backtrace);
  field("overload_interval", limits.no_overload ? 0 : static_cast<int64_t>(limits.overload_interval));
  field("overload_threshold", static_cast<int64_t>(limits.overload_threshold));
  field("arena_size", arena);
  field("ring_size", static_cast<int64_t>(s.options.buffer_mb) << 20);
  field("suppress_handler_errors", limits.suppress_handler_errors);
  field("hist_width", limits.hist_width);
  field("hist_elision", limits.hist_elision);
  field("timing", limits.timing);
  field("alibi", limits.alibi);
  code.close(",");
}

// How many groups the pattern with the most of them has. The whole match counts as one.
static int most_groups(const Program &program) {
  int most = 1;
  for (auto &[pattern, regex] : program.regexes) most = std::max(most, regex->groups + 1);
  return most;
}

static std::string emit_descriptor(const ModuleTables &tables) {
  const Session &s = tables.s;
  const Program &program = s.program;
  Code code;
  code.open("struct stap_program stap_program =");
  code.line(".abi_version = STAP_ABI_VERSION,");
  code.line(".name = {},", c_string(s.options.module_name));
  emit_limits(code, s);
  auto table = [&](const char *field, const char *count, const char *array, bool present) {
    if (!present) return;
    code.line(".{} = {},", field, array);
    code.line(".{} = STAP_ARRAY_LEN({}),", count, array);
  };
  table("probes", "probe_count", "probes", !program.probes.empty());
  table("globals", "global_count", "globals", !program.globals.empty());
  table("formats", "format_count", "formats", !tables.formats.empty());
  table("places", "place_count", "places", !tables.places.empty());
  table("symbols", "symbol_count", "symbols", !program.symbols.empty());
  table("modules", "module_count", "modules", !described_binaries(s).empty());
  if (!program.conditions.empty()) code.line(".conditions = evaluate_conditions,");
  if (program.keeps_match) code.line(".match_groups = {},", most_groups(program));
  if (tables.user_files) code.line(".wants_user_files = {},", tables.user_files);
  code.close(";");
  return code.text();
}

// Bodies of functions, callees first.
static std::string emit_functions(ModuleTables &tables) {
  std::string out;
  for (const FunctionDecl *f : tables.s.program.functions) out += emit_function(tables, f) + "\n";
  return out;
}

std::string translate(Session &s) {
  ModuleTables tables(s);
  const Program &program = s.program;
  const std::string functions = emit_functions(tables);
  const char *inclusions =
      embedded_c_needs_headers(program) ? "it has embedded C" : "includes the runtime's ABI and nothing else";
  std::string out = fmt::format(
      "// SPDX-License-Identifier: GPL-2.0-or-later\n"
      "// Made by stap from a script; {}.\n"
      "{}#include \"abi/stap.h\"\n\n"
      "{}\n",
      inclusions, emit_embedded_prelude(s), emit_embedded_macros(s));
  for (const EmbeddedCode *embedded : program.embedded)
    if (!embedded->pragmas.suffix) out += with_line_numbers(embedded->place, embedded->text, embedded->pragmas) + "\n";
  if (!program.regexes.empty()) out += emit_regexes(program) + "\n";
  if (!program.enumerations.empty()) out += emit_enumerations(program) + "\n";
  out += emit_globals(tables);
  out += emit_global_accessors(program);
  for (const FunctionDecl *f : program.functions) out += emit_prototype(f) + ";\n";
  out += "\n";
  out += functions;
  out += emit_probes(tables) + "\n";
  out += emit_global_table(tables) + "\n";
  if (!tables.formats.empty()) out += emit_formats(tables) + "\n";
  if (!tables.places.empty()) out += emit_places(tables) + "\n";
  if (!program.symbols.empty()) out += emit_symbols(program) + "\n";
  if (!described_binaries(s).empty()) out += emit_modules(s) + "\n";
  out += emit_descriptor(tables);
  for (const EmbeddedCode *embedded : program.embedded)
    if (embedded->pragmas.suffix) out += with_line_numbers(embedded->place, embedded->text, embedded->pragmas) + "\n";
  return resolve_line_marks(out, "script.c");
}
