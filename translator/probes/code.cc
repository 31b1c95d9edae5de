// SPDX-License-Identifier: GPL-2.0-or-later
// Probe points on code: reading them, finding their sites, making and listing their probes.
#include "probes/code.h"

#include <algorithm>
#include <cstdio>
#include <fmt/core.h>
#include <map>
#include <set>

#include "base/glob.h"
#include "debuginfo/mangled.h"
#include "probes/max_active.h"

namespace {

constexpr int64_t most_callee_depth = 16;

struct CodeProbe : FamilyData {
  FunctionSite site;
  bool is_return = false;
};

const CodeProbe &data_of(const DerivedProbe &probe) { return static_cast<const CodeProbe &>(*probe.data); }

TargetContext context_of(const FunctionSite &site, bool is_return) {
  return {.site = &site, .at_return = is_return, .space = site.module->binary().address_space(), .point = ""};
}

const ProbeComponent *find_component(const ProbePoint &point, const char *name) {
  for (const ProbeComponent &component : point.components)
    if (component.name == name) return &component;
  return nullptr;
}

// .callee(PATTERN) and .callees(N): before their own .call and .return, which are read like those of a function.
bool read_callees(Session &s, const ProbePoint &point, CodeRequest &request) {
  if (const ProbeComponent *callee = find_component(point, "callee")) request.callee = callee->string;
  const ProbeComponent *callees = find_component(point, "callees");
  if (!callees) return true;
  request.callee = "*";
  if (callees->arg == ProbeComponent::Arg::Number) request.callee_depth = callees->number;
  if (request.callee_depth >= 1 && request.callee_depth <= most_callee_depth) return true;
  s.diag.error("bad-callee-depth", callees->place, "semantic error: the depth of callees must be between 1 and {}",
               most_callee_depth);
  return false;
}

// What follows .function(...).
bool read_function_suffix(Session &s, const ProbePoint &point, CodeRequest &request) {
  if (!read_callees(s, point, request)) return false;
  if (find_component(point, "call")) {
    request.kinds = DebugModule::Calls;
    request.suffix = ".call";
  } else if (find_component(point, "inline")) {
    request.kinds = DebugModule::Inlines;
    request.suffix = ".inline";
  } else if (find_component(point, "exported")) {
    request.kinds = DebugModule::Calls;
    request.exported_only = true;
    request.suffix = ".exported";
  } else if (const ProbeComponent *label = find_component(point, "label")) {
    request.label = label->string;
  } else if (find_component(point, "return")) {
    request.kinds = DebugModule::Calls;
    request.is_return = true;
    request.suffix = ".return";
    if (const ProbeComponent *limit = find_component(point, "maxactive"))
      request.suffix += fmt::format(".maxactive({})", limit->number);
    return read_max_active(s, point, request.max_active);
  }
  return true;
}

}  // namespace

bool CodeRequest::needs_places() const {
  if (wants_only_inlines() || !pattern.file.empty() || !label.empty() || !callee.empty()) return true;
  return address.has_value();
}

bool CodeRequest::names_one() const { return !address && !has_wildcard(pattern.function); }

bool read_code_request(Session &s, const ProbePoint &point, CodeRequest &request) {
  const ProbeComponent *statement = find_component(point, "statement");
  const ProbeComponent &code = statement ? *statement : *find_component(point, "function");
  request.is_statement = statement;
  request.place = code.place ? code.place : point.place;
  if (code.arg == ProbeComponent::Arg::Number) {
    request.address = static_cast<uint64_t>(code.number);
    request.text = fmt::format("{:#x}", *request.address);
    return true;
  }
  request.text = code.string;
  Result<FunctionPattern> pattern = parse_function_pattern(code.string);
  if (!pattern) {
    s.diag.error("bad-function-pattern", code.place, "semantic error: " + pattern.reason());
    return false;
  }
  request.pattern = std::move(*pattern);
  request.nearest = find_component(point, "nearest");
  return statement || read_function_suffix(s, point, request);
}

namespace {

// For each line that is asked for, the sites of the nearest line with code in the same file; the later of two that are
// as near.
std::vector<FunctionSite> nearest_statements(DebugModule &module, const CodeRequest &request, Refusals &refused) {
  std::map<std::string, std::map<int, std::vector<FunctionSite>>> files;
  for (FunctionSite &site : all_statements(module, request, refused))
    files[site.file][site.statement_line].push_back(std::move(site));
  std::vector<FunctionSite> sites;
  for (auto &[file, lines] : files) {
    std::set<int> chosen;
    const int base = request.pattern.line_kind == FunctionPattern::Line::Relative
                         ? lines.begin()->second.front().line  // one function's: its declaration
                         : 0;
    for (const LineRange &range : request.pattern.lines)
      for (int line = base + range.first; line <= base + range.last; line++) {
        auto after = lines.lower_bound(line);
        auto best = after == lines.end() ? std::prev(after) : after;
        if (after != lines.begin() && after != lines.end() && line - std::prev(after)->first < after->first - line)
          best = std::prev(after);
        chosen.insert(best->first);
        if (best == std::prev(lines.end()) && line > best->first) break;  // so are all lines behind it
      }
    for (int line : chosen)
      for (FunctionSite &site : lines[line]) sites.push_back(std::move(site));
  }
  return sites;
}

std::vector<FunctionSite> labels_of(DebugModule &module, const CodeRequest &request, unsigned kinds,
                                    Refusals &refused) {
  std::vector<FunctionSite> sites;
  for (const FunctionSite &function : module.functions(request.pattern, kinds | DebugModule::Parts, refused))
    for (FunctionSite &label : module.labels(function, request.label)) sites.push_back(std::move(label));
  return sites;
}

}  // namespace

std::vector<FunctionSite> all_statements(DebugModule &module, const CodeRequest &request, Refusals &refused) {
  FunctionPattern any_line = request.pattern;
  any_line.line_kind = FunctionPattern::Line::Any;
  any_line.lines.clear();
  return module.statements(any_line, request.kinds, refused);
}

namespace {

std::vector<FunctionSite> plain_sites(DebugModule &module, const CodeRequest &request, bool one_copy,
                                      Refusals &refused) {
  const unsigned kinds = request.kinds | (one_copy ? DebugModule::OneCopy : 0u);
  if (request.address) {
    Result<FunctionSite> site = module.statement_at(*request.address, refused);
    if (site) return {std::move(*site)};
    refused.add(request.text, site.reason());
    return {};
  }
  if (!request.label.empty()) return labels_of(module, request, kinds, refused);
  if (request.is_statement && request.nearest && !request.pattern.lines.empty())
    return nearest_statements(module, request, refused);
  if (request.is_statement && request.pattern.line_kind != FunctionPattern::Line::None)
    return module.statements(request.pattern, kinds, refused);
  std::vector<FunctionSite> sites = module.functions(request.pattern, kinds, refused);
  if (request.exported_only) std::erase_if(sites, [](const FunctionSite &site) { return !site.is_exported; });
  return sites;
}

}  // namespace

std::vector<CodeSite> code_sites(Session &s, DebugModule &module, const CodeRequest &request, bool one_copy,
                                 Refusals &refused) {
  if (!request.callee.empty()) return callee_sites(s, module, request, refused);
  std::vector<CodeSite> sites;
  std::vector<FunctionSite> plain = plain_sites(module, request, one_copy, refused);
  sites.reserve(plain.size());
  for (FunctionSite &site : plain) sites.push_back({std::move(site), {}, ""});
  return sites;
}

namespace {

// What a list shows: "kernel.function("vfs_read@fs/read_write.c:450").callee("rw_verify_area@fs/read_write.c:380")".
std::string listed_point(const CodeRequest &request, const CodeScope &scope, const CodeSite &code) {
  std::string text = code_point(request, scope, code.site);
  if (code.callee_of.empty()) return text;
  const std::string start = scope.point(code.site.module->binary()) + ".function(\"";
  return start + code.callee_of + "\").callee(\"" + text.substr(start.size());
}

}  // namespace

// Of a statement the line itself, else that of the function's declaration; 0 when it is not known.
static int listed_line(const CodeRequest &request, const FunctionSite &site) {
  return request.is_statement && site.statement_line ? site.statement_line : site.line;
}

std::string code_point(const CodeRequest &request, const CodeScope &scope, const FunctionSite &site) {
  const std::string place =
      site.file.empty() ? site.name : fmt::format("{}@{}:{}", site.name, site.file, listed_line(request, site));
  std::string text = scope.point(site.module->binary()) + (request.is_statement ? ".statement(\"" : ".function(\"");
  text += place + "\")" + request.suffix;
  if (!site.label.empty()) text += ".label(\"" + site.label + "\")";
  return text;
}

namespace {

int add_probes(ProbeRequest &probe_request, const CodeRequest &request, const CodeScope &scope, DebugModule &module,
               Refusals &refused) {
  int made = 0;
  Session &s = probe_request.session;
  for (CodeSite &code : code_sites(s, module, request, false, refused)) {
    DerivedProbe *probe = probe_request.new_probe();
    auto data = std::make_unique<CodeProbe>();
    FunctionSite &site = code.site;
    probe->point = code_point(request, scope, site);
    if (!require_calls(s, *probe, request, code)) {
      s.program.probes.pop_back();
      refused.add(site.name, "is called from a frame whose layout is not known");
      continue;
    }
    probe->function = site.symbol.empty() || is_mangled(site.symbol) ? site.name : site.symbol;
    probe->attach = scope.attach(request, site);
    data->site = std::move(site);
    data->is_return = request.is_return;
    probe->data = std::move(data);
    made++;
  }
  return made;
}

// Does the handler name a variable that BTF can't tell of?
bool wants_places(DerivedProbe &probe) {
  const FunctionSite &site = data_of(probe).site;
  std::set<std::string> known = {"$return", "$$parms", "$$return", "$$name", "$$function"};
  for (const TargetVariable &v : site.module->variables(site)) known.insert("$" + v.name);
  bool wanted = false;
  for_each_expr(probe.body, [&](Expr *&e) {
    if (Target *t = as<Target>(e)) wanted |= !known.count(t->name);
    wanted |= as<AtVar>(e) != nullptr;
  });
  return wanted;
}

// What a wildcard left out, for -v.
void tell_left_out(const CodeRequest &request, const Refusals &refused) {
  std::map<std::string, size_t> counts;
  for (const Refusals::Refusal &refusal : refused.list) counts[refusal.reason]++;
  for (const auto &[reason, count] : counts)
    std::fprintf(stderr, "\"%s\": %zu function%s left out%s because it %s\n", request.text.c_str(), count,
                 count == 1 ? "" : "s", count == 1 ? "" : ", each", reason.c_str());
}

}  // namespace

int elaborate_code(ProbeRequest &probe_request, const CodeRequest &request, const CodeScope &scope) {
  Session &s = probe_request.session;
  // An optional probe point may miss; an error is then not wanted.
  const bool quiet = probe_request.point.optional || probe_request.point.sufficient;
  Refusals refused{.policy = scope.policy, .list = {}};
  int made = 0;
  for (DebugModule *module : scope.modules) {
    size_t before = s.program.probes.size();
    int here = add_probes(probe_request, request, scope, *module, refused);
    // What the handler uses is known once it stands at its place.
    bool may_be_inlined = !here && request.names_one() && (request.kinds & DebugModule::Inlines);
    if (!module->has_places() && (may_be_inlined || (here && wants_places(*s.program.probes[before]))))
      if (DebugModule *better = DebugInfoSet::of(s).with_places(*module)) {
        s.program.probes.resize(before);
        module = better;
        here = add_probes(probe_request, request, scope, *module, refused);
      }
    if (here) DebugInfoSet::of(s).require(s, *module);
    made += here;
  }
  if (made && s.options.verbose) tell_left_out(request, refused);
  if (!made && !quiet && !scope.modules.empty()) report_no_code(s, request, scope, refused);
  return made;
}

TargetContext code_context(const DerivedProbe &probe) {
  return context_of(data_of(probe).site, data_of(probe).is_return);
}

std::vector<ProbeFamily::Listed> list_code(Session &s, const ProbePoint &point, const CodeRequest &request,
                                           const CodeScope &scope, bool with_variables) {
  std::vector<ProbeFamily::Listed> list;
  std::set<std::string> seen;
  Refusals refused{.policy = scope.policy, .list = {}};
  for (DebugModule *module : scope.modules)
    for (const CodeSite &code : code_sites(s, *module, request, true, refused)) {
      const FunctionSite &site = code.site;
      ProbeFamily::Listed item{.point = listed_point(request, scope, code),
                               .family = request.is_statement ? "statement" : "function",
                               .name = site.name,
                               .file = site.file,
                               .line = listed_line(request, site)};
      item.set_binary(site.module->binary());
      if (with_variables) item.variables = describe_variables(context_of(code.site, request.is_return));
      // Inlined copies differ by their address only, which a list does not show.
      if (!with_variables || seen.insert(item.point).second) list.push_back(std::move(item));
    }
  if (s.options.verbose) tell_left_out(request, refused);
  if (list.empty() && !point.optional && !scope.modules.empty()) report_no_code(s, request, scope, refused);
  return list;
}
