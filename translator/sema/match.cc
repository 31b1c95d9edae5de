// SPDX-License-Identifier: GPL-2.0-or-later
// Probe points to derived probes: a tree of what families own and aliases name, walked with wildcards.
//
// The tree's edges are components. "timer.s(number)" is two nodes; a family owns
// the second. An alias owns a node too, and whatever components follow it in the
// script (its suffix) are handed on to the points it stands for. A component's
// wildcards choose among a node's edges; wildcards inside a string argument,
// as in function("vfs_*"), are the family's business.
#include "sema/match.h"

#include <algorithm>
#include <map>

#include "base/glob.h"
#include "library/documented.h"
#include "library/library.h"
#include "library/syscall_table.h"
#include "sema/elaborate.h"
#include "syntax/make.h"

const ProbeComponent *ProbeRequest::component(const std::string &name) const {
  for (const ProbeComponent &c : point.components)
    if (c.name == name) return &c;
  return nullptr;
}

Diagnostic &ProbeRequest::error(const char *id, const ProbeComponent &c, const std::string &message) const {
  return session.diag.error(id, c.place ? c.place : point.place, "semantic error: " + message);
}

void ProbeFamily::Listed::set_binary(const TargetBinary &binary) {
  if (binary.is_file()) path = binary.name;
  else module = binary.is_kernel() ? "kernel" : binary.name;
}

using Arg = ProbeComponent::Arg;

struct MatchNode {
  std::map<std::pair<std::string, Arg>, std::unique_ptr<MatchNode>> children;
  const ProbeFamily *family = nullptr;
  std::vector<const ProbeDecl *> aliases;
};

namespace {

constexpr size_t max_alias_depth = 64;
constexpr size_t max_expansions = 20000;

// "module(string).function(string)" to its components, arguments as types.
std::vector<std::pair<std::string, Arg>> parse_pattern(const std::string &pattern) {
  std::vector<std::pair<std::string, Arg>> parts;
  for (size_t at = 0; at < pattern.size();) {
    size_t end = pattern.find('.', at);
    if (end == std::string::npos) end = pattern.size();
    std::string part = pattern.substr(at, end - at);
    Arg arg = Arg::None;
    if (size_t open = part.find('('); open != std::string::npos) {
      arg = part.substr(open) == "(number)" ? Arg::Number : Arg::String;
      part.resize(open);
    }
    parts.emplace_back(part, arg);
    at = end + 1;
  }
  return parts;
}

}  // namespace

ProbeMatcher::ProbeMatcher(Session &s) : s_(s), root_(std::make_unique<MatchNode>()) {
  for (const ProbeFamily *family : probe_families())
    for (const std::string &pattern : family->patterns) {
      MatchNode *node = root_.get();
      for (auto &part : parse_pattern(pattern)) node = child(node, part.first, part.second);
      node->family = family;
    }
  for (const ScriptFile *file : s.user_files)
    for (const ProbeDecl *alias : file->aliases) add_alias(alias);
}

ProbeMatcher::~ProbeMatcher() = default;

MatchNode *ProbeMatcher::child(MatchNode *node, const std::string &name, Arg arg) {
  auto &slot = node->children[{name, arg}];
  if (!slot) slot = std::make_unique<MatchNode>();
  return slot.get();
}

void ProbeMatcher::add_alias(const ProbeDecl *alias) {
  if (!known_aliases_.insert(alias).second) return;
  for (const ProbePoint *name : alias->alias_names) {
    MatchNode *node = root_.get();
    for (const ProbeComponent &c : name->components) {
      // An alias with an argument in its name matches that argument only.
      std::string key = c.arg == Arg::String   ? c.name + "(\"" + c.string + "\")"
                        : c.arg == Arg::Number ? c.name + "(" + std::to_string(c.number) + ")"
                                               : c.name;
      node = child(node, key, c.arg);
    }
    node->aliases.push_back(alias);
  }
}

// Library aliases join the tree when a point's first components ask for them.
void ProbeMatcher::load_aliases(const std::string &first, const std::string &second) {
  const std::string wanted = first.find("**") != std::string::npos ? "*" : first;
  const std::string next = wanted != first || second.find("**") != std::string::npos ? "*" : second;
  if (!loaded_.insert(wanted + "." + next).second || !s_.library) return;
  for (const ProbeDecl *alias : s_.library->aliases(wanted, next)) add_alias(alias);
}

std::vector<ProbeMatcher::Found> ProbeMatcher::find(const ProbePoint &point) {
  std::vector<Found> found;
  if (point.components.empty()) return found;
  load_aliases(point.components[0].name, point.components.size() > 1 ? point.components[1].name : "");
  walk(root_.get(), point, 0, {}, found);
  return found;
}

namespace {
// "(string)" behind the name of a component that stands for all that have such an argument.
const char *placeholder(Arg arg) { return arg == Arg::String ? "(string)" : arg == Arg::Number ? "(number)" : ""; }

bool is_form(const ProbeComponent &c) {
  return c.arg == Arg::None && (c.name.ends_with("(string)") || c.name.ends_with("(number)"));
}

// Whether the edge (name, arg) may be taken for component c.
bool edge_matches(const ProbeComponent &c, const std::pair<std::string, Arg> &edge) {
  if (c.arg != edge.second) return false;
  if (edge.first.find('(') == std::string::npos)
    return has_wildcard(c.name) ? wildcard_match(c.name, edge.first) : c.name == edge.first;
  std::string written = c.arg == Arg::String ? "(\"" + c.string + "\")" : "(" + std::to_string(c.number) + ")";
  return edge.first == c.name + written;
}
}  // namespace

std::vector<ProbeMatcher::Found> ProbeMatcher::find_forms(const ProbePoint &point) {
  wants_forms_ = true;
  std::vector<Found> found = find(point);
  wants_forms_ = false;
  for (Found &f : found)
    f.is_form = std::any_of(f.path.begin(), f.path.end(), [](const ProbeComponent &c) { return is_form(c); });
  return found;
}

void ProbeMatcher::walk(MatchNode *node, const ProbePoint &point, size_t at, std::vector<ProbeComponent> path,
                        std::vector<Found> &found) {
  if (found.size() > max_expansions) return;
  size_t before = found.size();
  if (at == point.components.size()) {
    if (node->family) found.push_back({node->family, nullptr, path, {}});
    for (const ProbeDecl *alias : node->aliases) found.push_back({nullptr, alias, path, {}});
    return;
  }
  const ProbeComponent &c = point.components[at];
  if (c.name.find("**") != std::string::npos) {
    walk_deep(node, point, at, "", path, found);
  } else {
    for (auto &[edge, next] : node->children) {
      if (!edge_matches(c, edge)) continue;
      path.push_back(c);
      path.back().name = edge.first.substr(0, edge.first.find('('));
      walk(next.get(), point, at + 1, path, found);
      path.pop_back();
    }
  }
  if (found.size() > before) return;
  std::vector<ProbeComponent> suffix(point.components.begin() + at, point.components.end());
  for (const ProbeDecl *alias : node->aliases) found.push_back({nullptr, alias, path, suffix});
}

// `**` in component `at`: any run of components whose dotted names match; with arguments only where forms are wanted.
void ProbeMatcher::walk_deep(MatchNode *node, const ProbePoint &point, size_t at, const std::string &dotted,
                             std::vector<ProbeComponent> path, std::vector<Found> &found) {
  const ProbeComponent &c = point.components[at];
  for (auto &[edge, next] : node->children) {
    if ((edge.second != Arg::None && !wants_forms_) || found.size() > max_expansions) continue;
    std::string longer = dotted.empty() ? edge.first : dotted + "." + edge.first;
    path.push_back(c);
    path.back().name = edge.first;
    // An alias's own argument is part of its name.
    if (edge.first.find('(') == edge.first.npos) path.back().name += placeholder(edge.second);
    if (wildcard_match(c.name, longer)) walk(next.get(), point, at + 1, path, found);
    walk_deep(next.get(), point, at, longer, path, found);
    path.pop_back();
  }
}

namespace {
const char *argument_words(Arg arg) {
  return arg == Arg::Number ? "a number" : arg == Arg::String ? "a string" : "no argument";
}

constexpr size_t most_named = 16;

// "call, exported, inline": components by their names, each once; "" when there are too many to be read.
std::string list_of(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string text;
  for (const std::string &name : names) text += (text.empty() ? "" : ", ") + name;
  return names.size() <= most_named ? text : "";
}

// `names` could stand where c does; `takes` is what c itself would take.
void explain_component(const ProbePoint &point, const ProbeComponent &c, const std::vector<std::string> &names,
                       const std::vector<std::string> &takes, Diagnostic &d) {
  d.place = c.place ? c.place : point.place;
  for (const std::string &argument : takes) d.hint("'{}' takes {}", c.name, argument);
  if (names.empty() && takes.empty())
    d.hint("nothing may follow '{}'", to_string(point).substr(0, to_string(point).rfind('.')));
  std::string near = takes.empty() ? nearest_name(c.name, names) : "";
  if (!near.empty()) d.hint("did you mean '{}'?", near);
  else if (const std::string all = list_of(names); takes.empty() && !all.empty() && d.hints.empty())
    d.hint("what may stand here: {}", all);
}
}  // namespace

// Names for "did you mean", and the argument a component should have had.
void ProbeMatcher::explain(const ProbePoint &point, Diagnostic &d) {
  const std::vector<ProbeComponent> &words = point.components;
  load_aliases("*", "");
  if (s_.library)  // system calls have not been made yet: their names will do
    for (const std::string &name : s_.library->alias_names()) {
      if (!is_syscall_alias(name)) continue;
      const size_t dot = name.find('.'), end = name.find('.', dot + 1);
      MatchNode *node = child(root_.get(), name.substr(0, dot), Arg::None);
      child(node, name.substr(dot + 1, end - dot - 1), Arg::None);
    }
  const bool begins_here = std::any_of(root_->children.begin(), root_->children.end(),
                                       [&](const auto &child) { return child.first.first == words[0].name; });
  if (!begins_here && manual_has_probe_point(words[0].name, words.size() > 1 ? words[1].name : ""))
    d.hint(only_in_manual);
  std::vector<MatchNode *> level{root_.get()};
  for (const ProbeComponent &c : point.components) {
    std::vector<MatchNode *> next;
    std::vector<std::string> names, takes;
    for (MatchNode *node : level)
      for (auto &[edge, child] : node->children) {
        if (edge_matches(c, edge)) next.push_back(child.get());
        else if (edge.first == c.name) takes.push_back(argument_words(edge.second));
        else names.push_back(edge.first);
      }
    if (next.empty()) return explain_component(point, c, names, takes, d);
    level = next;
  }
  d.hint("this is only the beginning of a probe point");
  std::vector<std::string> names;
  for (const MatchNode *node : level)
    for (const auto &[edge, child] : node->children) names.push_back(edge.first + placeholder(edge.second));
  if (const std::string all = list_of(names); !all.empty()) d.hint("what may follow: {}", all);
}

// ---------------------------------------------------------------- derivation

namespace {

class Deriver {
 public:
  Deriver(Session &s, ProbeMatcher &matcher, const ProbeDecl &base) : s_(s), matcher_(matcher), base_(base) {}

  void run() {
    for (const ProbePoint *point : base_.points) {
      user_point_ = point;
      size_t made = derive(*point, point->optional || point->sufficient);
      if (point->sufficient && made > 0) break;
    }
  }

 private:
  // Returns how many probes were made; when none and not optional, an error has been reported.
  size_t derive(const ProbePoint &point, bool optional) {
    if (++expansions_ > max_expansions) {
      if (expansions_ == max_expansions + 1)
        s_.diag.error("too-many-probe-points", user_point_->place,
                      "semantic error: the probe point expands to too many others");
      return 0;
    }
    size_t mark = s_.diag.mark();
    int errors = s_.diag.error_count();
    size_t before = s_.program.probes.size();
    trail_.insert(trail_.begin(), {aliases_.empty() ? "probed from here" : "reached through this alias", point.place,
                                   aliases_.empty() ? Place{} : aliases_.back()->place});
    TrailScope led_by(s_.diag, &trail_);
    conditions_.push_back(point.condition);
    bool wild = std::any_of(point.components.begin(), point.components.end(),
                            [](const ProbeComponent &c) { return has_wildcard(c.name); });
    for (const ProbeMatcher::Found &found : matcher_.find(point)) {
      // What a wildcard finds and can't be resolved is passed over, unless nothing else is found.
      if (found.family) derive_family(point, found, optional || wild);
      else derive_alias(point, found, optional || wild);
    }
    conditions_.pop_back();
    size_t made = s_.program.probes.size() - before;
    if (made == 0 && optional) s_.diag.rollback(mark);
    if (made == 0 && !optional && s_.diag.error_count() == errors) report_nothing(point);
    trail_.erase(trail_.begin());
    return made;
  }

  void report_nothing(const ProbePoint &point) {
    Diagnostic &d = s_.diag.error("no-such-probe-point", point.place,
                                  "semantic error: while resolving probe point '{}': no match", to_string(point));
    matcher_.explain(point, d);
    if (!aliases_.empty() && !written_at(point.place).file->is_tapset)
      d.note("the script's probe point that led here", user_point_->place);
  }

  void derive_family(const ProbePoint &point, const ProbeMatcher::Found &found, bool optional) {
    ProbePoint *literal = s_.make<ProbePoint>(point.place);
    literal->components = found.path;
    literal->optional = optional;
    ProbeRequest request{s_, *literal, base_, [&] { return add_probe(found.family, *literal); }};
    size_t mark = s_.diag.mark();
    int errors = s_.diag.error_count();
    int made = found.family->elaborate(request);
    if (made == 0 && optional) s_.diag.rollback(mark);
    if (made == 0 && !optional && s_.diag.error_count() == errors) report_nothing(*literal);
  }

  void derive_alias(const ProbePoint &point, const ProbeMatcher::Found &found, bool optional) {
    const ProbeDecl *alias = found.alias;
    if (std::find(aliases_.begin(), aliases_.end(), alias) != aliases_.end() || aliases_.size() >= max_alias_depth) {
      s_.diag
          .error("recursive-alias", point.place, "semantic error: probe alias '{}' leads back to itself",
                 to_string(*alias->alias_names[0]))
          .note("defined here", alias->alias_names[0]->place);
      return;
    }
    aliases_.push_back(alias);
    alias_points_.push_back(name_of(found.path));
    if (aliases_.size() == 1) {
      std::vector<ProbeComponent> named = found.path;
      named.insert(named.end(), found.suffix.begin(), found.suffix.end());
      script_point_ = name_of(named);
    }
    for (const ProbePoint *target : alias->points) {
      ProbePoint *expanded = s_.make<ProbePoint>(target->place);
      *expanded = *target;
      expanded->components.insert(expanded->components.end(), found.suffix.begin(), found.suffix.end());
      size_t made = derive(*expanded, optional || target->optional || target->sufficient);
      if (made > 0) s_.library->use(alias);
      if (target->sufficient && made > 0) break;
    }
    aliases_.pop_back();
    alias_points_.pop_back();
    if (aliases_.empty()) script_point_.clear();
  }

  std::string name_of(const std::vector<ProbeComponent> &path) const {
    ProbePoint p;
    p.components = path;
    return to_string(p);
  }

  DerivedProbe *add_probe(const ProbeFamily *family, const ProbePoint &literal) {
    DerivedProbe *probe = s_.make<DerivedProbe>();
    probe->family = family;
    probe->base = &base_;
    probe->point = name_of(literal.components);
    probe->script_point = script_point_;
    probe->alias_chain.push_back(to_string(*user_point_));
    probe->alias_chain.insert(probe->alias_chain.end(), alias_points_.begin(), alias_points_.end());
    probe->place = user_point_->place;
    probe->trail = trail_;
    probe->body = make_body();
    probe->condition = make_condition();
    s_.program.probes.push_back(probe);
    return probe;
  }

  // Innermost prologue first, the user's body, outermost epilogue first: each wraps what it is used by.
  Block *make_body() {
    Block *body = s_.make<Block>(base_.body->place);
    auto add = [&](const Block *b) {
      if (b) body->statements.push_back(clone(s_, static_cast<const Stmt *>(b)));
    };
    for (auto it = aliases_.rbegin(); it != aliases_.rend(); ++it)
      if (!(*it)->alias_is_epilogue) add((*it)->body);
    add(base_.body);
    for (const ProbeDecl *alias : aliases_) add(alias->alias_is_epilogue ? alias->body : alias->epilogue);
    return body;
  }

  // Conditions of all levels, and-ed, the outermost first.
  Expr *make_condition() {
    Expr *all = nullptr;
    for (const Expr *c : conditions_) {
      if (!c) continue;
      Expr *copy = clone(s_, c);
      all = all ? NodeFactory(s_, copy->place).both(all, copy) : copy;
    }
    return all;
  }

  Session &s_;
  ProbeMatcher &matcher_;
  const ProbeDecl &base_;
  const ProbePoint *user_point_ = nullptr;
  std::vector<const ProbeDecl *> aliases_;  // outermost first
  std::vector<std::string> alias_points_;
  std::string script_point_;
  std::vector<const Expr *> conditions_;
  Trail trail_;
  size_t expansions_ = 0;
};

}  // namespace

void derive_probe(Session &s, ProbeMatcher &matcher, const ProbeDecl &base) { Deriver(s, matcher, base).run(); }
