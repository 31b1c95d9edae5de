// SPDX-License-Identifier: GPL-2.0-or-later
// Reads the table of system calls and writes aliases.
#include "library/syscall_table.h"

#include <algorithm>
#include <fmt/core.h>

#include "base/glob.h"

namespace {

constexpr std::string_view families[] = {"syscall", "nd_syscall", "tp_syscall"};

std::string_view take_word(std::string_view &line) {
  const size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  const size_t end = std::min(line.find_first_of(" \t", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

// The text up to the next `mark`; takes the mark too.
std::string_view take_until(std::string_view &text, std::string_view mark) {
  const size_t end = std::min(text.find(mark), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + mark.size(), text.size()));
  return part;
}

bool is_blank_or_comment(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t");
  return first == line.npos || line[first] == '#';
}

bool is_kind(std::string_view line) { return line.starts_with("kind "); }

std::string replace_all(std::string text, std::string_view what, std::string_view by) {
  for (size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size()) text.replace(at, what.size(), by);
  return text;
}

}  // namespace

bool is_syscall_table(std::string_view path) { return path.ends_with(".table"); }

bool is_syscall_alias(std::string_view name) {
  return std::find(std::begin(families), std::end(families), name.substr(0, name.find('.'))) != std::end(families);
}

std::vector<ScannedName> scan_syscall_table(std::string_view text) {
  std::vector<ScannedName> found;
  std::string last;
  while (!text.empty()) {
    std::string_view line = take_until(text, "\n");
    if (is_blank_or_comment(line) || is_kind(line)) continue;
    take_word(line);
    take_word(line);
    const std::string alias(take_word(line));
    if (alias.empty() || alias == last) continue;
    last = alias;
    for (const std::string_view family : families)
      for (const char *suffix : {"", ".return"})
        found.push_back({ScannedName::Alias, fmt::format("{}.{}{}", family, alias, suffix), false});
  }
  return found;
}

SyscallTable::SyscallTable(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = take_until(text, "\n");
    if (is_blank_or_comment(line)) continue;
    if (is_kind(line)) read_kind(line);
    else read_call(line);
  }
}

// kind NAME: VARIABLE = EXPRESSION; ... : FORMAT, ARGUMENT, ...
void SyscallTable::read_kind(std::string_view line) {
  Kind kind;
  take_word(line);
  kind.name = take_word(line);
  if (kind.name.ends_with(':')) kind.name.pop_back();
  for (std::string_view assignments = take_until(line, " : "); !is_blank_or_comment(assignments);)
    kind.assignments.emplace_back(take_until(assignments, ";"));
  std::string_view shown = line.substr(std::min(line.find_first_not_of(' '), line.size()));
  kind.is_glued = shown.starts_with("+");
  if (kind.is_glued) shown.remove_prefix(1);
  kind.format = take_until(shown, " | ");
  while (!shown.empty()) kind.format_arguments.emplace_back(take_until(shown, " | "));
  kinds_.push_back(std::move(kind));
}

// NUMBER NUMBER32 ALIAS [@ATTRIBUTE:VALUE]... [PARAMETER=KIND[:SET]]...
void SyscallTable::read_call(std::string_view line) {
  Call call;
  call.number = take_word(line);
  call.number32 = take_word(line);
  call.alias = call.name = call.entry = take_word(line);
  unsigned number = 0;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    std::string_view value = word;
    if (word.starts_with('@')) {
      const std::string_view attribute = take_until(value, ":");
      if (attribute == "@entry") call.entry = value;
      else if (attribute == "@name") call.name = value;
      else if (attribute == "@entry32") {
        while (!value.empty()) call.entries32.emplace_back(take_until(value, ","));
      } else if (attribute == "@returns") call.return_format = value == "hex" ? 2 : 3;
      continue;
    }
    Parameter p;
    p.name = take_until(value, "=");
    const std::string_view kind = take_until(value, ":");
    p.set = value;
    p.number = ++number;
    while (p.kind < kinds_.size() && kinds_[p.kind].name != kind) p.kind++;
    if (p.kind < kinds_.size()) call.parameters.push_back(std::move(p));
  }
  call.is_first = std::none_of(calls_.begin(), calls_.end(), [&](const Call &c) { return c.alias == call.alias; });
  calls_.push_back(std::move(call));
}

// Where the calls come in. A call without parameters has one function for both ABIs, under two names. Which entries a
// kernel has besides that of the 64-bit ABI depends on its version and on CONFIG_IA32_EMULATION.
std::string SyscallTable::points(const Call &call, const std::string &suffix) const {
  std::string text;
  auto add = [&](const std::string &function, bool is_optional) {
    text += fmt::format("{}kprobe.function(\"{}\"){}{}", text.empty() ? "" : ", ", function, suffix,
                        is_optional ? " ?" : "");
  };
  if (call.number != "-") add("__x64_sys_" + call.entry, !call.is_first);
  if (call.number32 == "-" || (call.parameters.empty() && call.number != "-")) return text;
  const bool is_only32 = call.number == "-";
  if (call.entries32.empty()) {
    add("__ia32_sys_" + call.entry, !is_only32 || !call.is_first);
    if (!is_only32) add("__ia32_compat_sys_" + call.entry, true);
  }
  for (const std::string &entry : call.entries32) add("__ia32_" + entry, true);
  return text;
}

std::string SyscallTable::entry_body(const Call &call) const {
  std::string body = fmt::format("  name = \"{}\"\n", call.name), format, arguments;
  for (const Parameter &p : call.parameters) {
    const Kind &kind = kinds_[p.kind];
    auto filled = [&](std::string text) {
      const std::string number = std::to_string(p.number);
      text = replace_all(text, "@int", "__syscall_int(" + number + ")");
      text = replace_all(text, "@uint", "__syscall_uint(" + number + ")");
      text = replace_all(text, "@signed", "__syscall_signed(" + number + ")");
      text = replace_all(text, "@long", "__syscall_long(" + number + ")");
      text = replace_all(text, "@set", p.set);
      return replace_all(text, "$", p.name);
    };
    for (const std::string &assignment : kind.assignments) body += "  " + filled(assignment) + "\n";
    if (kind.format.empty()) continue;
    if (!format.empty() && !kind.is_glued) format += ", ";
    format += kind.format;
    for (const std::string &argument : kind.format_arguments) arguments += ", " + filled(argument);
  }
  if (format.empty()) return body + "  argstr = \"\"\n";
  return body + fmt::format("  argstr = sprintf(\"{}\"{})\n", format, arguments);
}

std::string SyscallTable::write(const Call &call, const std::string &family) const {
  const std::string result =
      fmt::format("  retval = __syscall_result()\n  retstr = return_str({}, __syscall_result())\n", call.return_format);
  const std::string name = fmt::format("  name = \"{}\"\n", call.name);
  std::string entry_points = points(call, ""), return_points = points(call, ".return"), filter;
  if (family == "tp_syscall") {
    auto number = [](const std::string &text) { return text == "-" ? "-1" : text; };
    entry_points = "kernel.trace(\"sys_enter\")";
    return_points = "kernel.trace(\"sys_exit\")";
    filter = fmt::format("  if (!__syscall_is({}, {})) next\n", number(call.number), number(call.number32));
  }
  return fmt::format("probe {0}.{1} = {2} {{\n{3}{4}}}\nprobe {0}.{1}.return = {5} {{\n{3}{6}{7}}}\n", family,
                     call.alias, entry_points, filter, entry_body(call), return_points, name, result);
}

std::string SyscallTable::aliases(const std::string &family, const std::string &call) {
  std::string text;
  for (const std::string_view view : families) {
    const std::string known(view);
    if (!wildcard_match(family, known)) continue;
    const size_t before = written_.size();
    for (const Call &c : calls_) {
      const std::string name = known + "." + c.alias;
      if (!wildcard_match(call, c.alias) ||
          std::find(written_.begin(), written_.begin() + before, name) != written_.begin() + before)
        continue;
      text += write(c, known);
      written_.push_back(name);
    }
  }
  return text;
}
