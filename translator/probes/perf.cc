// SPDX-License-Identifier: GPL-2.0-or-later
// Events of the kernel's perf subsystem: handlers that run every so many of them, or counters that other handlers read.
//
//   perf.type(T).config(C) [.sample(N) | .hz(N)] [PROCESS]      T and C are those of struct perf_event_attr
//   perf.type(T).config(C) [PROCESS] .counter(NAME)             @perf(NAME) reads it, its own handler never runs
//
// PROCESS is .process, .process(PROGRAM) or .process(PID) (probes/binding.h); without one the events of every CPU are
// meant.
#include <fmt/core.h>

#include "probes/binding.h"
#include "probes/families.h"

namespace {

constexpr uint64_t default_sample = 1000000;  // stapprobes(3stap)
constexpr int64_t most_hz = 100000;

bool check_counter(ProbeRequest &request, const ProbeComponent &counter) {
  for (const DerivedProbe *other : request.session.program.probes) {
    const auto *perf = std::get_if<attach::Perf>(&other->attach);
    if (!perf || perf->counter != counter.string) continue;
    request.error("duplicate-counter", counter, fmt::format("there are two counters '{}'", counter.string))
        .note("the other one", other->place);
    return false;
  }
  if (!counter.string.empty()) return true;
  request.error("duplicate-counter", counter, "a counter needs a name");
  return false;
}

int elaborate_perf(ProbeRequest &request) {
  const ProbeComponent *sample = request.component("sample"), *hz = request.component("hz"),
                       *counter = request.component("counter");
  if (sample && sample->number < 1) {
    request.error("bad-perf-rate", *sample, "'sample' takes a number from 1 on");
    return 0;
  }
  if (hz && (hz->number < 1 || hz->number > most_hz)) {
    request.error("bad-perf-rate", *hz, fmt::format("'hz' takes a number from 1 to {}", most_hz));
    return 0;
  }
  if (counter && !check_counter(request, *counter)) return 0;
  attach::Perf perf;
  perf.type = static_cast<uint64_t>(request.component("type")->number);
  perf.config = static_cast<uint64_t>(request.component("config")->number);
  if (sample) perf.sample = static_cast<uint64_t>(sample->number);
  else if (hz) perf.hz = static_cast<uint64_t>(hz->number);
  else if (counter) perf.counter = counter->string;
  else perf.sample = default_sample;
  const std::vector<ProcessBinding> bindings = process_bindings(request);
  if (counter && bindings.size() > 1) {
    request.error("duplicate-counter", *request.component("process"), "a counter can't be that of several programs");
    return 0;
  }
  for (const ProcessBinding &binding : bindings) {
    perf.bound = binding.is_bound;
    perf.program = binding.program;
    perf.pid = binding.pid;
    perf.start = binding.start;
    request.new_probe()->attach = perf;
  }
  return static_cast<int>(bindings.size());
}

std::vector<std::string> perf_patterns() {
  std::vector<std::string> patterns;
  for (const char *rate : {"", ".sample(number)", ".hz(number)"})
    for (const char *process : {"", ".process", ".process(string)", ".process(number)"})
      patterns.push_back(fmt::format("perf.type(number).config(number){}{}", rate, process));
  for (const char *process : {"", ".process", ".process(string)", ".process(number)"})
    patterns.push_back(fmt::format("perf.type(number).config(number){}.counter(string)", process));
  return patterns;
}

std::vector<ProbeFamily::Listed> list_perf(Session &, const ProbePoint &pattern, bool) {
  return {{to_string(pattern), {}}};
}

}  // namespace

const ProbeFamily perf_family = {
    .name = "perf",
    .patterns = perf_patterns(),
    .elaborate = elaborate_perf,
    .list = list_perf,
};
