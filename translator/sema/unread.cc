// SPDX-License-Identifier: GPL-2.0-or-later
// Globals of the script that are written and never read are printed when it ends: one more end probe is made for them.
//
// stap(1) promises the printing; the layout is what scripts' users know:
//
//   packets=12
//   name="text"
//   sizes @count=2 @min=3 @max=9 @sum=12 @avg=6
//   calls["read",1]=20        arrays by falling value, aggregates by falling count
#include <algorithm>
#include <fmt/core.h>
#include <map>

#include "sema/elaborate.h"
#include "syntax/make.h"
#include "syntax/parse.h"

namespace {

constexpr const char *stat_format = R"( @count=%d @min=%d @max=%d @sum=%d @avg=%d\n)";

// The name of key i in the generated loop; scripts' own names don't begin so.
std::string key_name(size_t i) { return "__key" + std::to_string(i); }

// Text that prints one scalar.
std::string print_scalar(const VarDecl &v) {
  if (v.type == Type::String) return fmt::format(R"(printf("{0}=\"%s\"\n", {0}))", v.name) + "\n";
  if (v.type == Type::Long) return fmt::format(R"(printf("{0}=%d\n", {0}))", v.name) + "\n";
  return fmt::format(R"(if (@count({0})) printf("{0}{1}", @count({0}), @min({0}), @max({0}), @sum({0}), @avg({0}))
else println("{0} @count=0x0")
)",
                     v.name, stat_format);
}

// Text that prints the elements of an array.
std::string print_array(const VarDecl &v) {
  std::string keys, formats;
  for (size_t i = 0; i < v.key_types.size(); i++) {
    keys += (i ? ", " : "") + key_name(i);
    formats += fmt::format("{}{}", i ? "," : "", v.key_types[i] == Type::String ? R"(\"%s\")" : "%d");
  }
  const std::string element = fmt::format("{}[{}]", v.name, keys),
                    loop = fmt::format("foreach ([{}] in {}-) ", keys, v.name);
  if (v.type == Type::Stats)
    return loop +
           fmt::format(R"(printf("{0}[{1}]{2}", {3}, @count({4}), @min({4}), @max({4}), @sum({4}), @avg({4})))", v.name,
                       formats, stat_format, keys, element) +
           "\n";
  return loop +
         fmt::format(R"(printf("{}[{}]={}\n", {}, {}))", v.name, formats, v.type == Type::String ? R"(\"%s\")" : "%d",
                     keys, element) +
         "\n";
}

bool is_of_script(const Session &s, const VarDecl &v) {
  for (const ScriptFile *file : s.user_files)
    if (file->source == scope_of(v.place)) return true;
  return false;
}

// The generated text names its variables; no other pass needs to look for them.
class Binder {
 public:
  Binder(Session &s, DerivedProbe &probe, const std::map<std::string, VarDecl *> &globals)
      : s_(s), probe_(probe), names_(globals) {}

  void run() {
    for_each_stmt(probe_.body, [&](Stmt *st) {
      Foreach *loop = as<Foreach>(st);
      if (!loop) return;
      loop->array->decl = names_.at(loop->array->name);
      for (size_t i = 0; i < loop->keys.size(); i++) declare_key(*loop->keys[i], loop->array->decl->key_types[i]);
      // Its body comes before the next loop, which has keys of its own.
      for_each_expr(loop->body, [&](Expr *&e) { bind(e); });
    });
    for_each_expr(static_cast<Stmt *>(probe_.body), [&](Expr *&e) { bind(e); });
  }

 private:
  void bind(Expr *e) {
    if (Index *index = as<Index>(e)) bind(index->base);
    Symbol *symbol = as<Symbol>(e);
    if (symbol && !symbol->decl) symbol->decl = names_.at(symbol->name);
  }

  void declare_key(Symbol &key, Type type) {
    VarDecl *local =
        NodeFactory(s_, key.place).local(key.name, fmt::format("l{}_{}", key.name, probe_.locals.size()), type);
    probe_.locals.push_back(local);
    names_[key.name] = key.decl = local;
  }

  Session &s_;
  DerivedProbe &probe_;
  std::map<std::string, VarDecl *> names_;
};

}  // namespace

void print_unread_globals(Session &s, ProbeMatcher &matcher) {
  std::map<std::string, VarDecl *> unread;
  std::string text;
  for (const ScriptFile *file : s.user_files)
    for (VarDecl *v : file->globals) {
      const bool in_use = std::find(s.program.globals.begin(), s.program.globals.end(), v) != s.program.globals.end();
      if (!in_use || !v->written || v->read || !is_of_script(s, *v)) continue;
      if (!unread.emplace(v->name, v).second) continue;
      text += v->arity > 0 ? print_array(*v) : print_scalar(*v);
    }
  if (text.empty()) return;
  // After all other end probes.
  const SourceFile *source =
      s.add_source("<unread globals>", fmt::format("probe end(9223372036854775807) {{\n{}}}\n", text));
  ScriptFile *file = parse_script(s, source);
  const size_t before = s.program.probes.size();
  derive_probe(s, matcher, *file->probes.at(0));
  DerivedProbe &probe = *s.program.probes.at(before);
  probe.spends_no_actions = true;
  Binder(s, probe, unread).run();
}
