// SPDX-License-Identifier: GPL-2.0-or-later
// The component `process` of points that are no places in code: alone, with a number, or with a program's name.
#include "probes/binding.h"

#include "probes/program.h"

std::vector<ProcessBinding> process_bindings(const ProbeRequest &request) {
  const ProbeComponent *process = request.component("process");
  if (!process) return {{}};
  if (process->arg == ProbeComponent::Arg::None) return {{.is_bound = true, .program = ""}};
  if (process->arg == ProbeComponent::Arg::Number)
    return {{.is_bound = true, .program = "", .pid = static_cast<uint64_t>(process->number)}};
  std::vector<ProcessBinding> bindings;
  const bool is_quiet = request.point.optional || request.point.sufficient;
  for (const ProgramUse &use : find_programs(request.session, request.point, is_quiet))
    bindings.push_back({.is_bound = true, .program = use.path});
  return bindings;
}
