// SPDX-License-Identifier: GPL-2.0-or-later
// Timers: handlers that run at intervals, on one CPU (timer.s(1)) or on every CPU (timer.profile).
//
//   timer.s(N)  timer.ms(N)  timer.us(N)  timer.ns(N)  timer.jiffies(N)  [.randomize(M)]   (also sec msec usec nsec)
//   timer.hz(N)
//   timer.profile  timer.profile.tick  timer.profile.freq.hz(N)
#include "probes/families.h"
#include "syntax/condition.h"

#include <fmt/core.h>
#include <map>

namespace {

constexpr uint64_t ns_per_second = 1000000000;
// stapprobes(3stap): "N is restricted to a reasonable range (1 to around a million)".
constexpr int64_t max_jiffies = 1000000;
constexpr int64_t max_interval_ns = max_jiffies * (int64_t)ns_per_second;

// CONFIG_HZ of the kernel compiled for; 250, Debian's, when its configuration can't be read.
uint64_t ticks_per_second(Session &s) {
  const auto &config = kernel_config(s);
  const auto found = config.find("CONFIG_HZ");
  return found == config.end() ? 250 : std::stoull("0" + found->second);
}

uint64_t unit_ns(Session &s, const std::string &unit) {
  static const std::map<std::string, uint64_t> units = {
      {"s", ns_per_second}, {"sec", ns_per_second}, {"ms", 1000000}, {"msec", 1000000},
      {"us", 1000},         {"usec", 1000},         {"ns", 1},       {"nsec", 1},
  };
  auto it = units.find(unit);
  if (it != units.end()) return it->second;
  return ns_per_second / std::max<uint64_t>(1, ticks_per_second(s));
}

void bad_interval(ProbeRequest &request, const ProbeComponent &c, const std::string &why) {
  request.session.diag
      .error("bad-timer-interval", c.place ? c.place : request.point.place,
             "semantic error: invalid interval for probe '{}'", to_string(request.point))
      .hint(why);
}

int add(ProbeRequest &request, attach::Description attach) {
  request.new_probe()->attach = std::move(attach);
  return 1;
}

int elaborate_hz(ProbeRequest &request, bool on_every_cpu) {
  const ProbeComponent &hz = *request.component("hz");
  if (hz.number < 1 || hz.number > 100000) {
    bad_interval(request, hz, "a frequency is from 1 to 100000 hz");
    return 0;
  }
  const uint64_t interval_ns = ns_per_second / (uint64_t)hz.number;
  if (on_every_cpu) return add(request, attach::Profile{.interval_ns = interval_ns});
  return add(request, attach::Timer{.interval_ns = interval_ns});
}

int elaborate_timer(ProbeRequest &request) {
  const ProbeComponent &unit = request.point.components[1];
  if (unit.name == "hz") return elaborate_hz(request, false);
  if (unit.name == "profile") {
    if (request.component("hz")) return elaborate_hz(request, true);
    return add(request, attach::Profile{.interval_ns = 0});  // every tick
  }
  uint64_t scale = unit_ns(request.session, unit.name);
  int64_t limit = unit.name == "jiffies" ? max_jiffies : max_interval_ns / (int64_t)scale;
  if (unit.number < 1 || unit.number > limit) {
    bad_interval(request, unit, fmt::format("'{}' takes a number from 1 to {}", unit.name, limit));
    return 0;
  }
  attach::Timer timer{.interval_ns = (uint64_t)unit.number * scale};
  if (const ProbeComponent *random = request.component("randomize")) {
    if (random->number < 0 || random->number > unit.number) {
      bad_interval(request, *random, "'randomize' takes a number from 0 to the interval's own");
      return 0;
    }
    timer.randomize_ns = (uint64_t)random->number * scale;
  }
  return add(request, timer);
}

std::vector<std::string> timer_patterns() {
  std::vector<std::string> patterns;
  for (const char *unit : {"s", "sec", "ms", "msec", "us", "usec", "ns", "nsec", "jiffies"}) {
    patterns.push_back(fmt::format("timer.{}(number)", unit));
    patterns.push_back(patterns.back() + ".randomize(number)");
  }
  for (const char *p : {"timer.hz(number)", "timer.profile", "timer.profile.tick", "timer.profile.freq.hz(number)"})
    patterns.push_back(p);
  return patterns;
}

std::vector<ProbeFamily::Listed> list_timer(Session &, const ProbePoint &pattern, bool) {
  return {{to_string(pattern), {}}};
}

}  // namespace

const ProbeFamily timer_family = {
    .name = "timer",
    .patterns = timer_patterns(),
    .elaborate = elaborate_timer,
    .list = list_timer,
};
