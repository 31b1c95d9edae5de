// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel functions: handlers that run where a function is entered, inlined, or returns.
//
//   kernel.function(PATTERN)  module(NAME).function(PATTERN)
//       [.call | .inline | .exported | .return [.maxactive(N)]]
//
// PATTERN is func[@file[:line|+offset|:*]]; wildcards are allowed in the
// function's, the file's and the module's name. Without a suffix both the
// function itself and its inlined copies are probed.
#include <algorithm>
#include <set>

#include "arch/arch.h"
#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "probes/families.h"
#include "probes/max_active.h"
#include "probes/unprobeable.h"
#include "sema/match.h"
#include "target/target.h"

namespace {

struct FunctionProbe : FamilyData {
  FunctionSite site;
  bool is_return = false;
};

const FunctionProbe &data_of(const DerivedProbe &probe) { return static_cast<const FunctionProbe &>(*probe.data); }

TargetContext context_of(const FunctionSite &site, bool is_return) {
  return {.site = &site, .at_return = is_return, .space = site.module->binary().address_space(), .point = ""};
}

TargetContext function_context(const DerivedProbe &probe) {
  return context_of(data_of(probe).site, data_of(probe).is_return);
}

// What a probe point of this family asks for.
struct FunctionRequest {
  std::string module;  // "" is the kernel; may hold wildcards
  bool in_kernel = true;
  FunctionPattern pattern;
  std::string pattern_text;
  unsigned kinds = DebugModule::Calls | DebugModule::Inlines;
  bool is_return = false, exported_only = false;
  uint64_t max_active = 0;  // 0: the host's default
  std::string suffix;       // ".return.maxactive(5)", kept in the resolved point
};

bool wants_only_inlines(const FunctionRequest &request) { return !(request.kinds & DebugModule::Calls); }

const ProbeComponent *find_component(const ProbePoint &point, const char *name) {
  for (const ProbeComponent &component : point.components)
    if (component.name == name) return &component;
  return nullptr;
}

// False after reporting.
bool read_request(Session &s, const ProbePoint &point, FunctionRequest &request) {
  const ProbeComponent *function = find_component(point, "function");
  if (!function) return false;
  if (const ProbeComponent *module = find_component(point, "module")) {
    request.module = module->string;
    request.in_kernel = false;
  }
  request.pattern_text = function->string;
  Result<FunctionPattern> pattern = parse_function_pattern(function->string);
  if (!pattern) {
    s.diag.error("bad-function-pattern", function->place, "semantic error: " + pattern.reason());
    return false;
  }
  request.pattern = std::move(*pattern);
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
  } else if (find_component(point, "return")) {
    request.kinds = DebugModule::Calls;
    request.is_return = true;
    request.suffix = ".return";
    if (const ProbeComponent *limit = find_component(point, "maxactive"))
      request.suffix += ".maxactive(" + std::to_string(limit->number) + ")";
    return read_max_active(s, point, request.max_active);
  }
  return true;
}

// "kernel.function("vfs_read@fs/read_write.c:450").return"
std::string resolved_point(const FunctionRequest &request, const FunctionSite &site) {
  std::string text = site.module->binary().is_kernel() ? "kernel" : "module(\"" + site.module->binary().name + "\")";
  text += ".function(\"" + site.name;
  if (!site.file.empty()) text += "@" + site.file + ":" + std::to_string(site.line);
  return text + "\")" + request.suffix;
}

// The modules a request names; reports what has no debuginfo unless `place` is empty.
std::vector<DebugModule *> modules_of(Session &s, const FunctionRequest &request, const Place &place) {
  DebugInfoSet &set = DebugInfoSet::of(s);
  std::vector<DebugModule *> modules;
  bool needs_places = wants_only_inlines(request) || !request.pattern.file.empty();
  auto add = [&](const std::string &name) {
    if (TargetBinary::named(name).is_file()) {
      if (place) s.diag.error("no-such-module", place, "semantic error: '" + name + "' is not a module's file (.ko)");
      return;
    }
    DebugModule *module = set.module(name, place);
    DebugModule *better = module && needs_places ? set.with_places(*module) : nullptr;
    if (module) modules.push_back(better ? better : module);
  };
  if (request.in_kernel) {
    add("kernel");
  } else if (has_wildcard(request.module)) {
    // Among many, one without debuginfo is passed over.
    for (const std::string &name : set.module_names(request.module))
      if (DebugModule *module = set.module(name, Place{})) modules.push_back(module);
    if (modules.empty() && place && set.report_no_module(request.module, place)) return modules;
    if (modules.empty() && place) {
      Diagnostic &d = s.diag.error(
          "no-debuginfo", place,
          "semantic error: no module matching '" + request.module + "' has debuginfo for kernel " + s.kernel_release);
      for (const std::string &hint : debuginfo_hints(s)) d.hint(hint);
    }
  } else {
    add(request.module);
  }
  return modules;
}

std::vector<FunctionSite> sites_of(DebugModule &module, const FunctionRequest &request, Refusals &refused) {
  std::vector<FunctionSite> sites = module.functions(request.pattern, request.kinds, refused);
  if (request.exported_only) std::erase_if(sites, [](const FunctionSite &site) { return !site.is_exported; });
  return sites;
}

// "fs/read_write.c:450": where functions of that name are, when the pattern asks for another file or line.
std::vector<std::string> other_places(DebugModule &module, const FunctionRequest &request) {
  std::vector<std::string> places;
  Refusals ignored{.policy = why_unprobeable, .sentences = {}};
  FunctionPattern anywhere;
  anywhere.function = request.pattern.function;
  for (const FunctionSite &site : module.functions(anywhere, request.kinds | DebugModule::OneCopy, ignored)) {
    const std::string place = site.name + "@" + site.file + ":" + std::to_string(site.line);
    if (!site.file.empty() && std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  }
  return places;
}

// False when no function of the name is anywhere.
bool explain_place(Diagnostic &d, const FunctionRequest &request, const std::vector<DebugModule *> &modules) {
  constexpr size_t most = 5;
  std::vector<std::string> places;
  for (DebugModule *module : modules)
    for (std::string &place : other_places(*module, request)) places.push_back(std::move(place));
  if (places.empty()) return false;
  for (size_t i = 0; i < places.size() && i < most; i++) d.hint("there is " + places[i]);
  if (places.size() > most) d.hint("and " + std::to_string(places.size() - most) + " more");
  return true;
}

void report_nothing_found(Session &s, const FunctionRequest &request, const std::vector<DebugModule *> &modules,
                          const Refusals &refused, const ProbeComponent &where) {
  std::string scope = request.in_kernel ? "the kernel" : "module '" + request.module + "'";
  if (const std::vector<std::string> &sentences = refused.sentences; !sentences.empty()) {
    Diagnostic &d = s.diag.error("unprobeable-function", where.place,
                                 "semantic error: no function matching '" + request.pattern_text + "' can be probed");
    for (size_t i = 0; i < sentences.size() && i < 5; i++) d.note(sentences[i]);
    return;
  }
  bool without_places = std::any_of(modules.begin(), modules.end(), [](DebugModule *m) { return !m->has_places(); });
  if (without_places && (wants_only_inlines(request) || !request.pattern.file.empty())) {
    Diagnostic &d =
        s.diag.error("needs-dwarf", where.place,
                     wants_only_inlines(request) ? "semantic error: inlined copies of a function need debuginfo (DWARF)"
                                                 : "semantic error: a function's file and line need debuginfo (DWARF)");
    d.note("only BTF is there, which has functions' names, parameters and types");
    for (const std::string &hint : debuginfo_hints(s)) d.hint(hint);
    return;
  }
  std::string what = wants_only_inlines(request) ? "no inlined function"
                     : request.exported_only     ? "no exported function"
                                                 : "no function";
  Diagnostic &d = s.diag.error("no-such-function", where.place,
                               "semantic error: " + what + " in " + scope + " matches '" + request.pattern_text + "'");
  if (without_places) d.note("only BTF is there; inlined copies, and functions BTF leaves out, need debuginfo (DWARF)");
  if (!request.pattern.file.empty() && explain_place(d, request, modules)) return;
  Refusals ignored{.policy = why_unprobeable, .sentences = {}};
  bool may_be_inlined = !(request.kinds & DebugModule::Inlines) && !has_wildcard(request.pattern.function);
  for (DebugModule *module : modules)
    if (may_be_inlined && !module->functions(request.pattern, DebugModule::Inlines, ignored).empty()) {
      d.hint("it is inlined wherever it is called; .inline probes the copies" +
             std::string(request.is_return ? ", which have no return point" : ""));
      return;
    }
  // What is called sys_open in the source is the architecture's function that calls it.
  const std::string system_call = arch_of(s).system_call_prefix + request.pattern.function;
  if (request.pattern.function.starts_with("sys_") && request.in_kernel) {
    FunctionPattern pattern;
    pattern.function = system_call;
    for (DebugModule *module : modules)
      if (!module->functions(pattern, DebugModule::Calls, ignored).empty()) {
        d.hint("did you mean '" + system_call + "'?");
        return;
      }
  }
  for (DebugModule *module : modules) {
    std::string near = nearest_name(request.pattern.function, module->function_names());
    if (near.empty() || near == request.pattern.function) continue;
    d.hint("did you mean '" + near + "'?");
    return;
  }
}

attach::Description attach_description(const FunctionRequest &request, const FunctionSite &site) {
  attach::stap_code_place place{.binary = &site.module->binary(),
                                .section = site.section,
                                .offset = site.offset,
                                .symbol = site.by_name ? site.symbol : ""};
  if (request.is_return) return attach::Return{.place = place, .max_active = request.max_active};
  return attach::Function{.place = place};
}

int add_probes(ProbeRequest &probe_request, const FunctionRequest &request, DebugModule &module, Refusals &refused) {
  int made = 0;
  for (FunctionSite &site : sites_of(module, request, refused)) {
    DerivedProbe *probe = probe_request.new_probe();
    auto data = std::make_unique<FunctionProbe>();
    probe->point = resolved_point(request, site);
    probe->function = site.symbol.empty() ? site.name : site.symbol;
    probe->attach = attach_description(request, site);
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

int elaborate_function(ProbeRequest &probe_request) {
  Session &s = probe_request.session;
  FunctionRequest request;
  if (!read_request(s, probe_request.point, request)) return 0;
  const ProbeComponent &where = *find_component(probe_request.point, "function");
  const ProbeComponent *module_component = find_component(probe_request.point, "module");
  Place place = module_component ? module_component->place : where.place;
  if (!place) place = probe_request.point.place;
  // An optional probe point may miss; an error is then not wanted.
  bool quiet = probe_request.point.optional || probe_request.point.sufficient;
  std::vector<DebugModule *> modules = modules_of(s, request, quiet ? Place{} : place);
  Refusals refused{.policy = why_unprobeable, .sentences = {}};
  int made = 0;
  for (DebugModule *module : modules) {
    size_t before = s.program.probes.size();
    int here = add_probes(probe_request, request, *module, refused);
    // What the handler uses is known once it stands at its place.
    bool may_be_inlined = !here && !has_wildcard(request.pattern.function) && (request.kinds & DebugModule::Inlines);
    if (!module->has_places() && (may_be_inlined || (here && wants_places(*s.program.probes[before]))))
      if (DebugModule *better = DebugInfoSet::of(s).with_places(*module)) {
        s.program.probes.resize(before);
        module = better;
        here = add_probes(probe_request, request, *module, refused);
      }
    if (here) DebugInfoSet::of(s).require(s, *module);
    made += here;
  }
  if (!made && !quiet && !modules.empty()) report_nothing_found(s, request, modules, refused, where);
  return made;
}

std::vector<ProbeFamily::Listed> list_functions(Session &s, const ProbePoint &pattern, bool with_variables) {
  std::vector<ProbeFamily::Listed> list;
  std::set<std::string> seen;
  FunctionRequest request;
  if (!read_request(s, pattern, request)) return list;
  request.kinds |= DebugModule::OneCopy;
  Refusals refused{.policy = why_unprobeable, .sentences = {}};
  std::vector<DebugModule *> modules = modules_of(s, request, pattern.optional ? Place{} : pattern.place);
  for (DebugModule *module : modules)
    for (const FunctionSite &site : sites_of(*module, request, refused)) {
      ProbeFamily::Listed item{resolved_point(request, site), {}};
      if (with_variables) item.variables = describe_variables(context_of(site, request.is_return));
      // Inlined copies differ by their address only, which a list does not show.
      if (!with_variables || seen.insert(item.point).second) list.push_back(std::move(item));
    }
  if (list.empty() && !pattern.optional && !modules.empty())
    report_nothing_found(s, request, modules, refused, *find_component(pattern, "function"));
  return list;
}

}  // namespace

const ProbeFamily function_family = {
    .name = "function",
    .patterns =
        {
            "kernel.function(string)",
            "kernel.function(string).call",
            "kernel.function(string).inline",
            "kernel.function(string).exported",
            "kernel.function(string).return",
            "kernel.function(string).return.maxactive(number)",
            "module(string).function(string)",
            "module(string).function(string).call",
            "module(string).function(string).inline",
            "module(string).function(string).exported",
            "module(string).function(string).return",
            "module(string).function(string).return.maxactive(number)",
        },
    .elaborate = elaborate_function,
    .target_context = function_context,
    .list = list_functions,
};
