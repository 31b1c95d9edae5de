// SPDX-License-Identifier: GPL-2.0-or-later
// Preprocessor conditions: `%( kernel_v >= "5.4" && CONFIG_NET == "y" %? ... %)`.
#include "syntax/condition.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/core.h>
#include <fnmatch.h>
#include <fstream>

#include "arch/arch.h"
#include "base/session.h"
#include "syntax/ast.h"
#include "syntax/grammar.hh"

using Kind = yy::Grammar::token;

const char *const language_version = "5.6";

// Of the build tree or, when that is not there, of /boot.
const std::map<std::string, std::string> &kernel_config(Session &s) {
  if (s.kernel_config) return *s.kernel_config;
  auto &config = s.kernel_config.emplace();
  for (const std::string &path : {s.build_tree + "/.config", "/lib/modules/" + s.kernel_release + "/build/.config",
                                  "/lib/modules/" + s.kernel_release + "/config", "/boot/config-" + s.kernel_release}) {
    std::ifstream file(path);
    if (!file) continue;
    for (std::string line; std::getline(file, line);) {
      const size_t equals = line.find('=');
      if (line.compare(0, 7, "CONFIG_") != 0 || equals == std::string::npos) continue;
      std::string value = line.substr(equals + 1);
      if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
      config[line.substr(0, equals)] = value;
    }
    break;
  }
  return config;
}

namespace {

bool is_comparison(int kind) {
  return kind == '<' || kind == '>' || kind == Kind::LE || kind == Kind::GE || kind == Kind::EQ || kind == Kind::NE;
}

bool ordered(int op, int order) {
  switch (op) {
    case '<': return order < 0;
    case '>': return order > 0;
    case Kind::LE: return order <= 0;
    case Kind::GE: return order >= 0;
    case Kind::EQ: return order == 0;
    default: return order != 0;
  }
}

class Evaluator {
 public:
  Evaluator(Session &s, const std::vector<Token> &tokens, const Place &place) : s_(s), tokens_(tokens), place_(place) {}

  bool run() {
    const bool holds = any(true);
    if (!failed_ && at_ < tokens_.size())
      fail(tokens_[at_].place, fmt::format("unexpected {} in a preprocessor condition", spelling(tokens_[at_])));
    return holds && !failed_;
  }

 private:
  // `live` is false in a part that can't change the result any more. There $2 may be an argument that was not given.
  bool any(bool live) {
    bool holds = all(live);
    while (take(Kind::OR)) holds = all(live && !holds) || holds;
    return holds;
  }
  bool all(bool live) {
    bool holds = comparison(live);
    while (take(Kind::AND)) holds = comparison(live && holds) && holds;
    return holds;
  }
  bool comparison(bool live);
  bool named(const Token &name, int op, const Token &right);
  bool literals(const Token &left, int op, const Token &right);
  bool versions(const std::string &value, int op, const Token &right, bool wildcards);
  bool strings(const std::string &value, int op, const Token &name, const Token &right);
  bool configuration(const Token &name, int op, const Token &right);
  bool privilege(const Token &name, int op, const Token &right);
  bool guru(int op, const Token &right);
  bool operand(Token &t, bool live);
  bool take(int kind) {
    if (failed_ || at_ >= tokens_.size() || tokens_[at_].kind != kind) return false;
    at_++;
    return true;
  }
  bool fail(const Place &place, const std::string &what, const char *hint = "") {
    if (!failed_) s_.diag.error("bad-condition", place, "parse error: " + what).hint(hint);
    failed_ = true;
    return false;
  }

  Session &s_;
  const std::vector<Token> &tokens_;
  Place place_;
  size_t at_ = 0;
  bool failed_ = false;
};

// The next token: arguments of the script are replaced, adjacent strings joined, and a minus is part of its number.
bool Evaluator::operand(Token &t, bool live) {
  const Place sign = at_ < tokens_.size() ? tokens_[at_].place : place_;
  const bool negative = take('-');
  if (at_ >= tokens_.size())
    return fail(place_, "a preprocessor condition ends too early", "write %( kernel_v >= \"5.4\" %? tokens %)");
  t = tokens_[at_++];
  if (t.kind == Kind::SCRIPT_ARG || t.kind == Kind::SCRIPT_ARG_STRING) {
    if (!live) return true;
    const std::vector<Token> text = script_argument(s_, t);
    if (text.size() != 1) return fail(t.place, "in a preprocessor condition an argument must be one number or string");
    t = text[0];
  }
  while (t.kind == Kind::STRING && at_ < tokens_.size() && tokens_[at_].kind == Kind::STRING)
    t.text += tokens_[at_++].text;
  if (!negative) return true;
  if (t.kind != Kind::NUMBER) return fail(sign, "in a preprocessor condition '-' stands before numbers only");
  t.number = static_cast<int64_t>(0 - static_cast<uint64_t>(t.number));
  return true;
}

bool Evaluator::comparison(bool live) {
  Token left, right;
  if (!operand(left, live)) return false;
  if (at_ >= tokens_.size() || !is_comparison(tokens_[at_].kind))
    return fail(left.place, "a preprocessor condition needs a comparison", "the operators are < <= == != > >=");
  const int op = tokens_[at_++].kind;
  if (!operand(right, live)) return false;
  if (!live) return false;
  return left.kind == Kind::IDENTIFIER ? named(left, op, right) : literals(left, op, right);
}

bool Evaluator::versions(const std::string &value, int op, const Token &right, bool wildcards) {
  if (right.kind != Kind::STRING) return fail(right.place, "a version is compared with a string");
  if (wildcards && (op == Kind::EQ || op == Kind::NE) && right.text.find_first_of("*?[") != std::string::npos)
    return (fnmatch(right.text.c_str(), value.c_str(), 0) == 0) == (op == Kind::EQ);
  return ordered(op, strverscmp(value.c_str(), right.text.c_str()));
}

bool Evaluator::strings(const std::string &value, int op, const Token &name, const Token &right) {
  if (op != Kind::EQ && op != Kind::NE)
    return fail(name.place, fmt::format("'{}' is compared with == or !=", name.text));
  if (right.kind != Kind::STRING) return fail(right.place, fmt::format("'{}' is compared with a string", name.text));
  return (fnmatch(right.text.c_str(), value.c_str(), 0) == 0) == (op == Kind::EQ);
}

bool is_configuration(const Token &t) { return t.kind == Kind::IDENTIFIER && t.text.compare(0, 7, "CONFIG_") == 0; }

std::string configured(Session &s, const Token &name) {
  const auto &config = kernel_config(s);
  const auto found = config.find(name.text);
  return found == config.end() ? "" : found->second;
}

// Whether the value is a whole number, decimal or with 0x. An option that is not set counts as 0.
bool as_number(const std::string &value, int64_t &number) {
  char *end = nullptr;
  errno = 0;
  number = std::strtoll(value.c_str(), &end, 0);
  return errno == 0 && *end == '\0';
}

// A configuration value compares with a string by == and !=, where the string may have wildcards, and with a number or
// another configuration value by every operator.
bool Evaluator::configuration(const Token &name, int op, const Token &right) {
  const std::string value = configured(s_, name);
  int64_t left_number, right_number;
  const bool is_number = as_number(value, left_number);
  if (is_configuration(right)) {
    const std::string other = configured(s_, right);
    if (!is_number || !as_number(other, right_number)) return ordered(op, value.compare(other));
  } else if (right.kind == Kind::NUMBER) {
    if (right.malformed) return fail(right.place, fmt::format("'{}' is not a number of at most 64 bits", right.text));
    if (!is_number) return fail(name.place, fmt::format("{} is \"{}\", which is no number", name.text, value));
    right_number = right.number;
  } else {
    return strings(value, op, name, right);
  }
  return ordered(op, left_number < right_number ? -1 : left_number > right_number);
}

bool Evaluator::privilege(const Token &name, int op, const Token &right) {
  if (right.kind == Kind::STRING && right.text != "stapusr" && right.text != "stapsys" && right.text != "stapdev")
    return fail(right.place, fmt::format("no privilege is named '{}'", right.text),
                "systemtap_privilege is stapusr, stapsys or stapdev");
  return strings("stapdev", op, name, right);
}

bool Evaluator::guru(int op, const Token &right) {
  const bool is_flag = right.kind == Kind::NUMBER && !right.malformed && (right.number == 0 || right.number == 1);
  if (!is_flag || (op != Kind::EQ && op != Kind::NE))
    return fail(right.place, "guru_mode is compared with == or != to 0 or 1");
  return (s_.options.guru == (right.number == 1)) == (op == Kind::EQ);
}

bool Evaluator::named(const Token &name, int op, const Token &right) {
  const std::string &word = name.text;
  if (word == "kernel_vr") return versions(s_.kernel_release, op, right, true);
  if (word == "kernel_v") return versions(s_.kernel_release.substr(0, s_.kernel_release.find('-')), op, right, true);
  if (word == "systemtap_v") {
    s_.depends_on_version(name.place, "systemtap_v depends on the version of the language");
    return versions(s_.options.compatible.empty() ? language_version : s_.options.compatible, op, right, false);
  }
  if (word == "arch") return strings(arch_of(s_).name, op, name, right);
  if (word == "runtime") return strings(s_.runtime().name, op, name, right);
  if (word == "systemtap_privilege") return privilege(name, op, right);
  if (is_configuration(name)) return configuration(name, op, right);
  if (word == "guru_mode") return guru(op, right);
  const std::string near = nearest_name(
      word, {"kernel_v", "kernel_vr", "arch", "runtime", "systemtap_v", "systemtap_privilege", "guru_mode"});
  return fail(name.place, fmt::format("a preprocessor condition cannot ask for '{}'", word),
              near.empty()
                  ? "it can ask for kernel_v, kernel_vr, arch, runtime, guru_mode, systemtap_v, systemtap_privilege "
                    "and CONFIG_..."
                  : fmt::format("did you mean '{}'?", near).c_str());
}

bool Evaluator::literals(const Token &left, int op, const Token &right) {
  if (left.kind == Kind::STRING && right.kind == Kind::STRING) return ordered(op, left.text.compare(right.text));
  if (left.kind == Kind::NUMBER && right.kind == Kind::NUMBER && !left.malformed && !right.malformed)
    return ordered(op, left.number < right.number ? -1 : left.number > right.number);
  return fail(left.place, "a preprocessor condition compares two numbers or two strings");
}

}  // namespace

bool evaluate_condition(Session &s, const std::vector<Token> &tokens, const Place &place) {
  return Evaluator(s, tokens, place).run();
}

std::vector<Token> script_argument(Session &s, const Token &reference) {
  const std::vector<std::string> &args = s.options.script_args;
  const bool quoted = reference.kind == Kind::SCRIPT_ARG_STRING, count = reference.text[1] == '#';
  Token t = reference;
  t.kind = quoted ? Kind::STRING : Kind::NUMBER;
  t.number = 0;
  t.text = quoted ? "" : "0";
  if (!count && (reference.number < 1 || static_cast<size_t>(reference.number) > args.size())) {
    s.diag
        .error("missing-argument", reference.place, "parse error: argument '{}' was not given ({} {})", reference.text,
               args.size(), args.size() == 1 ? "was" : "were")
        .hint("give it behind the script on the command line; $# is the number of arguments");
    return {t};
  }
  if (count) {
    t.number = static_cast<int64_t>(args.size());
    t.text = std::to_string(args.size());
    return {t};
  }
  const std::string &argument = args[reference.number - 1];
  s.used_args.insert(static_cast<size_t>(reference.number - 1));
  if (quoted) {
    t.text = argument;
    return {t};
  }
  SourceFile *source = s.add_source("argument " + reference.text, argument);
  source->privileged = false;
  std::vector<Token> tokens = scan(s, source);
  Place *used = s.make_copy(reference.place);
  for (Token &part : tokens) part.place.expanded_from = used;
  return tokens;
}
