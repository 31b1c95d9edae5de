// SPDX-License-Identifier: GPL-2.0-or-later
// Events of processes: they and their threads begin and end, and make system calls.
//
//   process(PATH)  process(PID)  process                          all of them without an argument
//     .begin  .end  .thread.begin  .thread.end
//     .syscall  .syscall.return
//
// With -c or -x, only the target's process and what descends from it counts, which staprun tells the kernel host.
#include <fmt/core.h>

#include "probes/families.h"
#include "probes/program.h"

namespace {

struct Event {
  const char *suffix;
  stap_process_event number;
};

constexpr Event events[] = {
    {"begin", STAP_PROCESS_BEGIN},
    {"end", STAP_PROCESS_END},
    {"thread.begin", STAP_PROCESS_THREAD_BEGIN},
    {"thread.end", STAP_PROCESS_THREAD_END},
    {"syscall", STAP_PROCESS_SYSCALL},
    {"syscall.return", STAP_PROCESS_SYSCALL_RETURN},
};

const Event &event_of(const ProbePoint &point) {
  std::string suffix;
  for (size_t i = 1; i < point.components.size(); i++) suffix += (i > 1 ? "." : "") + point.components[i].name;
  const Event *event = events;
  while (suffix != event->suffix) event++;
  return *event;
}

constexpr const char *read_only = "the kernel has a copy of it";

// In the order of the numbers that the kernel host passes.
const std::vector<EventVariable> *variables_at(uint64_t event) {
  static const std::vector<EventVariable> at_call = [] {
    std::vector<EventVariable> list = {{.name = "syscall", .index = 0, .type = "", .why_read_only = read_only}};
    for (uint32_t i = 1; i <= 6; i++)
      list.push_back({.name = fmt::format("arg{}", i), .index = i, .type = "", .why_read_only = read_only});
    return list;
  }();
  static const std::vector<EventVariable> at_return = {
      {.name = "syscall", .index = 0, .type = "", .why_read_only = read_only},
      {.name = "return", .index = 1, .type = "", .why_read_only = read_only},
  };
  switch (event) {
    case STAP_PROCESS_SYSCALL: return &at_call;
    case STAP_PROCESS_SYSCALL_RETURN: return &at_return;
  }
  return nullptr;
}

TargetContext process_context(const DerivedProbe &probe) {
  return {.point = "", .event_variables = variables_at(std::get<attach::Process>(probe.attach).event)};
}

int elaborate_process(ProbeRequest &request) {
  const ProbeComponent &process = request.point.components[0];
  const Event &event = event_of(request.point);
  if (process.arg != ProbeComponent::Arg::String) {
    const uint64_t pid = process.arg == ProbeComponent::Arg::Number ? static_cast<uint64_t>(process.number) : 0;
    request.new_probe()->attach = attach::Process{.event = event.number, .path = "", .pid = pid};
    return 1;
  }
  int made = 0;
  const bool is_quiet = request.point.optional || request.point.sufficient;
  for (const ProgramUse &program : find_programs(request.session, request.point, is_quiet)) {
    DerivedProbe *probe = request.new_probe();
    probe->point = fmt::format("{}.{}", program.point, event.suffix);
    probe->attach = attach::Process{.event = event.number, .path = program.path, .pid = 0};
    made++;
  }
  return made;
}

std::vector<std::string> process_patterns() {
  std::vector<std::string> patterns;
  for (const char *process : {"process", "process(string)", "process(number)"})
    for (const Event &event : events) patterns.push_back(fmt::format("{}.{}", process, event.suffix));
  return patterns;
}

std::vector<ProbeFamily::Listed> list_process(Session &s, const ProbePoint &pattern, bool with_variables) {
  std::vector<ListedVariable> variables;
  const Event &event = event_of(pattern);
  if (const auto *all = variables_at(event.number); all && with_variables) variables = describe_variables(*all);
  if (pattern.components[0].arg != ProbeComponent::Arg::String) return {{to_string(pattern), variables}};
  std::vector<ProbeFamily::Listed> list;
  for (const ProgramUse &program : find_programs(s, pattern, pattern.optional))
    list.push_back(
        {.point = fmt::format("{}.{}", program.point, event.suffix), .variables = variables, .path = program.path});
  return list;
}

}  // namespace

const ProbeFamily process_family = {
    .name = "process",
    .patterns = process_patterns(),
    .elaborate = elaborate_process,
    .target_context = process_context,
    .list = list_process,
};
