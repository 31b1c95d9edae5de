// SPDX-License-Identifier: GPL-2.0-or-later
// Names to declarations: locals, globals, functions and their overloads, in the script and in the library.
//
// A name is a parameter, else a global (of the same file, of the script, of the library), else a local of the handler
// or function. A name in a library file never means what the script declares; text that came out of a macro belongs to
// the file that uses the macro. Functions are resolved when something that runs calls them, so only what is used is
// looked at, and only library files that are used are parsed.
#include <algorithm>
#include <fmt/core.h>
#include <unordered_map>
#include <unordered_set>

#include "library/documented.h"
#include "library/library.h"
#include "sema/elaborate.h"
#include "syntax/habits.h"
#include "syntax/make.h"

const SourceFile *scope_of(const Place &place) {
  const Place *p = &place;
  while (p->expanded_from) p = p->expanded_from;
  return p->file;
}

bool is_settable(const VarDecl &global) { return !(global.is_private && scope_of(global.place)->is_tapset); }

namespace {

// The declarations that every file of the script sees, and those that only one file sees: what is private, and
// everything that a library file declares.
struct Names {
  std::unordered_map<std::string, VarDecl *> globals;
  std::unordered_map<std::string, std::vector<FunctionDecl *>> functions;
  std::unordered_map<const SourceFile *, std::unordered_map<std::string, VarDecl *>> private_globals;
  std::unordered_map<const SourceFile *, std::unordered_map<std::string, std::vector<FunctionDecl *>>> file_functions;
};

}  // namespace

class Resolver {
 public:
  Resolver(Session &s, ProbeMatcher &matcher) : s_(s), matcher_(matcher) {
    for (const ScriptFile *file : s.user_files) add_file(*file, true);
  }

  std::optional<CodeUnit> next() {
    for (;;) {
      if (file_ < s_.used_library_files.size()) {
        const ScriptFile &used = *s_.used_library_files[file_++];
        add_file(used, false);
        if (!derived_.insert(&used).second) continue;
        for (const ProbeDecl *p : used.probes)
          if (!was_derived(p)) derive_probe(s_, matcher_, *p);
      } else if (next_probe_ < s_.program.probes.size()) {
        return CodeUnit{s_.program.probes[next_probe_++], nullptr};
      } else if (next_function_ < s_.program.functions.size()) {
        FunctionDecl *function = s_.program.functions[next_function_++];
        return CodeUnit{function->probe, function};
      } else {
        take_embedded();
        return {};
      }
    }
  }

  void resolve(const CodeUnit &code) {
    probe_ = code.probe;
    function_ = code.function;
    locals_.clear();
    unique_locals_.clear();
    owned_locals_ = function_ ? &function_->locals : &probe_->locals;
    // What is computed at a function's entry is seen here first, when no parameters or locals have names yet.
    if (probe_)
      for (Expr *&e : probe_->saved) resolve_saved(e);
    if (function_) resolve_function(*function_);
    else resolve_probe(*probe_);
  }

 private:
  bool was_derived(const ProbeDecl *p) const {
    return std::any_of(s_.program.probes.begin(), s_.program.probes.end(),
                       [&](const DerivedProbe *d) { return d->base == p; });
  }
  void take_embedded() {
    auto &all = s_.program.embedded;
    for (const auto &files : {s_.user_files, s_.used_library_files})
      for (const ScriptFile *f : files) all.insert(all.end(), f->embedded.begin(), f->embedded.end());
    for (EmbeddedCode *c : all) {
      bind_used(c->pragmas.reads, c->place, c->pragmas.read_globals);
      bind_used(c->pragmas.writes, c->place, c->pragmas.written_globals);
    }
  }

  // C outside functions makes no global part of the program.
  void bind_used(const std::vector<std::string> &names, const Place &place, std::vector<VarDecl *> &bound) {
    for (const std::string &name : names)
      if (VarDecl *g = declared_global(name, place); g && !g->unique_name.empty()) bound.push_back(g);
  }

  void add_file(const ScriptFile &file, bool is_script) {
    if (!known_files_.insert(&file).second) return;
    for (VarDecl *g : file.globals) {
      auto &table = g->is_private || !is_script ? names_.private_globals[scope_of(g->place)] : names_.globals;
      auto [it, added] = table.emplace(g->name, g);
      if (!added)
        s_.diag.error("duplicate-global", g->place, "semantic error: conflicting global variable '{}'", g->name)
            .note("already declared here", it->second->place);
    }
    if (is_script) warn_unreachable(file);
    for (FunctionDecl *f : file.functions) {
      names_.file_functions[scope_of(f->place)][f->name].push_back(f);
      if (is_script && !f->is_private) names_.functions[f->name].push_back(f);
    }
  }

  // Of two functions with the same name and number of parameters, the second runs only when the first says `next`.
  void warn_unreachable(const ScriptFile &file) {
    std::map<std::pair<std::string, size_t>, std::vector<FunctionDecl *>> overloads;
    for (FunctionDecl *f : file.functions) overloads[{f->name, f->parameters.size()}].push_back(f);
    for (auto &[signature, functions] : overloads) {
      std::stable_sort(functions.begin(), functions.end(),
                       [](const FunctionDecl *a, const FunctionDecl *b) { return a->priority < b->priority; });
      for (size_t i = 0; i + 1 < functions.size(); i++)
        if (!may_pass_on(functions[i]) &&
            functions[i]->priority == functions[i + 1]->priority) {  // a priority is said on purpose
          s_.diag
              .warning("unreachable-function", functions[i + 1]->place,
                       "function '{}' is never reached: another comes before it and never says 'next'", signature.first)
              .note("the other is here", functions[i]->place);
          break;
        }
    }
  }

  void resolve_probe(DerivedProbe &probe) {
    if (probe.condition) resolve_condition(probe);
    Stmt *body = probe.body;
    resolve_stmt(body);
  }

  void resolve_condition(DerivedProbe &probe) {
    size_t locals = probe.locals.size();
    resolve_expr(probe.condition);
    if (probe.locals.size() > locals)
      s_.diag.error("condition-not-global", probe.condition->place,
                    "semantic error: a probe's condition may use global variables only, '{}' is not one",
                    probe.locals[locals]->name);
  }

  // The expression of an @entry is evaluated when the probed function is entered. The handler runs when it returns, so
  // that the handler's locals do not exist yet.
  void resolve_saved(Expr *&e) {
    const size_t locals = owned_locals_->size();
    resolve_expr(e);
    if (owned_locals_->size() > locals)
      s_.diag
          .error("local-in-entry", (*owned_locals_)[locals]->place,
                 "semantic error: @entry can't use the handler's local '{}'", (*owned_locals_)[locals]->name)
          .hint("it is evaluated when the function is entered, before the handler runs");
  }

  void resolve_function(FunctionDecl &f) {
    for (VarDecl *p : f.parameters) {
      locals_.emplace(p->name, p);
      p->kind = VarDecl::Kind::Parameter;
      p->arity = 0;
      p->unique_name = unique("l_" + p->name, unique_locals_);
    }
    if (f.is_embedded) bind_pragma_globals(f.pragmas, f.place);
    if (!f.body) return;
    Stmt *body = f.body;
    resolve_stmt(body);
  }

  // Returns `wanted`, or with a number behind it (l_n, l_n_2, ...) when `taken` holds that name already, and adds it.
  static std::string unique(std::string wanted, std::unordered_set<std::string> &taken) {
    for (char &c : wanted)
      if (c == '$') c = '_';
    std::string name = wanted;
    for (int i = 2; !taken.insert(name).second; i++) name = wanted + "_" + std::to_string(i);
    return name;
  }

  // --- variables ---

  // The global that a name written at this place means: one of the same file, for the script's files one of the script,
  // or else one of the library. What the library says never means a global of the script.
  VarDecl *declared_global(const std::string &name, const Place &from) {
    const SourceFile *scope = scope_of(from);
    auto file = names_.private_globals.find(scope);
    if (file != names_.private_globals.end())
      if (auto it = file->second.find(name); it != file->second.end()) return it->second;
    if (!scope->is_tapset)
      if (auto it = names_.globals.find(name); it != names_.globals.end()) return it->second;
    // add_file() may not have seen the library file yet, when one of its functions is the first to use its global.
    return s_.library ? s_.library->global(name) : nullptr;
  }

  VarDecl *find_global(const std::string &name, const Place &from) {
    VarDecl *g = declared_global(name, from);
    return g ? take_global(g) : nullptr;
  }

  VarDecl *take_global(VarDecl *g) {
    if (!g->unique_name.empty()) return g;
    g->kind = VarDecl::Kind::Global;
    g->unique_name = unique("g_" + g->name, unique_globals_);
    auto value = s_.options.global_values.find(g->name);
    if (value != s_.options.global_values.end() && is_settable(*g)) g->given = &value->second;
    s_.program.globals.push_back(g);
    return g;
  }

  // Globals come before locals: an alias of the library and a handler share their locals, but where the script declares
  // a global of that name, the script means the global and the alias its local.
  VarDecl *find(const std::string &name, const Place &place) {
    auto local = locals_.find(name);
    if (local != locals_.end() && local->second->kind == VarDecl::Kind::Parameter) return local->second;
    if (VarDecl *g = find_global(name, place)) return g;
    return local != locals_.end() ? local->second : nullptr;
  }

  VarDecl *lookup(const std::string &name, const Place &place) {
    if (VarDecl *known = find(name, place)) return known;
    VarDecl *local = NodeFactory(s_, place).local(name, unique("l_" + name, unique_locals_), Type::Unknown);
    locals_.emplace(name, local);
    owned_locals_->push_back(local);
    return local;
  }

  void resolve_scalar(Symbol &symbol) {
    if (!symbol.decl) symbol.decl = lookup(symbol.name, symbol.place);
    want_arity(*symbol.decl, 0, symbol.place);
  }

  // The array of an index expression, of a foreach or of `in`. Only a global can be one.
  void resolve_array(Symbol &symbol, int arity, const char *use) {
    if (!symbol.decl) symbol.decl = find(symbol.name, symbol.place);
    if (!symbol.decl || symbol.decl->kind != VarDecl::Kind::Global) {
      Diagnostic &d = s_.diag.error("array-not-global", symbol.place,
                                    "semantic error: {} '{}', which is not a global array", use, symbol.name);
      explain_no_array(symbol, d);
      if (!symbol.decl) symbol.decl = undeclared(symbol);
      return;
    }
    if (arity >= 0) want_arity(*symbol.decl, arity, symbol.place);
  }

  void explain_no_array(const Symbol &symbol, Diagnostic &d) {
    if (symbol.decl) {
      const bool parameter = symbol.decl->kind == VarDecl::Kind::Parameter;
      d.note(fmt::format("it is a {} of that name", parameter ? "parameter" : "local variable"), symbol.decl->place);
      d.hint("only globals can be arrays: give one of them another name, and declare the array: global NAME");
      return;
    }
    const std::string near = nearest_name(symbol.name, global_names());
    if (auto f = names_.functions.find(symbol.name); f != names_.functions.end())
      d.note("there is a function of that name", f->second[0]->place).hint("a call has parentheses: {}()", symbol.name);
    else if (s_.library && !s_.library->functions(symbol.name).empty())
      d.hint("there is a function of that name; a call has parentheses: {}()", symbol.name);
    d.hint(near.empty() || near == symbol.name ? "declare it: global " + symbol.name
                                               : fmt::format("did you mean '{}'?", near));
  }

  // Declares the missing array, so that its other uses are not reported as well.
  VarDecl *undeclared(const Symbol &symbol) {
    VarDecl *g = s_.make<VarDecl>(symbol.place);
    g->name = symbol.name;
    g->kind = VarDecl::Kind::Global;
    names_.globals.emplace(g->name, g);
    return g;
  }

  void want_arity(VarDecl &decl, int arity, const Place &place) {
    if (decl.arity == arity) return;
    if (decl.arity < 0) {
      decl.arity = arity;
      decl.key_types.assign(arity, Type::Unknown);
      first_use_[&decl] = place;
      if (arity == 0 && (decl.max_entries > 0 || decl.wraps))
        s_.diag
            .error("scalar-with-size", place,
                   "semantic error: '{}' is declared with a size, so it can't be used as a scalar", decl.name)
            .note("declared here", decl.place);
      return;
    }
    auto kind = [](int n) {
      return n == 0 ? std::string("a scalar") : fmt::format("an array with {} {}", n, n == 1 ? "key" : "keys");
    };
    Diagnostic &d =
        s_.diag.error("inconsistent-arity", place, "semantic error: '{}' is used as {} here, but as {} elsewhere",
                      decl.name, kind(arity), kind(decl.arity));
    auto first = first_use_.find(&decl);
    d.note("used as " + kind(decl.arity), first != first_use_.end() ? first->second : decl.place);
  }

  std::vector<std::string> global_names() {
    std::vector<std::string> all;
    for (auto &[name, decl] : names_.globals) all.push_back(name);
    std::sort(all.begin(), all.end());
    return all;
  }

  void bind_pragma_globals(Pragmas &said, const Place &place) {
    for (const std::string &name : said.reads)
      if (VarDecl *g = pragma_global(name, place)) {
        g->read = true;
        said.read_globals.push_back(g);
      }
    for (const std::string &name : said.writes)
      if (VarDecl *g = pragma_global(name, place)) {
        g->written = true;
        said.written_globals.push_back(g);
      }
  }

  VarDecl *pragma_global(const std::string &name, const Place &place) {
    if (VarDecl *g = find_global(name, place)) return g;
    const std::string near = nearest_name(name, global_names());
    s_.diag
        .error("unresolved-pragma-global", place, "semantic error: embedded C names global '{}', which is not declared",
               name)
        .hint(near.empty() ? "" : fmt::format("did you mean '{}'?", near));
    return nullptr;
  }

  // --- functions ---

  std::vector<FunctionDecl *> candidates(const Call &call) {
    std::vector<FunctionDecl *> all;
    auto add = [&](const std::vector<FunctionDecl *> &more) {
      for (FunctionDecl *f : more)
        if (std::find(all.begin(), all.end(), f) == all.end()) all.push_back(f);
    };
    const SourceFile *scope = scope_of(call.place);
    if (auto file = names_.file_functions.find(scope); file != names_.file_functions.end())
      if (auto it = file->second.find(call.name); it != file->second.end()) add(it->second);
    // In the file that declares a private function, its name means that function only, and no overload of other files.
    if (std::any_of(all.begin(), all.end(), [](const FunctionDecl *f) { return f->is_private; })) return all;
    if (!scope->is_tapset)
      if (auto it = names_.functions.find(call.name); it != names_.functions.end()) add(it->second);
    // The library is asked, and its file parsed, unless a function found so far takes every such call.
    bool settled = std::any_of(all.begin(), all.end(), [&](const FunctionDecl *f) {
      return f->parameters.size() == call.args.size() && !may_pass_on(f);
    });
    if (!settled && s_.library) {
      const Trail trail = trail_from(call.place);
      TrailScope led_by(s_.diag, &trail);  // of errors in the file that is read now
      add(s_.library->functions(call.name));
    }
    return all;
  }

  void resolve_call(Call &call) {
    std::vector<FunctionDecl *> all = candidates(call), matching;
    for (FunctionDecl *f : all)
      if (f->parameters.size() == call.args.size()) matching.push_back(f);
    if (matching.empty()) {
      report_unresolved(call, all);
      return;
    }
    std::stable_sort(matching.begin(), matching.end(),
                     [](const FunctionDecl *a, const FunctionDecl *b) { return a->priority < b->priority; });
    for (FunctionDecl *f : matching) {
      FunctionDecl *callee = f;
      if (probe_ && needs_probe(*f)) callee = instance(*f);
      else use_function(*f);
      call.callees.push_back(callee);
      if (callee->trail.empty() && callee != function_) callee->trail = trail_from(call.place);
      if (!may_pass_on(f)) break;
    }
  }

  // The calls that led from the script to this place: the latest first, for the notes of an error in a library file.
  Trail trail_from(const Place &place) const {
    constexpr size_t longest = 16;
    Trail trail = {{"called from here", place, {}}};
    if (s_.diag.trail && written_at(place).file && written_at(place).file->is_tapset)
      for (TrailStep &step : led_to(place, *s_.diag.trail)) trail.push_back({step.how, step.place, {}});
    if (trail.size() > longest) trail.erase(trail.begin() + longest / 2, trail.end() - longest / 2);
    return trail;
  }

  void use_function(FunctionDecl &f) {
    if (f.in_use) return;
    f.in_use = true;
    f.unique_name = unique("f_" + f.name, unique_functions_);
    s_.program.functions.push_back(&f);
  }

  // Whether the function, or one that it calls, uses target variables ($count). They belong to the probe that calls it.
  bool needs_probe(const FunctionDecl &f) {
    auto [known, added] = needs_probe_.try_emplace(&f, false);
    if (!added || !f.body) return known->second;
    bool needs = false;
    for_each_expr(static_cast<Stmt *>(f.body), [&](Expr *&e) {
      needs |= e->kind == ExprKind::Target || e->kind == ExprKind::Entry;
      Call *call = as<Call>(e);
      if (!call || needs) return;
      for (const FunctionDecl *callee : candidates(*call))
        needs |= callee->parameters.size() == call->args.size() && callee != &f && needs_probe(*callee);
    });
    return needs_probe_[&f] = needs;
  }

  // A function that needs_probe() is copied for each probe that calls it, since its target variables differ. Returns
  // the copy for the present probe.
  FunctionDecl *instance(const FunctionDecl &f) {
    FunctionDecl *&copy = instances_[{&f, probe_}];
    if (copy) return copy;
    copy = s_.make_copy(f);
    copy->locals.clear();
    for (VarDecl *&p : copy->parameters) p = s_.make_copy(*p);
    copy->body = clone_as(s_, f.body);
    copy->in_use = true;
    copy->unique_name = unique("f_" + f.name, unique_functions_);
    copy->probe = probe_;
    s_.program.functions.push_back(copy);
    return copy;
  }

  void report_unresolved(const Call &call, const std::vector<FunctionDecl *> &all) {
    if (!all.empty()) {
      Diagnostic &d =
          s_.diag.error("wrong-argument-count", call.place, "semantic error: function '{}' does not take {} {}",
                        call.name, call.args.size(), call.args.size() == 1 ? "argument" : "arguments");
      for (const FunctionDecl *f : all) d.note("takes " + std::to_string(f->parameters.size()), f->place);
      return;
    }
    Diagnostic &d =
        s_.diag.error("unresolved-function", call.place, "semantic error: unresolved function '{}'", call.name);
    std::vector<std::string> known;
    for (auto &[name, decls] : names_.functions) known.push_back(name);
    std::sort(known.begin(), known.end());
    if (s_.library)
      for (const std::string &name : s_.library->function_names()) known.push_back(name);
    known.insert(known.end(), {"print", "println", "printf", "printd", "printdln", "sprint", "sprintln", "sprintf",
                               "sprintd", "sprintdln"});
    std::string near = nearest_name(call.name, known);
    const std::string habit = call_habit(call.name);
    if (manual_has_function(call.name)) d.hint(only_in_manual);
    else if (!habit.empty()) d.hint(habit);
    else if (!near.empty()) d.hint("did you mean '{}'?", near);
  }

  // --- the walk ---

  void resolve_expr(Expr *&e) {
    if (!e) return;
    if (Symbol *symbol = as<Symbol>(e)) return resolve_scalar(*symbol);
    if (Index *index = as<Index>(e)) {
      for (Expr *&key : index->keys) resolve_expr(key);
      return resolve_array(*index->base, (int)index->keys.size(), "unresolved array");
    }
    if (Call *call = as<Call>(e)) {
      for (Expr *&arg : call->args) resolve_expr(arg);
      if (call->callees.empty()) resolve_call(*call);
      return;
    }
    if (EmbeddedExpr *c = as<EmbeddedExpr>(e)) return bind_pragma_globals(c->pragmas, c->place);
    for_each_child(e, [&](Expr *&child) { resolve_expr(child); });
  }

  void resolve_stmt(Stmt *&st) {
    if (!st) return;
    if (Foreach *loop = as<Foreach>(st)) return resolve_foreach(*loop);
    if (Try *t = as<Try>(st)) {
      if (t->message) resolve_scalar(*t->message);
    }
    if (Delete *d = as<Delete>(st)) {
      if (Symbol *whole = as<Symbol>(d->target)) {
        if (!whole->decl) whole->decl = lookup(whole->name, whole->place);
        return;
      }
    }
    if (Embedded *c = as<Embedded>(st)) return bind_pragma_globals(c->pragmas, c->place);
    for_each_child(
        st, [&](Expr *&e) { resolve_expr(e); }, [&](Stmt *&child) { resolve_stmt(child); });
  }

  void resolve_foreach(Foreach &loop) {
    if (loop.histogram) {
      resolve_expr(loop.histogram);
    } else if (loop.array) {
      resolve_array(*loop.array, (int)loop.keys.size(), "foreach over");
      if (!loop.slice.empty() && loop.slice.size() != loop.keys.size())
        s_.diag.error("inconsistent-arity", loop.array->place,
                      "semantic error: the slice of '{}' has {} keys where the loop has {}", loop.array->name,
                      loop.slice.size(), loop.keys.size());
    }
    for (Expr *&key : loop.slice) resolve_expr(key);
    resolve_expr(loop.limit);
    for (Symbol *key : loop.keys) resolve_scalar(*key);
    if (loop.value) resolve_scalar(*loop.value);
    resolve_stmt(loop.body);
  }

  Session &s_;
  ProbeMatcher &matcher_;
  Names names_;
  size_t file_ = 0, next_probe_ = 0, next_function_ = 0;  // what is to be looked at next
  std::set<const ScriptFile *> known_files_, derived_;
  std::unordered_map<std::string, VarDecl *> locals_;
  std::vector<VarDecl *> *owned_locals_ = nullptr;
  FunctionDecl *function_ = nullptr;
  DerivedProbe *probe_ = nullptr;  // whose target variables are meant; null in a function that uses none
  std::map<const FunctionDecl *, bool> needs_probe_;
  std::map<std::pair<const FunctionDecl *, const DerivedProbe *>, FunctionDecl *> instances_;
  std::unordered_set<std::string> unique_globals_, unique_functions_, unique_locals_;
  std::unordered_map<const VarDecl *, Place> first_use_;
};

NameResolver::NameResolver(Session &s, ProbeMatcher &matcher) : resolver_(std::make_unique<Resolver>(s, matcher)) {}
NameResolver::~NameResolver() = default;
std::optional<CodeUnit> NameResolver::next() { return resolver_->next(); }
void NameResolver::resolve(const CodeUnit &code) { resolver_->resolve(code); }

bool may_pass_on(const FunctionDecl *f) {
  if (f->is_embedded) return f->pragmas.passes_on;
  bool found = false;
  if (f->body) for_each_stmt(f->body, [&](Stmt *st) { found |= st->kind == StmtKind::Next; });
  return found;
}
