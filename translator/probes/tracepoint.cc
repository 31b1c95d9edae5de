// SPDX-License-Identifier: GPL-2.0-or-later
// Tracepoints of the kernel: handlers that run where the kernel's authors have put a mark.
//
//   kernel.trace(PATTERN)    the name of the tracepoint, or GROUP:NAME; wildcards are allowed
//
// What a tracepoint passes is described by the prototype of __traceiter_NAME, the function that calls a tracepoint's
// handlers (include/linux/tracepoint.h, since Linux 5.10); handlers get the same arguments by the same convention, and
// that is BTF's way of saying where a parameter is.
#include <algorithm>
#include <fmt/core.h>
#include <set>
#include <sstream>

#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "probes/families.h"
#include "sema/match.h"
#include "target/target.h"

namespace {

struct TracepointProbe : FamilyData {
  FunctionSite site;  // of the function that calls the handlers
};

const FunctionSite &site_of(const DerivedProbe &probe) {
  return static_cast<const TracepointProbe &>(*probe.data).site;
}

// The first argument is what a handler was registered with.
TargetContext context_of(const FunctionSite &site) {
  return {.site = &site, .arguments_only = true, .hidden_arguments = 1, .point = ""};
}

TargetContext tracepoint_context(const DerivedProbe &probe) { return context_of(site_of(probe)); }

WriteRule write_rule(const Target &) {
  return {.no_registers = "a tracepoint passes copies, what it points to can be written"};
}

constexpr std::string_view caller_prefix = "__traceiter_";

const ProbeComponent &trace_component(const ProbePoint &point) {
  return *std::find_if(point.components.begin(), point.components.end(),
                       [](const ProbeComponent &c) { return c.name == "trace"; });
}

std::string resolved_point(const FunctionSite &site) { return fmt::format("kernel.trace(\"{}\")", site.name); }

// Null when there is none, after an error at `place` unless that is empty.
DebugModule *kernel_btf(Session &s, const Place &place) {
  const Result<DebugModule *> btf = DebugInfoSet::of(s).btf();
  if (btf) return *btf;
  if (place)
    s.diag
        .error("no-btf", place,
               "semantic error: kernel " + s.kernel_release + " has no BTF, which describes what tracepoints pass")
        .note(btf.reason());
  return nullptr;
}

// The names of the tracepoints of the groups that match, sorted.
std::vector<std::string> names_in_groups(Session &s, const std::string &group) {
  std::vector<std::string> names;
  std::istringstream lines(DebugInfoSet::of(s).tracepoint_groups());
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(':');
    if (wildcard_match(group, line.substr(0, colon))) names.push_back(line.substr(colon + 1));
  }
  std::sort(names.begin(), names.end());
  return names;
}

// The tracepoints that match, sorted by name.
std::vector<FunctionSite> tracepoints(Session &s, DebugModule &btf, const std::string &pattern) {
  const size_t colon = pattern.find(':');
  FunctionPattern functions;
  functions.function = std::string(caller_prefix) + (colon == pattern.npos ? pattern : pattern.substr(colon + 1));
  Refusals ignored;
  std::vector<FunctionSite> sites = btf.functions(functions, DebugModule::Calls, ignored);
  for (FunctionSite &site : sites) {
    site.symbol = site.name;
    site.name.erase(0, caller_prefix.size());
  }
  if (colon != pattern.npos) {
    const std::vector<std::string> names = names_in_groups(s, pattern.substr(0, colon));
    std::erase_if(sites,
                  [&](const FunctionSite &site) { return !std::binary_search(names.begin(), names.end(), site.name); });
  }
  std::sort(sites.begin(), sites.end(), [](const FunctionSite &a, const FunctionSite &b) { return a.name < b.name; });
  return sites;
}

// What is wrong with GROUP:NAME.
void explain_group(Session &s, Diagnostic &d, DebugModule &btf, const std::string &group, const std::string &name) {
  const std::string &lines = DebugInfoSet::of(s).tracepoint_groups();
  if (lines.empty()) {
    d.note("the groups of this kernel's tracepoints are not known");
    d.hint("write the name alone, without the group before the colon");
  } else if (names_in_groups(s, group).empty()) {
    std::set<std::string> groups;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) groups.insert(line.substr(0, line.find(':')));
    d.note(fmt::format("there is no group '{}'", group));
    const std::string near = nearest_name(group, {groups.begin(), groups.end()});
    if (!near.empty()) d.hint("did you mean '{}:{}'?", near, name);
  } else if (!has_wildcard(name) && !tracepoints(s, btf, name).empty()) {
    d.hint("it is in another group: write '*:{}', or the name alone", name);
  } else if (const std::string near = nearest_name(name, names_in_groups(s, group)); !near.empty()) {
    d.hint("did you mean '{}:{}'?", group, near);
  }
}

void report_nothing_found(Session &s, const ProbeComponent &where, DebugModule &module) {
  Diagnostic &d = s.diag.error("no-such-tracepoint", where.place,
                               "semantic error: no tracepoint of the kernel matches '{}'", where.string);
  if (const size_t colon = where.string.find(':'); colon != where.string.npos) {
    explain_group(s, d, module, where.string.substr(0, colon), where.string.substr(colon + 1));
    return;
  }
  std::vector<std::string> names;
  for (const std::string &name : module.function_names())
    if (name.starts_with(caller_prefix)) names.push_back(name.substr(caller_prefix.size()));
  if (const std::string near = nearest_name(where.string, names); !near.empty()) d.hint("did you mean '{}'?", near);
}

int elaborate_tracepoint(ProbeRequest &request) {
  Session &s = request.session;
  const ProbeComponent &where = trace_component(request.point);
  const bool quiet = request.point.optional || request.point.sufficient;
  DebugModule *btf = kernel_btf(s, quiet ? Place{} : where.place);
  if (!btf) return 0;
  std::vector<FunctionSite> sites = tracepoints(s, *btf, where.string);
  for (FunctionSite &site : sites) {
    DerivedProbe *probe = request.new_probe();
    auto data = std::make_unique<TracepointProbe>();
    probe->point = resolved_point(site);
    probe->attach = attach::Tracepoint{.name = site.name};
    data->site = std::move(site);
    probe->data = std::move(data);
  }
  if (!sites.empty()) DebugInfoSet::of(s).require(s, *btf);
  else if (!quiet) report_nothing_found(s, where, *btf);
  return static_cast<int>(sites.size());
}

std::vector<ProbeFamily::Listed> list_tracepoints(Session &s, const ProbePoint &pattern, bool with_variables) {
  std::vector<ProbeFamily::Listed> list;
  const ProbeComponent &where = trace_component(pattern);
  DebugModule *btf = kernel_btf(s, pattern.optional ? Place{} : where.place);
  if (!btf) return list;
  for (const FunctionSite &site : tracepoints(s, *btf, where.string))
    list.push_back(
        {resolved_point(site), with_variables ? describe_variables(context_of(site)) : std::vector<std::string>{}});
  if (list.empty() && !pattern.optional) report_nothing_found(s, where, *btf);
  return list;
}

}  // namespace

const ProbeFamily tracepoint_family = {
    .name = "tracepoint",
    .patterns = {"kernel.trace(string)"},
    .elaborate = elaborate_tracepoint,
    .target_context = tracepoint_context,
    .write_rule = write_rule,
    .list = list_tracepoints,
};
