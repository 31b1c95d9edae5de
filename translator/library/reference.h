// SPDX-License-Identifier: GPL-2.0-or-later
// What the comments of the tapset library say of it: the pages of --help-tapset and of the manual.
#pragma once
#include <string>
#include <vector>

class Session;

struct ReferenceEntry {
  std::vector<std::string> names;  // several aliases, or macros, may share one comment
  std::vector<std::string> heads;  // a name each, with the parameters and the type of what it is: "(pid:long):string"
  std::string text;                // lines; an empty one ends a paragraph, one that begins with spaces stays as it is
};

// A subject: the library's files of one name, NAME.stp and NAME.stpm.
struct ReferencePage {
  std::string subject, introduction;
  std::vector<ReferenceEntry> aliases, functions, macros;
};

// All subjects by name, without those that have nothing public. What a table of system calls stands for is among them.
std::vector<ReferencePage> read_reference(const Session &s);
// The first sentence of the page's introduction.
std::string summary(const ReferencePage &page);

// For a terminal, 80 columns wide. `filled` is the text with its paragraphs' lines filled, and `indent` spaces before
// each.
std::string filled(const std::string &text, size_t indent);
std::string in_text(const ReferencePage &page);
std::string in_text(const ReferenceEntry &entry);
// A whole manual page, tapset::SUBJECT(3).
std::string in_roff(const ReferencePage &page);
// Sections of a manual page, one for each subject that has any: of functions, or of aliases other than system calls.
std::string functions_in_roff(const std::vector<ReferencePage> &pages);
std::string aliases_in_roff(const std::vector<ReferencePage> &pages);
