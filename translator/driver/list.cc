// SPDX-License-Identifier: GPL-2.0-or-later
// -l and -L: the probe points a pattern stands for, sorted; with -L their variables and types too.
#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <string>
#include <vector>

#include "base/glob.h"
#include "base/json.h"
#include "driver/listing.h"
#include "library/library.h"
#include "sema/elaborate.h"
#include "syntax/parse.h"

namespace {

using Listed = ProbeFamily::Listed;

std::string in_text(const Listed &item) {
  std::string line = item.point;
  for (const ListedVariable &v : item.variables) line += " " + v.name + ":" + v.type;
  return line;
}

// What is not known, or no thing of the family, has no member.
std::string in_json(const Listed &item, const char *family, bool is_form, bool with_variables) {
  JsonObject object;
  object.add("probe", item.point).add("family", item.family.empty() ? family : item.family);
  if (is_form) object.add_value("form", "true");
  if (!item.name.empty()) object.add("name", item.name);
  if (!item.module.empty()) object.add("module", item.module);
  if (!item.path.empty()) object.add("path", item.path);
  if (!item.file.empty()) object.add("file", item.file);
  if (item.line) object.add("line", item.line);
  if (!with_variables || is_form) return object.text();
  std::string variables;
  for (const ListedVariable &v : item.variables)
    variables += (variables.empty() ? "" : ",") + JsonObject().add("name", v.name).add("type", v.type).text();
  return object.add_value("variables", "[" + variables + "]").text();
}

constexpr const char *alias_family = "alias";

class Lister {
 public:
  explicit Lister(Session &s) : s_(s), matcher_(s) {}

  std::vector<std::string> lines;  // in any order, some twice

  void list(const ProbePoint &point) {
    const size_t before = lines.size();
    asked_ = nullptr;
    has_points_ = false;
    for (const ProbeMatcher::Found &found : matcher_.find_forms(point)) {
      if (found.is_form) list_form(found, point);
      else if (found.family) list_family(found, point);
      else list_alias(found);
    }
    if (!asked_ || has_points_) return;
    // Forms alone: what they would be of is not there, and the family says why.
    lines.resize(before);
    asked_point_->optional = false;
    asked_->list(s_, *asked_point_, false);
  }

 private:
  void add(const Listed &item, const char *family, bool is_form = false) {
    const Options &o = s_.options;
    lines.push_back(o.format == "json" ? in_json(item, family, is_form, o.list_vars) : in_text(item));
  }

  // What `**` went through with an argument: "kernel.function(string).call". Where one argument is open and "*" there
  // gives all there is, that is listed too, unless `**` stands for everything.
  void list_form(const ProbeMatcher::Found &found, const ProbePoint &point) {
    ProbePoint form = ProbePoint();
    form.components = found.path;
    add({.point = to_string(form)}, found.family ? found.family->name : alias_family, true);
    ProbeMatcher::Found all = found;
    ProbeComponent &last = all.path.back();
    if (point.components.size() == 1 || !found.family || !found.family->listed_by ||
        last.name != fmt::format("{}(string)", found.family->listed_by))
      return;
    last.name = found.family->listed_by;
    last.arg = ProbeComponent::Arg::String;
    last.string = "*";
    const bool is_open = std::any_of(all.path.begin(), all.path.end(),
                                     [](const ProbeComponent &c) { return c.name.find('(') != c.name.npos; });
    if (!is_open) list_family(all, point);
  }

  void list_family(const ProbeMatcher::Found &found, const ProbePoint &point) {
    ProbePoint *literal = s_.make<ProbePoint>(point.place);
    literal->components = found.path;
    // What a wildcard leads to and isn't there is passed over.
    literal->optional = std::any_of(point.components.begin(), point.components.end(),
                                    [](const ProbeComponent &c) { return has_wildcard(c.name); });
    asked_ = found.family;
    asked_point_ = literal;
    for (Listed &item : found.family->list(s_, *literal, s_.options.list_vars)) {
      if (literal->optional && item.point.back() == '?') item.point.pop_back();  // the mark set above
      add(item, found.family->name);
      has_points_ = true;
    }
  }

  // An alias is listed when it leads to at least one probe; its variables are what its body sets.
  void list_alias(const ProbeMatcher::Found &found) {
    const Place &place = found.alias->place;
    ProbePoint *name = s_.make<ProbePoint>(place);
    name->components = found.path;
    name->components.insert(name->components.end(), found.suffix.begin(), found.suffix.end());
    const auto [known, is_new] = aliases_.try_emplace(to_string(*name), false);  // true: it leads to a probe
    has_points_ |= known->second;
    if (!is_new) return;  // by another of its definitions
    ProbeDecl *probe = s_.make<ProbeDecl>(place);
    probe->points.push_back(name);
    probe->body = s_.make<Block>(place);
    size_t mark = s_.diag.mark();
    s_.program = Program();
    derive_probe(s_, matcher_, *probe);
    known->second = !s_.program.probes.empty();
    has_points_ |= known->second;
    if (known->second)
      add({.point = known->first,
           .variables = s_.options.list_vars ? variables() : std::vector<ListedVariable>(),
           .file = place.file->name,
           .line = static_cast<int>(place.line)},
          alias_family);
    s_.diag.rollback(mark);
  }

  std::vector<ListedVariable> variables() {
    s_.program.probes.resize(1);
    lower_and_resolve(s_, matcher_);
    infer_types(s_);
    std::vector<ListedVariable> list;
    for (const VarDecl *l : s_.program.probes[0]->locals) list.push_back({l->name, type_name(l->type)});
    return list;
  }

  Session &s_;
  ProbeMatcher matcher_;
  std::map<std::string, bool> aliases_;
  // Of one pattern: the family that was asked last and for what, and whether anything is there but forms.
  const ProbeFamily *asked_ = nullptr;
  ProbePoint *asked_point_ = nullptr;
  bool has_points_ = false;
};

}  // namespace

std::string list_probes(Session &s, const std::string &pattern) {
  open_library(s);
  ScriptFile *file = parse_script(s, s.add_source("<list>", fmt::format("probe {} {{}}", pattern)));
  if (!file || s.diag.error_count() > 0) return "";
  Lister lister(s);
  for (const ProbeDecl *probe : file->probes)
    for (const ProbePoint *point : probe->points) lister.list(*point);
  std::sort(lister.lines.begin(), lister.lines.end());
  lister.lines.erase(std::unique(lister.lines.begin(), lister.lines.end()), lister.lines.end());
  std::string text;
  for (const std::string &line : lister.lines) text += line + "\n";
  if (text.empty() && s.diag.error_count() == 0) {
    ProbeMatcher matcher(s);
    const ProbePoint &first = *file->probes[0]->points[0];
    matcher.explain(first, s.diag.error("no-such-probe-point", first.place,
                                        "semantic error: no probe point matches '{}'", pattern));
  }
  return text;
}
