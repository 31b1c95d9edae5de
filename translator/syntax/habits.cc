// SPDX-License-Identifier: GPL-2.0-or-later
// Recognises words and forms of C, awk, Python and the like from the tokens around a syntax error.
#include "syntax/habits.h"

#include <fmt/core.h>
#include <set>

#include "syntax/ast.h"
#include "syntax/grammar.hh"

using Kind = yy::Grammar::token;

namespace {

bool is_word(const Token &t, const std::set<std::string> &words) {
  return t.kind == Kind::IDENTIFIER && words.count(t.text);
}

// Recognises `for (k in a)`: whether the brackets around tokens[at], or the last ones before it, belong to a `for` and
// hold an `in` and no `;`.
bool in_for_of_array(const std::vector<Token> &tokens, size_t at) {
  // The search ends where no loop's head would still go on. A text can have as many errors as tokens, and looking
  // through all of it for each would take too long.
  constexpr size_t longest = 50;
  size_t open = at;
  for (int depth = 0; open > 0; open--) {
    if (at - open > longest) return false;
    const int kind = tokens[open - 1].kind;
    if (kind == '{' || kind == '}') return false;  // an earlier statement ends here
    if (kind == ')') depth++;
    if (kind != '(') continue;
    if (depth-- == 0 && open >= 2 && tokens[open - 2].kind == Kind::FOR) break;
  }
  if (open == 0) return false;
  bool has_in = false;
  int depth = 1;
  for (size_t i = open; i < tokens.size() && i - open < 2 * longest && depth > 0 && tokens[i].kind != ';'; i++) {
    has_in |= tokens[i].kind == Kind::IN;
    depth += (tokens[i].kind == '(') - (tokens[i].kind == ')');
  }
  return has_in && depth == 0;
}

// The index of the bracket that tokens[close] closes, or 0 when there is none nearby.
size_t opening(const std::vector<Token> &tokens, size_t close, int open_kind, int close_kind) {
  constexpr size_t longest = 200;
  int depth = 0;
  for (size_t i = close; i > 0 && close - i < longest; i--) {
    depth += (tokens[i].kind == close_kind) - (tokens[i].kind == open_kind);
    if (depth == 0) return i;
  }
  return 0;
}

// For an `else` that follows `WORD (condition) { ... }`: the word, else "". The grammar reads `elif (condition)` as the
// call of a function and finds the error only at the `else`.
std::string word_of_branch(const std::vector<Token> &tokens, size_t at) {
  if (tokens[at].kind != Kind::ELSE || at < 1 || tokens[at - 1].kind != '}') return "";
  const size_t block = opening(tokens, at - 1, '{', '}');
  if (block < 1 || tokens[block - 1].kind != ')') return "";
  const size_t condition = opening(tokens, block - 1, '(', ')');
  return condition < 1 ? "" : tokens[condition - 1].text;
}

}  // namespace

std::string call_habit(const std::string &name) {
  static const std::set<std::string> words = {"elif", "elsif", "elseif"};
  return words.count(name) ? "write else if for '" + name + "'" : "";
}

bool declares_elsewhere(const std::string &word) {
  static const std::set<std::string> words = {"int",  "long",  "short",  "char",   "unsigned", "signed",
                                              "bool", "float", "double", "string", "var",      "let",
                                              "auto", "local", "my",     "const"};
  return words.count(word) > 0;
}

std::string habit_hint(const std::vector<Token> &tokens, size_t at) {
  static const std::set<std::string> function_words = {"def", "fn", "func", "fun", "sub", "void"};
  const Token none, &here = tokens[at], &next = at + 1 < tokens.size() ? tokens[at + 1] : none,
                    &before = at > 0 ? tokens[at - 1] : none;
  if (in_for_of_array(tokens, at)) return "foreach (key in array) runs over an array";
  if (const std::string branch = call_habit(word_of_branch(tokens, at)); !branch.empty()) return branch;
  if (is_word(here, {"and"})) return "write && for 'and'";
  if (is_word(here, {"or"})) return "write || for 'or'";
  if (is_word(before, {"not"})) return "write ! for 'not'";
  if (here.kind == ':' && next.kind == '=') return "= assigns";
  if (is_word(here, {"BEGIN", "END"}) && next.kind == '{')
    return fmt::format("write probe {} {{ }}", here.text == "END" ? "end" : "begin");
  if (next.kind == Kind::IDENTIFIER && (is_word(here, function_words) || declares_elsewhere(here.text)))
    return fmt::format("write function {0}() {{ }} or global {0}", next.text);
  if (here.kind == Kind::IDENTIFIER && before.kind == Kind::IDENTIFIER && declares_elsewhere(before.text))
    return fmt::format("a variable has the type of what is assigned to it; a parameter can say its own: {}:long",
                       here.text);
  return "";
}
