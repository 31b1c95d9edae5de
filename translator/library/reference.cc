// SPDX-License-Identifier: GPL-2.0-or-later
// Reads the comments of tapset files: the one up to a file's first empty line is its introduction, and the one right
// above a public function, alias or macro says what it is.
#include "library/reference.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "base/files.h"
#include "base/session.h"
#include "library/library.h"
#include "library/syscall_table.h"

namespace {

// Adds what one file of the library has to its subject's page, which another file of the subject may have begun. The
// file's first line, which has its licence, is left out.
class PageReader {
 public:
  // A macro is public only in a file of macros, .stpm; elsewhere it serves its file.
  PageReader(ReferencePage &p, bool has_macros) : page_(p), has_macros_(has_macros) {}
  void read(const std::string &text) {
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      if (line.starts_with("//")) {
        comment_ += line.substr(line.starts_with("// ") ? 3 : 2) + "\n";
        continue;
      }
      if (line.empty() && in_introduction_) {
        if (page_.introduction.empty()) page_.introduction = comment_;
        in_introduction_ = false;
      }
      take_definition(line);
      comment_.clear();
    }
  }

 private:
  void take_definition(const std::string &line) {
    static const std::regex function(R"(function +(\w+) *((?::\w+)?) *(\([^)]*\)).*)");
    static const std::regex alias(R"(probe +(\S+) +\+?=.*)");
    static const std::regex macro(R"(@define +(\w+) *((?:\([^)]*\))?) *%\(.*)");
    std::smatch match;
    if (std::regex_match(line, match, function))
      add(page_.functions, match[1], match[1].str() + match[3].str() + match[2].str(), false);
    else if (std::regex_match(line, match, alias)) add(page_.aliases, match[1], match[1], true);
    else if (has_macros_ && std::regex_match(line, match, macro))
      add(page_.macros, "@" + match[1].str(), "@" + match[1].str() + match[2].str(), true);
  }

  // `shares`: one without a comment belongs to the comment of the one before it.
  void add(std::vector<ReferenceEntry> &entries, const std::string &name, const std::string &head, bool shares) {
    if (name.starts_with("__") || name.starts_with("@__")) return;
    if (comment_.empty() && shares && !entries.empty()) {
      entries.back().names.push_back(name);
      entries.back().heads.push_back(head);
    } else {
      entries.push_back({{name}, {head}, comment_});
    }
  }

  ReferencePage &page_;
  std::string comment_;
  bool in_introduction_ = true, has_macros_;
};

// The variables that a script text's assignments set, each once, in order.
std::string assigned_variables(const std::string &body) {
  static const std::regex assignment(R"(\n +(\w+) = )");
  std::string names;
  std::set<std::string> seen;
  for (std::sregex_iterator i(body.begin(), body.end(), assignment), end; i != end; ++i)
    if (seen.insert((*i)[1]).second) names += (names.empty() ? "" : ", ") + (*i)[1].str();
  return names;
}

// Of the three families of one call only the first is listed; the introduction says that there are the others.
void read_table(const std::string &text, ReferencePage &page) {
  page.introduction =
      "System calls: syscall.NAME when a process calls, and syscall.NAME.return when the call returns.\n"
      "argstr is the call's arguments as text, retval and retstr are what it returns; name is the call's.\n"
      "Pointers into the process end in _uaddr, flags and names as text in _str, strings without quotes in _unquoted.\n"
      "\n"
      "nd_syscall.NAME is the same, and tp_syscall.NAME takes the tracepoints sys_enter and sys_exit instead.\n"
      "None of them needs debuginfo. What a handler does not use is not decoded.\n";
  SyscallTable table(text);
  for (const ScannedName &scanned : scan_syscall_table(text)) {
    static const std::string family = "syscall.", suffix = ".return";
    if (!scanned.name.starts_with(family) || scanned.name.ends_with(suffix)) continue;
    const std::string call = scanned.name.substr(family.size()), script = table.aliases("syscall", call);
    const std::string name = scanned.name + suffix;
    page.aliases.push_back(
        {{scanned.name, name},
         {scanned.name, name},
         assigned_variables(script.substr(0, script.find("\n}\n"))) + "; of the return: name, retval, retstr\n"});
  }
}

std::string sentence(const std::string &text) {
  std::string line = text.substr(0, text.find("\n\n"));
  std::replace(line.begin(), line.end(), '\n', ' ');
  for (size_t dot = line.find(". "); dot != std::string::npos; dot = line.find(". ", dot + 1))
    if (!line.substr(0, dot).ends_with("e.g")) return line.substr(0, dot);
  while (!line.empty() && (line.back() == ' ' || line.back() == '.')) line.pop_back();
  return line;
}

}  // namespace

std::vector<ReferencePage> read_reference(const Session &s) {
  std::map<std::string, ReferencePage> pages;
  for (const std::string &file : tapset_files(s)) {
    const std::filesystem::path path(file);
    ReferencePage &page = pages[path.stem()];
    page.subject = path.stem();
    const std::string text = read_file(file).value_or("");
    if (is_syscall_table(file)) {
      read_table(text, page);
      continue;
    }
    PageReader(page, path.extension() == ".stpm").read(text);
  }
  std::vector<ReferencePage> found;
  for (auto &[subject, page] : pages)
    if (!page.aliases.empty() || !page.functions.empty() || !page.macros.empty()) found.push_back(std::move(page));
  return found;
}

std::string summary(const ReferencePage &page) { return sentence(page.introduction); }
