// SPDX-License-Identifier: GPL-2.0-or-later
// Tracepoints of the kernel: handlers that run where the kernel's authors have put a mark.
//
//   kernel.trace(PATTERN)    the name of the tracepoint; wildcards are allowed
//
// What a tracepoint passes is described by the prototype of __traceiter_NAME, the function that calls a tracepoint's
// handlers (include/linux/tracepoint.h, since Linux 5.10); handlers get the same arguments by the same convention, and
// that is BTF's way of saying where a parameter is.
#include <algorithm>
#include <fmt/core.h>

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

// The tracepoints that match, sorted by name.
std::vector<FunctionSite> tracepoints(DebugModule &btf, const std::string &pattern) {
  FunctionPattern functions;
  functions.function = std::string(caller_prefix) + pattern;
  Refusals ignored;
  std::vector<FunctionSite> sites = btf.functions(functions, DebugModule::Calls, ignored);
  for (FunctionSite &site : sites) {
    site.symbol = site.name;
    site.name.erase(0, caller_prefix.size());
  }
  std::sort(sites.begin(), sites.end(), [](const FunctionSite &a, const FunctionSite &b) { return a.name < b.name; });
  return sites;
}

void report_nothing_found(Session &s, const ProbeComponent &where, DebugModule &module) {
  Diagnostic &d = s.diag.error("no-such-tracepoint", where.place,
                               "semantic error: no tracepoint of the kernel matches '{}'", where.string);
  if (where.string.find(':') != where.string.npos) {
    d.hint("write the name alone, without the group before the colon");
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
  std::vector<FunctionSite> sites = tracepoints(*btf, where.string);
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
  for (const FunctionSite &site : tracepoints(*btf, where.string))
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
