// SPDX-License-Identifier: GPL-2.0-or-later
// Tracepoints: handlers that run where the kernel's authors have put a mark.
//
//   kernel.trace(PATTERN)                  the name of the tracepoint, or GROUP:NAME; wildcards are allowed
//   module(MODULE).trace(PATTERN)          one of a module
//   kernel.tracepoint, module().tracepoint the same
//
// What a tracepoint passes is described by the prototype of __traceiter_NAME, the function that calls a tracepoint's
// handlers (include/linux/tracepoint.h, since Linux 5.10); handlers get the same arguments by the same convention, and
// that is BTF's way of saying where a parameter is. The fields that the event's format names are in the record which
// the kernel makes of it; it is made for handlers that read one (sema/records.cc).
#include <algorithm>
#include <fmt/core.h>
#include <set>
#include <sstream>

#include "base/files.h"
#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/kallsyms.h"
#include "probes/families.h"
#include "sema/match.h"
#include "target/target.h"

namespace {

struct Tracepoint {
  FunctionSite site;  // of the function that calls the handlers
  std::string group;  // of the trace event; "" when there is none, or it is not known
  TraceRecord record;
};

struct TracepointProbe : FamilyData {
  Tracepoint tracepoint;
};

// The first argument is what a handler was registered with.
TargetContext context_of(const Tracepoint &tp) {
  return {.site = &tp.site,
          .arguments_only = true,
          .hidden_arguments = 1,
          .point = "",
          .record = tp.record.type ? &tp.record : nullptr};
}

TargetContext tracepoint_context(const DerivedProbe &probe) {
  return context_of(static_cast<const TracepointProbe &>(*probe.data).tracepoint);
}

WriteRule write_rule(const Target &) {
  return {.no_registers = "a tracepoint passes copies, what it points to can be written"};
}

constexpr std::string_view caller_prefix = "__traceiter_";

// What a probe point of this family asks for.
struct TracepointRequest {
  std::string module;  // "" is the kernel; may hold wildcards
  std::string group;   // "" for any
  std::string name;
  const ProbeComponent *where = nullptr;
  const ProbeComponent *module_component = nullptr;
};

TracepointRequest read_request(const ProbePoint &point) {
  TracepointRequest request;
  for (const ProbeComponent &component : point.components) {
    if (component.name == "module") {
      request.module = component.string;
      request.module_component = &component;
    } else if (component.name.starts_with("trace")) {
      request.where = &component;
    }
  }
  const size_t colon = request.where->string.find(':');
  if (colon != std::string::npos) request.group = request.where->string.substr(0, colon);
  request.name = request.where->string.substr(colon == std::string::npos ? 0 : colon + 1);
  return request;
}

std::string resolved_point(const FunctionSite &site) {
  const TargetBinary &binary = site.module->binary();
  const std::string owner = binary.is_kernel() ? "kernel" : fmt::format("module(\"{}\")", binary.name);
  return fmt::format("{}.trace(\"{}\")", owner, site.name);
}

// Null when there is none, after an error at `place` unless that is empty.
DebugModule *btf_of(Session &s, const std::string &module, const Place &place) {
  DebugInfoSet &set = DebugInfoSet::of(s);
  const Result<DebugModule *> btf = set.btf(module);
  if (btf) return *btf;
  if (place && (module.empty() || !set.report_no_module(module, place))) {
    const std::string what = TargetBinary::named(module).describe(s.kernel_release);
    s.diag.error("no-btf", place, "semantic error: {} has no BTF, which describes what tracepoints pass", what)
        .note(btf.reason());
  }
  return nullptr;
}

// The names of the tracepoints of the groups that match, sorted.
std::vector<std::string> names_in_groups(DebugModule &btf, const std::string &group) {
  std::vector<std::string> names;
  for (const TraceEvent &event : btf.trace_events())
    if (wildcard_match(group, event.group)) names.push_back(event.name);
  std::sort(names.begin(), names.end());
  return names;
}

// What the kernel's image, or a module's file, tells of the trace event of a tracepoint. Where the image can't be read
// (the running kernel's, by a user) the record's type is the one of the event's own name, if there is one: events that
// share a class have none.
void describe_event(DebugModule &btf, Tracepoint &tp) {
  for (const TraceEvent &event : btf.trace_events()) {
    if (event.name != tp.site.name) continue;
    tp.group = event.group;
    tp.record.type = btf.find_type("struct trace_event_raw_" + (event.record.empty() ? event.name : event.record));
    tp.record.dynamic = event.dynamic;
    return;
  }
}

// The tracepoints that match, sorted by name.
std::vector<Tracepoint> tracepoints_in(DebugModule &btf, const TracepointRequest &request) {
  FunctionPattern functions;
  functions.function = std::string(caller_prefix) + request.name;
  Refusals ignored;
  std::vector<FunctionSite> sites = btf.functions(functions, DebugModule::Calls, ignored);
  for (FunctionSite &site : sites) {
    site.symbol = site.name;
    site.name.erase(0, caller_prefix.size());
  }
  if (!request.group.empty()) {
    const std::vector<std::string> names = names_in_groups(btf, request.group);
    std::erase_if(sites,
                  [&](const FunctionSite &site) { return !std::binary_search(names.begin(), names.end(), site.name); });
  }
  std::sort(sites.begin(), sites.end(), [](const FunctionSite &a, const FunctionSite &b) { return a.name < b.name; });
  std::vector<Tracepoint> found;
  for (FunctionSite &site : sites) found.push_back({.site = std::move(site), .group = "", .record = {}});
  return found;
}

// Where else kernel.trace() looks when the kernel itself has no such tracepoint: the modules that are loaded now and
// have one of that name, and the module that is named as the group.
std::set<std::string> other_modules(Session &s, const TracepointRequest &request) {
  std::set<std::string> modules;
  if (s.is_for_running_kernel()) {
    s.looked_at.insert("/proc/modules");
    const std::string symbols = read_file("/proc/kallsyms").value_or("");
    for (std::string &module : modules_in_proc_kallsyms(symbols, std::string(caller_prefix) + request.name))
      modules.insert(std::move(module));
  }
  if (!request.group.empty() && !has_wildcard(request.group)) modules.insert(request.group);
  return modules;
}

// The tracepoints of a request. Reports what has no BTF unless `place` is empty.
std::vector<Tracepoint> tracepoints(Session &s, const TracepointRequest &request, const Place &place) {
  std::vector<Tracepoint> found;
  auto add = [&](DebugModule *btf) {
    if (!btf) return;
    std::vector<Tracepoint> more = tracepoints_in(*btf, request);
    std::move(more.begin(), more.end(), std::back_inserter(found));
  };
  if (!request.module_component) {
    add(btf_of(s, "", place));
    if (found.empty())
      for (const std::string &module : other_modules(s, request)) add(btf_of(s, module, {}));
  } else if (has_wildcard(request.module)) {
    // Among many, one without BTF is passed over.
    for (const std::string &module : DebugInfoSet::of(s).module_names(request.module)) add(btf_of(s, module, {}));
  } else {
    add(btf_of(s, request.module, place));
  }
  return found;
}

// What is wrong with GROUP:NAME.
void explain_group(Diagnostic &d, DebugModule &btf, const TracepointRequest &request) {
  if (btf.trace_events().empty()) {
    d.note("the groups of its tracepoints are not known");
    d.hint("write the name alone, without the group before the colon");
  } else if (names_in_groups(btf, request.group).empty()) {
    std::set<std::string> groups;
    for (const TraceEvent &event : btf.trace_events()) groups.insert(event.group);
    d.note(fmt::format("there is no group '{}'", request.group));
    const std::string near = nearest_name(request.group, {groups.begin(), groups.end()});
    if (!near.empty()) d.hint("did you mean '{}:{}'?", near, request.name);
  } else if (TracepointRequest anywhere = request;
             anywhere.group.clear(), !has_wildcard(request.name) && !tracepoints_in(btf, anywhere).empty()) {
    d.hint("it is in another group: write '*:{}', or the name alone", request.name);
  } else if (const std::string near = nearest_name(request.name, names_in_groups(btf, request.group)); !near.empty()) {
    d.hint("did you mean '{}:{}'?", request.group, near);
  }
}

void report_nothing_found(Session &s, const TracepointRequest &request) {
  const std::string owner = request.module_component ? fmt::format("module '{}'", request.module) : "the kernel";
  const Result<DebugModule *> btf = DebugInfoSet::of(s).btf(request.module);
  if (!btf && !has_wildcard(request.module)) return;  // which has been reported
  Diagnostic &d = s.diag.error("no-such-tracepoint", request.where->place,
                               "semantic error: no tracepoint of {} matches '{}'", owner, request.where->string);
  if (!btf) return;
  if (!request.group.empty()) {
    explain_group(d, **btf, request);
    return;
  }
  std::vector<std::string> names;
  for (const std::string &name : (*btf)->function_names())
    if (name.starts_with(caller_prefix)) names.push_back(name.substr(caller_prefix.size()));
  if (const std::string near = nearest_name(request.name, names); !near.empty()) d.hint("did you mean '{}'?", near);
}

int elaborate_tracepoint(ProbeRequest &request) {
  Session &s = request.session;
  const TracepointRequest wanted = read_request(request.point);
  const bool quiet = request.point.optional || request.point.sufficient;
  std::vector<Tracepoint> found = tracepoints(s, wanted, quiet ? Place{} : wanted.where->place);
  if (found.empty() && !quiet) report_nothing_found(s, wanted);
  for (Tracepoint &tp : found) {
    DebugModule &btf = *tp.site.module;
    DebugInfoSet::of(s).require(s, btf);
    describe_event(btf, tp);
    DerivedProbe *probe = request.new_probe();
    auto data = std::make_unique<TracepointProbe>();
    probe->point = resolved_point(tp.site);
    probe->attach = attach::Tracepoint{.name = tp.site.name,
                                       .module = btf.binary().name,
                                       .group = tp.group,
                                       .arguments = btf.variables(tp.site).size() - 1};
    data->tracepoint = std::move(tp);
    probe->data = std::move(data);
  }
  return static_cast<int>(found.size());
}

std::vector<ProbeFamily::Listed> list_tracepoints(Session &s, const ProbePoint &pattern, bool with_variables) {
  std::vector<ProbeFamily::Listed> list;
  const TracepointRequest wanted = read_request(pattern);
  for (Tracepoint &tp : tracepoints(s, wanted, pattern.optional ? Place{} : wanted.where->place)) {
    std::vector<ListedVariable> variables;
    if (with_variables) {
      describe_event(*tp.site.module, tp);
      variables = describe_variables(context_of(tp));
    }
    list.push_back({.point = resolved_point(tp.site), .variables = std::move(variables), .name = tp.site.name});
    list.back().set_binary(tp.site.module->binary());
  }
  if (list.empty() && !pattern.optional) report_nothing_found(s, wanted);
  return list;
}

}  // namespace

const ProbeFamily tracepoint_family = {
    .name = "tracepoint",
    .patterns = {"kernel.trace(string)", "kernel.tracepoint(string)", "module(string).trace(string)",
                 "module(string).tracepoint(string)"},
    .elaborate = elaborate_tracepoint,
    .target_context = tracepoint_context,
    .write_rule = write_rule,
    .list = list_tracepoints,
    .listed_by = "trace",
};
