// SPDX-License-Identifier: GPL-2.0-or-later
// --help-tapset: what the library's comments say of a subject, or of functions, aliases and macros by name.
#include <algorithm>
#include <fmt/core.h>

#include "base/diag.h"
#include "base/glob.h"
#include "base/session.h"
#include "driver/listing.h"
#include "library/reference.h"

namespace {

std::string subjects_in_text(const std::vector<ReferencePage> &pages) {
  size_t width = 0;
  for (const ReferencePage &page : pages) width = std::max(width, page.subject.size() + 2);
  std::string text;
  for (const ReferencePage &page : pages)
    text += fmt::format("{:{}}{}", page.subject, width, filled(summary(page), width).substr(width));
  return text;
}

// The entries that have such a name, under the name of their subject.
std::string entries_in_text(const std::vector<ReferencePage> &pages, const std::string &pattern) {
  std::string text;
  for (const ReferencePage &page : pages) {
    std::string found;
    for (const auto *entries : {&page.aliases, &page.functions, &page.macros})
      for (const ReferenceEntry &e : *entries)
        if (std::any_of(e.names.begin(), e.names.end(), [&](auto &name) { return wildcard_match(pattern, name); }))
          found += in_text(e);
    if (!found.empty()) text += fmt::format("{}{}\n\n{}", text.empty() ? "" : "\n", page.subject, found);
  }
  return text;
}

[[noreturn]] void not_found(const std::vector<ReferencePage> &pages, const std::string &name, bool is_manual) {
  std::vector<std::string> names;
  for (const ReferencePage &page : pages) {
    names.push_back(page.subject);
    if (is_manual) continue;
    for (const auto *entries : {&page.aliases, &page.functions, &page.macros})
      for (const ReferenceEntry &e : *entries) names.insert(names.end(), e.names.begin(), e.names.end());
  }
  const std::string near = nearest_name(name, names);
  throw FatalError{"no-such-tapset",
                   fmt::format("the tapset library has no subject{} named '{}'",
                               is_manual ? "" : ", function, probe point or macro", name),
                   {near.empty() ? "stap --help-tapset lists the subjects" : fmt::format("did you mean '{}'?", near)}};
}

}  // namespace

std::string help_tapset(const Session &s) {
  const std::vector<ReferencePage> pages = read_reference(s);
  const bool is_manual = s.options.format == "man";
  if (s.options.script_args.empty()) return subjects_in_text(pages);
  std::string all;
  for (const std::string &name : s.options.script_args) {
    std::string text;
    for (const ReferencePage &page : pages)
      if (page.subject == name) text = is_manual ? in_roff(page) : in_text(page);
    if (text.empty() && !is_manual) text = entries_in_text(pages, name);
    if (text.empty()) not_found(pages, name, is_manual);
    all += (all.empty() || is_manual ? "" : "\n") + text;
  }
  return all;
}
