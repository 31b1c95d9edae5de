// SPDX-License-Identifier: GPL-2.0-or-later
// Calls that a program or library makes of functions in other files, at the stub of its linkage table.
//
//   process(...)[.library(NAME)].plt[(PATTERN)]          when the function is called through the stub
//   process(...)[.library(NAME)].plt[(PATTERN)].return   when it has returned from there
//
// No debuginfo is needed, and so there are no arguments but those of the convention (tapsets/registers.stp).
#include <fmt/core.h>
#include <map>

#include "base/glob.h"
#include "debuginfo/plt.h"
#include "debuginfo/program_file.h"
#include "probes/families.h"
#include "probes/program.h"

namespace {

struct PltProbe : FamilyData {
  std::vector<EventVariable> variables;
};

struct FoundEntry {
  ProgramUse program;
  std::string name;
  attach::stap_file_place place;
};

const ProbeComponent &plt_component(const ProbePoint &point) {
  size_t at = 0;
  while (point.components[at].name != "plt") at++;
  return point.components[at];
}

std::string pattern_of(const ProbePoint &point) {
  const ProbeComponent &plt = plt_component(point);
  return plt.arg == ProbeComponent::Arg::String ? plt.string : "*";
}

bool is_return(const ProbePoint &point) { return point.components.back().name == "return"; }

TargetContext plt_context(const DerivedProbe &probe) {
  return {.space = AddressSpace::User,
          .point = "",
          .event_variables = &static_cast<const PltProbe &>(*probe.data).variables};
}

std::vector<EventVariable> variables_of(const FoundEntry &found) {
  return {{.name = "$name",
           .part = EventPart::Text,
           .type = "",
           .value = [name = found.name](const NodeFactory &make) -> Expr * { return make.string(name); }}};
}

void report_no_entry(Session &s, const std::vector<ProgramUse> &programs, const ProbePoint &point) {
  const ProbeComponent &plt = plt_component(point);
  std::vector<std::string> names;
  for (const ProgramUse &program : programs)
    if (const auto file = ProgramFile::open(program.path))
      for (const PltEntry &entry : plt_of((*file)->elf())) names.push_back(entry.name);
  Diagnostic &d = s.diag.error("no-such-plt", plt.place ? plt.place : point.place,
                               "semantic error: no function of a linkage table matches '{}'", pattern_of(point));
  if (programs.size() == 1) d.note(fmt::format("in '{}'", programs[0].path));
  if (names.empty()) d.note("there is none: a static program, or one that calls functions without stubs (-fno-plt)");
  else if (const std::string near = nearest_name(pattern_of(point), names); !near.empty())
    d.hint("did you mean '{}'?", near);
}

std::vector<FoundEntry> find_entries(Session &s, const ProbePoint &point, bool is_quiet) {
  std::vector<FoundEntry> list;
  const std::string pattern = pattern_of(point);
  if (!is_quiet && !require_uprobes(s, point.components.back().place)) return list;
  const std::vector<ProgramUse> programs = find_programs(s, point, is_quiet);
  for (const ProgramUse &program : programs) {
    const auto file = ProgramFile::open(program.path);
    if (!file) continue;
    for (const PltEntry &entry : plt_of((*file)->elf()))
      if (wildcard_match(pattern, entry.name))
        list.push_back({program, entry.name, place_in(program, **file, entry.address)});
  }
  if (list.empty() && !programs.empty() && !is_quiet) report_no_entry(s, programs, point);
  return list;
}

std::string point_of(const FoundEntry &found, const ProbePoint &point) {
  return fmt::format("{}.plt(\"{}\"){}", found.program.point, found.name, is_return(point) ? ".return" : "");
}

int elaborate_plt(ProbeRequest &request) {
  const bool is_quiet = request.point.optional || request.point.sufficient;
  const std::vector<FoundEntry> entries = find_entries(request.session, request.point, is_quiet);
  std::map<std::string, Unwinder> unwinders;  // by the file
  for (const FoundEntry &found : entries) {
    DerivedProbe *probe = request.new_probe();
    auto data = std::make_unique<PltProbe>();
    data->variables = variables_of(found);
    probe->point = point_of(found, request.point);
    probe->function = found.name;
    if (is_return(request.point)) {
      auto [unwinder, is_new] = unwinders.try_emplace(found.program.path);
      if (is_new) unwinder->second = find_unwinder(found.program);
      probe->attach = attach::Uretprobe{
          .place = found.place, .max_active = 0, .raise = unwinder->second.raise, .rethrow = unwinder->second.rethrow};
    } else {
      probe->attach = attach::Uprobe{.place = found.place};
    }
    probe->data = std::move(data);
  }
  return static_cast<int>(entries.size());
}

std::vector<std::string> plt_patterns() {
  std::vector<std::string> patterns;
  for (const char *process : {"process", "process(string)", "process(number)"})
    for (const char *library : {"", ".library(string)"})
      for (const char *plt : {"plt", "plt(string)"})
        for (const char *suffix : {"", ".return"})
          patterns.push_back(fmt::format("{}{}.{}{}", process, library, plt, suffix));
  return patterns;
}

std::vector<ProbeFamily::Listed> list_plt(Session &s, const ProbePoint &pattern, bool with_variables) {
  std::vector<ProbeFamily::Listed> list;
  for (const FoundEntry &found : find_entries(s, pattern, pattern.optional))
    list.push_back(
        {.point = point_of(found, pattern),
         .variables = with_variables ? describe_variables(variables_of(found)) : std::vector<ListedVariable>{},
         .name = found.name,
         .path = found.program.path});
  return list;
}

}  // namespace

const ProbeFamily plt_family = {
    .name = "plt",
    .patterns = plt_patterns(),
    .elaborate = elaborate_plt,
    .target_context = plt_context,
    .list = list_plt,
};
