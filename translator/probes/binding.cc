// SPDX-License-Identifier: GPL-2.0-or-later
// The component `process` of points that are no places in code: alone, with a number, or with a program's name.
#include "probes/binding.h"

#include "probes/program.h"

std::vector<ProgramBinding> program_bindings(const ProbeRequest &request) {
  std::vector<ProgramBinding> bindings;
  const bool is_quiet = request.point.optional || request.point.sufficient;
  for (const ProgramUse &use : find_programs(request.session, request.point, is_quiet)) {
    ProgramBinding binding;
    binding.is_bound = true;
    binding.path = use.path;
    binding.pid = static_cast<uint64_t>(use.pid);
    // A process is one from the start on; what runs a program may begin later.
    if (!use.pid) {
      binding.program = use.path;
      binding.start = first_instruction(request.session, use);
    }
    bindings.push_back(std::move(binding));
  }
  return bindings;
}

std::vector<ProcessBinding> process_bindings(const ProbeRequest &request) {
  const ProbeComponent *process = request.component("process");
  if (!process) return {{}};
  ProcessBinding binding;
  binding.is_bound = true;
  if (process->arg == ProbeComponent::Arg::None) return {binding};
  binding.pid = static_cast<uint64_t>(process->number);
  if (process->arg == ProbeComponent::Arg::Number) return {binding};
  std::vector<ProcessBinding> bindings;
  for (ProgramBinding &program : program_bindings(request)) bindings.push_back(std::move(program));
  return bindings;
}
