// SPDX-License-Identifier: GPL-2.0-or-later
// Enumerations of the target to constant C tables, for @enumname.
#include <fmt/core.h>

#include "emit/emit.h"

std::string enumeration_name(uint32_t number) { return "enumeration_" + std::to_string(number); }

std::string emit_enumerations(const Program &program) {
  Code code;
  for (uint32_t i = 0; i < program.enumerations.size(); i++) {
    const Program::Enumeration &e = program.enumerations[i];
    const std::string name = enumeration_name(i);
    code.line("// " + c_comment(e.spelling));
    if (!e.names.empty()) {
      code.line("static const struct stap_enumerator {}_names[] = {{", name);
      for (const auto &[value, text] : e.names) code.line("\t{{{}, {}}},", c_long(value), c_slice(text));
      code.line("};");
    }
    code.line("static const struct stap_enumeration {} __attribute__((unused)) = {{{}, {}}};", name,
              e.names.empty() ? "STAP_NULL" : name + "_names", e.names.size());
  }
  return code.text();
}
