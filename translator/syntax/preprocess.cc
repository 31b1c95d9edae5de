// SPDX-License-Identifier: GPL-2.0-or-later
// Macros first, over the whole text; then conditions and arguments, which sees what the macros left.
#include "syntax/preprocess.h"

#include <algorithm>
#include <fmt/core.h>
#include <set>

#include "base/session.h"
#include "syntax/ast.h"
#include "syntax/condition.h"
#include "syntax/grammar.hh"

using Kind = yy::Grammar::token;

namespace {

constexpr size_t max_tokens = 1'000'000;  // macros that double what they hold stop here
constexpr size_t max_nesting = 200;       // macros within macros, conditions within conditions

// The first ones are operators wherever a bracket follows, even if there is a macro of that name. The names of the soft
// ones may also be names of macros, which then come first.
const std::set<std::string> fixed_operators = {
    "cast", "var",      "defined", "entry",    "perf",      "count",       "sum",
    "min",  "max",      "avg",     "variance", "hist_log",  "hist_linear", "const",
    "enum", "enumname", "kderef",  "uderef",   "kregister", "uregister",   "probewrite"};
const std::set<std::string> soft_operators = {"errno", "choose_defined", "task"};

// Index of the %) that closes the %( at tokens[open], or tokens.size().
size_t closing(const std::vector<Token> &tokens, size_t open) {
  size_t depth = 0;
  for (size_t i = open; i < tokens.size(); i++) {
    if (tokens[i].kind == Kind::PP_OPEN) depth++;
    if (tokens[i].kind == Kind::PP_CLOSE && --depth == 0) return i;
  }
  return tokens.size();
}

// Whether what follows tokens[at] makes it an operator: a bracket or, in a foreach, a sort sign at the end of the
// array.
bool is_operator_use(const std::vector<Token> &tokens, size_t at) {
  if (!fixed_operators.count(tokens[at].text) || at + 1 == tokens.size()) return false;
  const int next = tokens[at + 1].kind, behind = at + 2 < tokens.size() ? tokens[at + 2].kind : 0;
  return next == '(' || ((next == '+' || next == '-') && (behind == ')' || behind == Kind::LIMIT));
}

// ---------------------------------------------------------------- macros

class MacroPass {
 public:
  MacroPass(Session &s, std::map<std::string, MacroDecl> &macros, bool in_library)
      : s_(s), macros_(macros), in_library_(in_library) {}

  std::vector<Token> run(const std::vector<Token> &tokens) {
    expand(tokens, nullptr, nullptr);
    return std::move(out_);
  }
  // tokens[at] is `@define`: reads the definition, returns the index behind it.
  size_t define(const std::vector<Token> &tokens, size_t at);

 private:
  using Arguments = std::map<std::string, std::vector<Token>>;
  void expand(const std::vector<Token> &tokens, const Arguments *arguments, const Place *used_at);
  size_t use(const std::vector<Token> &tokens, size_t at, const Arguments *arguments, const Place *used_at);
  bool read_arguments(const std::vector<Token> &tokens, size_t &at, const MacroDecl &m, const Arguments *outer,
                      const Place *used_at, Arguments &arguments);
  size_t parameters(const std::vector<Token> &tokens, size_t at, MacroDecl &m);
  const MacroDecl *find(const std::string &name);
  void undefined(const Token &t, const Arguments *arguments);
  void emit(const Token &t, const Place *used_at);

  Session &s_;
  std::map<std::string, MacroDecl> &macros_;
  bool in_library_;
  std::vector<Token> out_;
  std::vector<const MacroDecl *> active_;
  bool too_many_ = false;
};

void MacroPass::emit(const Token &t, const Place *used_at) {
  if (too_many_) return;
  if (out_.size() >= max_tokens) {
    s_.diag.error("macro-too-big", used_at ? *used_at : t.place, "parse error: macros expand to more than {} tokens",
                  max_tokens);
    too_many_ = true;
    out_.clear();
    return;
  }
  out_.push_back(t);
  if (used_at && !t.place.expanded_from) out_.back().place.expanded_from = used_at;
}

const MacroDecl *MacroPass::find(const std::string &name) {
  if (auto own = macros_.find(name); own != macros_.end()) return &own->second;
  return s_.macros && !in_library_ ? s_.macros->macro(name) : nullptr;
}

void MacroPass::undefined(const Token &t, const Arguments *arguments) {
  std::vector<std::string> names(fixed_operators.begin(), fixed_operators.end());
  names.insert(names.end(), soft_operators.begin(), soft_operators.end());
  names.push_back("define");
  for (const auto &[name, macro] : macros_) names.push_back(name);
  if (arguments)
    for (const auto &[name, tokens] : *arguments) names.push_back(name);
  if (s_.macros)
    for (std::string &name : s_.macros->macro_names()) names.push_back(std::move(name));
  const std::string near = nearest_name(t.text, names);
  s_.diag.error("undefined-macro", t.place, "parse error: no macro or operator is named '@{}'", t.text)
      .hint(near.empty() ? "" : fmt::format("did you mean '@{}'?", near));
}

void MacroPass::expand(const std::vector<Token> &tokens, const Arguments *arguments, const Place *used_at) {
  for (size_t i = 0; i < tokens.size() && !too_many_;) {
    const Token &t = tokens[i];
    if (t.kind != Kind::AT_NAME) {
      emit(t, used_at);
      i++;
    } else if (t.text == "define") {
      i = define(tokens, i);
    } else {
      i = use(tokens, i, arguments, used_at);
    }
  }
}

size_t MacroPass::use(const std::vector<Token> &tokens, size_t at, const Arguments *arguments, const Place *used_at) {
  const Token &t = tokens[at];
  if (is_operator_use(tokens, at++)) return emit(t, used_at), at;
  if (arguments) {
    if (auto argument = arguments->find(t.text); argument != arguments->end()) {
      for (const Token &part : argument->second) emit(part, nullptr);
      return at;
    }
  }
  const Trail trail = {{"used here", used_at && !t.place.expanded_from ? *used_at : t.place, {}}};
  const MacroDecl *m = nullptr;
  {
    TrailScope led_by(s_.diag, &trail);  // of errors in the library's file
    m = find(t.text);
  }
  if (!m) {
    if (!fixed_operators.count(t.text) && !soft_operators.count(t.text)) undefined(t, arguments);
    emit(t, used_at);
    return at;
  }
  Arguments own;
  if (m->has_parameters && !read_arguments(tokens, at, *m, arguments, used_at, own)) return at;
  if (std::find(active_.begin(), active_.end(), m) != active_.end()) {
    s_.diag.error("recursive-macro", t.place, "parse error: macro '@{}' uses itself", t.text);
    return at;
  }
  if (active_.size() >= max_nesting) {
    s_.diag.error("macro-too-deep", t.place, "parse error: more than {} macros within one another", max_nesting);
    return at;
  }
  Place *place = s_.make_copy(t.place);
  if (used_at && !place->expanded_from) place->expanded_from = used_at;
  active_.push_back(m);
  expand(m->body, &own, place);
  active_.pop_back();
  return at;
}

// Reads the arguments behind a macro's name, `(a, b)`. Commas inside brackets do not separate arguments. Moves `at`
// behind the closing bracket.
bool MacroPass::read_arguments(const std::vector<Token> &tokens, size_t &at, const MacroDecl &m, const Arguments *outer,
                               const Place *used_at, Arguments &arguments) {
  const Token &name = tokens[at - 1];
  if (at >= tokens.size() || tokens[at].kind != '(') {
    s_.diag.error("macro-arguments", name.place, "parse error: macro '@{}' needs arguments", m.name)
        .note("it is defined here", m.place);
    return false;
  }
  std::vector<std::vector<Token>> list(1);
  int depth = 0;
  for (; at < tokens.size(); at++) {
    const int kind = tokens[at].kind;
    if (kind == '(' || kind == '[' || kind == '{' || kind == Kind::PP_OPEN) {
      if (depth++ == 0) continue;
    } else if ((kind == ')' || kind == ']' || kind == '}' || kind == Kind::PP_CLOSE) && --depth == 0) {
      break;
    } else if (kind == ',' && depth == 1) {
      list.emplace_back();
      continue;
    }
    list.back().push_back(tokens[at]);
  }
  if (at == tokens.size()) {
    s_.diag.error("macro-arguments", name.place, "parse error: the arguments of macro '@{}' never end", m.name);
    return false;
  }
  at++;
  if (m.parameters.empty() && list.size() == 1 && list[0].empty()) list.clear();
  if (list.size() != m.parameters.size()) {
    s_.diag
        .error("macro-arguments", name.place, "parse error: macro '@{}' takes {} arguments, not {}", m.name,
               m.parameters.size(), list.size())
        .note("it is defined here", m.place);
    return false;
  }
  // Arguments are expanded where they were written, before the body sees them.
  std::vector<Token> saved = std::move(out_);
  for (size_t i = 0; i < list.size(); i++) {
    out_.clear();
    expand(list[i], outer, used_at);
    arguments[m.parameters[i]] = std::move(out_);
  }
  out_ = std::move(saved);
  return true;
}

// `(a, b)` of a definition. Returns the index behind it.
size_t MacroPass::parameters(const std::vector<Token> &tokens, size_t at, MacroDecl &m) {
  m.has_parameters = true;
  at++;
  if (at < tokens.size() && tokens[at].kind == ')') return at + 1;
  while (at + 1 < tokens.size() && tokens[at].kind == Kind::IDENTIFIER) {
    m.parameters.push_back(tokens[at].text);
    if (tokens[at + 1].kind == ')') return at + 2;
    if (tokens[at + 1].kind != ',') break;
    at += 2;
  }
  s_.diag.error("bad-macro", tokens[std::min(at, tokens.size() - 1)].place,
                "parse error: the parameters of a macro are names with commas between them");
  return at;
}

size_t MacroPass::define(const std::vector<Token> &tokens, size_t at) {
  const Token &word = tokens[at++];
  auto complain = [&](const char *what) {
    s_.diag.error("bad-macro", word.place, std::string("parse error: ") + what)
        .hint("write @define name %( body %) or @define name(a, b) %( body %)");
  };
  if (at >= tokens.size() || tokens[at].kind != Kind::IDENTIFIER) return complain("@define needs the macro's name"), at;
  MacroDecl m;
  m.name = tokens[at].text;
  m.place = tokens[at].place;
  at++;
  if (at < tokens.size() && tokens[at].kind == '(') at = parameters(tokens, at, m);
  if (at >= tokens.size() || tokens[at].kind != Kind::PP_OPEN)
    return complain("@define needs a body between %( and %)"), at;
  const size_t end = closing(tokens, at);
  if (end == tokens.size()) return complain("this macro's body never ends"), end;
  m.body.assign(tokens.begin() + at + 1, tokens.begin() + end);
  if (m.name == "define" || (m.has_parameters && fixed_operators.count(m.name)))
    s_.diag
        .error("macro-hides-operator", m.place,
               "parse error: '@{}' is an operator of the language; a macro cannot have its name", m.name)
        .hint(m.name == "define" ? ""
                                 : fmt::format("a macro without parameters can: only @{}( is the operator", m.name));
  else if (auto [old, is_new] = macros_.emplace(m.name, m); !is_new)
    s_.diag.error("duplicate-macro", m.place, "parse error: macro '@{}' is defined twice", m.name)
        .note("the first definition is here", old->second.place);
  return end + 1;
}

// ---------------------------------------------------------------- conditions and arguments

class ConditionPass {
 public:
  explicit ConditionPass(Session &s) : s_(s) {}
  void run(const std::vector<Token> &tokens, size_t begin, size_t end);
  // For the %( at tokens[open]: the half whose tokens are taken, as [first, second), and the index behind the whole.
  struct Chosen {
    size_t begin = 0, end = 0, behind = 0;
  };
  Chosen choose(const std::vector<Token> &tokens, size_t open, size_t end);
  std::vector<Token> out;

 private:
  Session &s_;
  size_t nesting_ = 0;
};

ConditionPass::Chosen ConditionPass::choose(const std::vector<Token> &tokens, size_t open, size_t end) {
  const Token &opener = tokens[open];
  size_t then = 0, otherwise = 0, depth = 0, i = open;
  for (; i < end; i++) {
    const int kind = tokens[i].kind;
    if (kind == Kind::PP_OPEN) depth++;
    else if (kind == Kind::PP_CLOSE && --depth == 0) break;
    else if (kind == Kind::PP_THEN && depth == 1 && !then) then = i;
    else if (kind == Kind::PP_ELSE && depth == 1 && then && !otherwise) otherwise = i;
    else if ((kind == Kind::PP_ELSE || kind == Kind::PP_THEN) && depth == 1)
      s_.diag.error("bad-condition", tokens[i].place, "parse error: unexpected '{}'", tokens[i].text);
  }
  if (i == end) {
    s_.diag.error("unterminated-condition", opener.place, "parse error: this preprocessor condition never ends")
        .hint("close it with %)");
    return {end, end, end};
  }
  if (!then) {
    s_.diag.error("bad-condition", opener.place, "parse error: a preprocessor condition needs %?")
        .hint("write %( condition %? tokens %: tokens %)");
    return {i, i, i + 1};
  }
  std::vector<Token> condition(tokens.begin() + open + 1, tokens.begin() + then);
  const bool holds = evaluate_condition(s_, condition, opener.place);
  if (holds) return {then + 1, otherwise ? otherwise : i, i + 1};
  return {otherwise ? otherwise + 1 : i, i, i + 1};
}

void ConditionPass::run(const std::vector<Token> &tokens, size_t begin, size_t end) {
  for (size_t i = begin; i < end;) {
    const Token &t = tokens[i];
    if (t.kind == Kind::PP_OPEN) {
      if (++nesting_ > max_nesting) {
        s_.diag.error("condition-too-deep", t.place, "parse error: more than {} conditions within one another",
                      max_nesting);
        return;
      }
      const Chosen half = choose(tokens, i, end);
      run(tokens, half.begin, half.end);
      nesting_--;
      i = half.behind;
      continue;
    }
    if (t.kind == Kind::PP_CLOSE || t.kind == Kind::PP_THEN || t.kind == Kind::PP_ELSE)
      s_.diag.error("bad-condition", t.place, "parse error: '{}' without %(", t.text);
    else if (t.kind == Kind::SCRIPT_ARG || t.kind == Kind::SCRIPT_ARG_STRING)
      for (Token &part : script_argument(s_, t)) out.push_back(std::move(part));
    else out.push_back(t);
    i++;
  }
}

// Definitions of a library file, and conditions around them.
void define_all(Session &s, MacroPass &macros, const std::vector<Token> &tokens, size_t begin, size_t end,
                size_t nesting = 0) {
  ConditionPass conditions(s);
  if (nesting > max_nesting) return;
  for (size_t i = begin; i < end;) {
    if (tokens[i].kind == Kind::AT_NAME && tokens[i].text == "define") {
      i = macros.define(tokens, i);
    } else if (tokens[i].kind == Kind::PP_OPEN) {
      const auto half = conditions.choose(tokens, i, end);
      define_all(s, macros, tokens, half.begin, half.end, nesting + 1);
      i = half.behind;
    } else {
      s.diag.error("bad-macro-file", tokens[i].place,
                   "parse error: a macro library holds only @define, not " + spelling(tokens[i]));
      return;
    }
  }
}

}  // namespace

std::vector<Token> preprocess(Session &s, std::vector<Token> tokens) {
  // Every definition of the file holds in the whole file.
  std::map<std::string, MacroDecl> macros;
  std::vector<Token> rest;
  MacroPass definitions(s, macros, false);
  for (size_t i = 0; i < tokens.size();) {
    if (tokens[i].kind == Kind::AT_NAME && tokens[i].text == "define") i = definitions.define(tokens, i);
    else rest.push_back(std::move(tokens[i++]));
  }
  std::vector<Token> expanded = MacroPass(s, macros, false).run(rest);
  ConditionPass conditions(s);
  conditions.run(expanded, 0, expanded.size());
  return std::move(conditions.out);
}

void parse_macro_file(Session &s, const SourceFile *source, std::map<std::string, MacroDecl> &macros) {
  const std::vector<Token> tokens = scan(s, source);
  MacroPass pass(s, macros, true);
  define_all(s, pass, tokens, 0, tokens.size());
}
