// SPDX-License-Identifier: GPL-2.0-or-later
// Pages of the library's reference as text for a terminal, and as manual pages (man(7)).
#include <algorithm>
#include <fmt/core.h>
#include <regex>
#include <sstream>

#include "library/reference.h"

constexpr size_t terminal_width = 79;

std::string filled(const std::string &text, size_t indent) {
  const std::string margin(indent, ' ');
  std::string result, line;
  auto end_line = [&] {
    if (!line.empty()) result += margin + line + "\n";
    line.clear();
  };
  std::istringstream lines(text);
  for (std::string source; std::getline(lines, source);) {
    if (source.empty() || source[0] == ' ') {
      end_line();
      result += source.empty() ? "\n" : margin + source + "\n";
      continue;
    }
    std::istringstream words(source);
    for (std::string word; words >> word;) {
      if (!line.empty() && indent + line.size() + 1 + word.size() > terminal_width) end_line();
      line += (line.empty() ? "" : " ") + word;
    }
  }
  end_line();
  while (result.ends_with("\n\n")) result.pop_back();
  return result;
}

namespace {

std::string list_in_text(const char *title, const std::vector<ReferenceEntry> &entries) {
  if (entries.empty()) return "";
  std::string text = fmt::format("\n{}\n", title);
  for (const ReferenceEntry &e : entries) text += "\n" + in_text(e);
  return text;
}

// As roff prints it: no escape, no request, no hyphen.
std::string escaped(const std::string &line) {
  std::string text;
  for (const char c : line) text += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return line.starts_with('.') || line.starts_with('\'') ? "\\&" + text : text;
}

std::string paragraphs_in_roff(const std::string &text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result += line.empty() ? ".PP\n" : escaped(line) + "\n";
  return result;
}

// The name in bold, parameters in italics: the head of a function is NAME(PARAMETER:TYPE, ...):TYPE.
std::string head_in_roff(const std::string &head) {
  static const std::regex parameter(R"((\w+):)");
  const size_t open = std::min(head.find('('), head.size()), close = std::min(head.find(')'), head.size());
  const std::string parameters = head.substr(open, close - open);
  return fmt::format("\\fB{}\\fR{}{}\n", escaped(head.substr(0, open)),
                     std::regex_replace(parameters, parameter, "\\fI$1\\fR:"), head.substr(close));
}

std::string list_in_roff(const std::vector<ReferenceEntry> &entries) {
  std::string text;
  for (const ReferenceEntry &e : entries) {
    for (size_t i = 0; i < e.heads.size(); i++) text += (i ? ".TQ\n" : ".TP\n") + head_in_roff(e.heads[i]);
    text += paragraphs_in_roff(e.text);
  }
  return text;
}

// "Name space", of name_space.
std::string title(const std::string &subject) {
  std::string text = subject;
  for (char &c : text)
    if (c == '_') c = ' ';
  text[0] = static_cast<char>(toupper(text[0]));
  return text;
}

std::string section_in_roff(const ReferencePage &page, const std::vector<ReferenceEntry> &entries) {
  if (entries.empty()) return "";
  return ".SS " + title(page.subject) + "\n" + paragraphs_in_roff(page.introduction) + list_in_roff(entries);
}

}  // namespace

std::string in_text(const ReferenceEntry &entry) {
  std::string text;
  for (const std::string &head : entry.heads) text += "  " + head + "\n";
  return text + filled(entry.text, 6);
}

std::string in_text(const ReferencePage &page) {
  return page.subject + "\n\n" + filled(page.introduction, 2) + list_in_text("Probe points", page.aliases) +
         list_in_text("Functions", page.functions) + list_in_text("Macros", page.macros);
}

std::string in_roff(const ReferencePage &page) {
  std::string text = fmt::format(
      ".\\\" SPDX-License-Identifier: GPL-2.0-or-later\n"
      ".\\\" Written by stap --help-tapset from the comments of the tapset library.\n"
      ".TH TAPSET::{} 3 \"\" stap \"Tapset Library\"\n.SH NAME\ntapset::{} \\- {}\n.SH DESCRIPTION\n{}",
      page.subject, page.subject, escaped(summary(page)), paragraphs_in_roff(page.introduction));
  if (!page.aliases.empty()) text += ".SH PROBE POINTS\n" + list_in_roff(page.aliases);
  if (!page.functions.empty()) text += ".SH FUNCTIONS\n" + list_in_roff(page.functions);
  if (!page.macros.empty()) text += ".SH MACROS\n" + list_in_roff(page.macros);
  return text + ".SH SEE ALSO\n.BR stap (1),\n.BR stapprobes (3),\n.BR stapfuncs (3),\n.BR stapaliases (3)\n";
}

std::string functions_in_roff(const std::vector<ReferencePage> &pages) {
  std::string text;
  for (const ReferencePage &page : pages) text += section_in_roff(page, page.functions);
  return text;
}

std::string aliases_in_roff(const std::vector<ReferencePage> &pages) {
  std::string text;
  for (const ReferencePage &page : pages)
    if (page.subject != "syscalls") text += section_in_roff(page, page.aliases);
  return text;
}
