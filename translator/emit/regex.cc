// SPDX-License-Identifier: GPL-2.0-or-later
// Automata of regular expressions to constant C tables.
#include "regex/regex.h"
#include "emit/emit.h"

#include <algorithm>
#include <fmt/core.h>

std::string regex_name(const Program &program, const std::string &pattern) {
  return "regex_" + std::to_string(std::distance(program.regexes.begin(), program.regexes.find(pattern)));
}

template <class List> static void emit_numbers(Code &code, const std::string &head, const List &list) {
  code.line(head + " = {");
  std::string row;
  size_t n = 0;
  for (auto value : list) {
    row += fmt::format("{}, ", value);
    if (++n % 32 == 0) {
      code.line("\t" + row);
      row.clear();
    }
  }
  if (!row.empty()) code.line("\t" + row);
  code.line("};");
}

static void emit_dfa(Code &code, const std::string &name, const regex::Dfa &dfa) {
  emit_numbers(code, fmt::format("static const u8 {}_classes[256]", name), dfa.classes);
  emit_numbers(code, fmt::format("static const u16 {}_next[]", name), dfa.next);
  emit_numbers(code, fmt::format("static const u8 {}_accept[]", name), dfa.accept);
  code.line("static const struct stap_dfa {0} = {{{0}_classes, {0}_next, {0}_accept, {1}, {{{2}, {3}, {4}}}}};", name,
            dfa.class_count, dfa.start[0], dfa.start[1], dfa.start[2]);
}

// C text of a pointer to one of the regex's automata; a negative number stands for none.
static std::string dfa_pointer(const std::string &regex_name, int number) {
  return number < 0 ? "STAP_NULL" : fmt::format("&{}_dfa_{}", regex_name, number);
}

static void emit_splits(Code &code, const std::string &name, const regex::Compiled &regex) {
  static const char *const kinds[] = {"STAP_REGEX_GROUP", "STAP_REGEX_CONCAT", "STAP_REGEX_ALTERNATE",
                                      "STAP_REGEX_REPEAT"};
  code.line("static const struct stap_regex_split {}_splits[] = {{", name);
  for (const regex::Split &s : regex.splits)
    code.line("\t{{{}, {}, {}, {}, {}, {}, {}}},", kinds[static_cast<int>(s.kind)], s.group, s.last_group, s.first,
              s.second, dfa_pointer(name, s.first_dfa), dfa_pointer(name, s.rest_dfa));
  code.line("};");
}

std::string emit_regexes(const Program &program) {
  Code code;
  for (auto &[pattern, regex] : program.regexes) {
    const std::string name = regex_name(program, pattern);
    code.line("// regular expression " + c_comment(c_string(pattern)));
    for (size_t i = 0; i < regex->automata.size(); i++)
      emit_dfa(code, fmt::format("{}_dfa_{}", name, i), regex->automata[i]);
    if (!regex->splits.empty()) emit_splits(code, name, *regex);
    code.line("static const struct stap_regex {} __attribute__((unused)) = {{{}, {}, {}, {}, {}, {}}};", name,
              dfa_pointer(name, regex->search), dfa_pointer(name, regex->back), dfa_pointer(name, regex->forward),
              regex->splits.empty() ? "STAP_NULL" : name + "_splits", regex->root, regex->groups + 1);
  }
  return code.text();
}
