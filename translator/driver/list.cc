// SPDX-License-Identifier: GPL-2.0-or-later
// -l and -L: the probe points a pattern stands for, sorted; with -L their variables and types too.
#include <algorithm>
#include <fmt/core.h>
#include <string>
#include <vector>

#include "base/glob.h"
#include "driver/listing.h"
#include "library/library.h"
#include "sema/elaborate.h"
#include "syntax/parse.h"

namespace {

class Lister {
 public:
  Lister(Session &s, bool with_variables) : s_(s), with_variables_(with_variables), matcher_(s) {}

  std::vector<std::string> lines;  // in any order, some twice

  void list(const ProbePoint &point) {
    for (const ProbeMatcher::Found &found : matcher_.find(point)) {
      if (found.family) list_family(found, point);
      else list_alias(found);
    }
  }

 private:
  void list_family(const ProbeMatcher::Found &found, const ProbePoint &point) {
    ProbePoint *literal = s_.make<ProbePoint>(point.place);
    literal->components = found.path;
    // What a wildcard leads to and isn't there is passed over.
    literal->optional = std::any_of(point.components.begin(), point.components.end(),
                                    [](const ProbeComponent &c) { return has_wildcard(c.name); });
    if (!found.family->list) {
      lines.push_back(to_string(*literal));
      return;
    }
    for (ProbeFamily::Listed &l : found.family->list(s_, *literal, with_variables_)) {
      std::string line = std::move(l.point);
      if (literal->optional && line.back() == '?') line.pop_back();  // the mark set above
      for (const std::string &v : l.variables) line += " " + v;
      lines.push_back(std::move(line));
    }
  }

  // An alias is listed when it leads to at least one probe; its variables are what its body sets.
  void list_alias(const ProbeMatcher::Found &found) {
    ProbePoint *name = s_.make<ProbePoint>(found.alias->place);
    name->components = found.path;
    name->components.insert(name->components.end(), found.suffix.begin(), found.suffix.end());
    ProbeDecl *probe = s_.make<ProbeDecl>(found.alias->place);
    probe->points.push_back(name);
    probe->body = s_.make<Block>(found.alias->place);
    size_t mark = s_.diag.mark();
    s_.program = Program();
    derive_probe(s_, matcher_, *probe);
    if (!s_.program.probes.empty()) lines.push_back(to_string(*name) + (with_variables_ ? variables() : ""));
    s_.diag.rollback(mark);
  }

  std::string variables() {
    s_.program.probes.resize(1);
    lower_and_resolve(s_, matcher_);
    infer_types(s_);
    std::string text;
    for (const VarDecl *l : s_.program.probes[0]->locals) text += " " + l->name + ":" + type_name(l->type);
    return text;
  }

  Session &s_;
  bool with_variables_;
  ProbeMatcher matcher_;
};

}  // namespace

std::string list_probes(Session &s, const std::string &pattern, bool with_variables) {
  open_library(s);
  ScriptFile *file = parse_script(s, s.add_source("<list>", fmt::format("probe {} {{}}", pattern)));
  if (!file || s.diag.error_count() > 0) return "";
  Lister lister(s, with_variables);
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
