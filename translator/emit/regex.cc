// SPDX-License-Identifier: GPL-2.0-or-later
// Automata of regular expressions to constant C tables.
#include "regex/regex.h"
#include "emit/emit.h"

#include <algorithm>

std::string regex_name(const Program &program, const std::string &pattern) {
  return "regex_" + std::to_string(std::distance(program.regexes.begin(), program.regexes.find(pattern)));
}

template <class List> static void emit_numbers(Code &code, const std::string &head, const List &list) {
  code.line(head + " = {");
  std::string row;
  size_t n = 0;
  for (auto value : list) {
    row += std::to_string(value) + ", ";
    if (++n % 32 == 0) {
      code.line("\t" + row);
      row.clear();
    }
  }
  if (!row.empty()) code.line("\t" + row);
  code.line("};");
}

static void emit_dfa(Code &code, const std::string &name, const regex::Dfa &dfa) {
  emit_numbers(code, "static const u8 " + name + "_classes[256]", dfa.classes);
  emit_numbers(code, "static const u16 " + name + "_next[]", dfa.next);
  emit_numbers(code, "static const u8 " + name + "_accept[]", dfa.accept);
  code.line("static const struct stap_dfa " + name + " = {" + name + "_classes, " + name + "_next, " + name +
            "_accept, " + std::to_string(dfa.class_count) + ", {" + std::to_string(dfa.start[0]) + ", " +
            std::to_string(dfa.start[1]) + ", " + std::to_string(dfa.start[2]) + "}};");
}

static void emit_splits(Code &code, const std::string &name, const regex::Compiled &regex) {
  auto dfa = [&](int number) {
    return number < 0 ? std::string("STAP_NULL") : "&" + name + "_dfa_" + std::to_string(number);
  };
  static const char *const kinds[] = {"STAP_REGEX_GROUP", "STAP_REGEX_CONCAT", "STAP_REGEX_ALTERNATE",
                                      "STAP_REGEX_REPEAT"};
  code.line("static const struct stap_regex_split " + name + "_splits[] = {");
  for (const regex::Split &s : regex.splits)
    code.line(std::string("\t{") + kinds[static_cast<int>(s.kind)] + ", " + std::to_string(s.group) + ", " +
              std::to_string(s.last_group) + ", " + std::to_string(s.first) + ", " + std::to_string(s.second) + ", " +
              dfa(s.first_dfa) + ", " + dfa(s.rest_dfa) + "},");
  code.line("};");
}

std::string emit_regexes(const Program &program) {
  Code code;
  for (auto &[pattern, regex] : program.regexes) {
    const std::string name = regex_name(program, pattern);
    auto dfa = [&](int number) {
      return number < 0 ? std::string("STAP_NULL") : "&" + name + "_dfa_" + std::to_string(number);
    };
    code.line("// regular expression " + c_comment(c_string(pattern)));
    for (size_t i = 0; i < regex->automata.size(); i++)
      emit_dfa(code, name + "_dfa_" + std::to_string(i), regex->automata[i]);
    if (!regex->splits.empty()) emit_splits(code, name, *regex);
    code.line("static const struct stap_regex " + name + " __attribute__((unused)) = {" + dfa(regex->search) + ", " +
              dfa(regex->back) + ", " + dfa(regex->forward) + ", " +
              (regex->splits.empty() ? "STAP_NULL" : name + "_splits") + ", " + std::to_string(regex->root) + ", " +
              std::to_string(regex->groups + 1) + "};");
  }
  return code.text();
}
