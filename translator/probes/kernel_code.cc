// SPDX-License-Identifier: GPL-2.0-or-later
// Code of the kernel and its modules: which binaries a probe point means, and how their sites are attached.
#include "probes/kernel_code.h"

#include "base/glob.h"
#include "probes/elsewhere.h"
#include "probes/unprobeable.h"

namespace {

constexpr size_t most_owners = 3;  // that an error proposes

std::string point_of(const TargetBinary &binary) {
  return binary.is_kernel() ? "kernel" : "module(\"" + binary.name + "\")";
}

attach::Description attach_description(const CodeRequest &request, const FunctionSite &site) {
  attach::stap_code_place place{.binary = &site.module->binary(),
                                .section = site.section,
                                .offset = site.offset,
                                .symbol = site.by_name ? site.symbol : ""};
  if (request.is_return) return attach::Return{.place = place, .max_active = request.max_active};
  return attach::Function{.place = place};
}

// The module's name as the point has it; null for the kernel itself.
const ProbeComponent *module_component(const ProbePoint &point) {
  for (const ProbeComponent &component : point.components)
    if (component.name == "module") return &component;
  return nullptr;
}

// One module or the kernel; with places when they are needed and can be had.
void add_named(Session &s, const std::string &name, const CodeRequest &request, const Place &place, CodeScope &scope) {
  DebugInfoSet &set = DebugInfoSet::of(s);
  if (TargetBinary::named(name).is_file()) {
    if (place) s.diag.error("no-such-module", place, "semantic error: '{}' is not a module's file (.ko)", name);
    return;
  }
  DebugModule *module = set.module(name, place);
  DebugModule *better = module && request.needs_places() ? set.with_places(*module) : nullptr;
  if (module) scope.modules.push_back(better ? better : module);
}

// The modules that match a wildcard. Among many, one without debuginfo is passed over.
void add_matching(Session &s, const std::string &pattern, const Place &place, CodeScope &scope) {
  DebugInfoSet &set = DebugInfoSet::of(s);
  for (const std::string &name : set.module_names(pattern))
    if (DebugModule *module = set.module(name, Place{})) scope.modules.push_back(module);
  if (!scope.modules.empty() || !place || set.report_no_module(pattern, place)) return;
  Diagnostic &d =
      s.diag.error("no-debuginfo", place, "semantic error: no module matching '{}' has debuginfo for kernel {}",
                   pattern, s.kernel_release);
  for (const std::string &hint : debuginfo_hints(s)) d.hint(hint);
}

// Reports what has no debuginfo, unless `is_quiet`.
CodeScope scope_of(Session &s, const ProbePoint &point, const CodeRequest &request, bool is_quiet) {
  const ProbeComponent *module = module_component(point);
  CodeScope scope{.words = module ? "module '" + module->string + "'" : "the kernel",
                  .is_kernel = !module,
                  .modules = {},
                  .policy = why_unprobeable,
                  .point = point_of,
                  .attach = attach_description};
  Place place = module && module->place ? module->place : request.place;
  if (is_quiet) place = {};
  if (!module || !has_wildcard(module->string))
    scope.elsewhere = [&s, owner = module ? module->string : ""](const std::string &function) {
      return other_kernel_owners(s, function, owner, most_owners);
    };
  if (!module) add_named(s, "kernel", request, place, scope);
  else if (has_wildcard(module->string)) add_matching(s, module->string, place, scope);
  else add_named(s, module->string, request, place, scope);
  return scope;
}

}  // namespace

int elaborate_kernel_code(ProbeRequest &request) {
  CodeRequest code;
  if (!read_code_request(request.session, request.point, code)) return 0;
  const bool is_quiet = request.point.optional || request.point.sufficient;
  return elaborate_code(request, code, scope_of(request.session, request.point, code, is_quiet));
}

std::vector<ProbeFamily::Listed> list_kernel_code(Session &s, const ProbePoint &point, bool with_variables) {
  CodeRequest code;
  if (!read_code_request(s, point, code)) return {};
  return list_code(s, point, code, scope_of(s, point, code, point.optional), with_variables);
}

std::vector<std::string> kernel_code_patterns(const std::vector<std::string> &suffixes) {
  std::vector<std::string> patterns;
  for (const char *binary : {"kernel", "module(string)"})
    for (const std::string &suffix : suffixes) patterns.push_back(binary + suffix);
  return patterns;
}
