// SPDX-License-Identifier: GPL-2.0-or-later
// Watchpoints: handlers that run when a few bytes of memory are written, or read or written.
//
//   kernel.data(ADDRESS | "SYMBOL") [.length(N)] .write | .rw
//   PROCESS.data(ADDRESS) [.length(N)] .write | .rw      in a process, or those that run a program (probes/binding.h)
#include <fmt/core.h>

#include "debuginfo/debuginfo.h"
#include "debuginfo/kernel_symbol.h"
#include "probes/binding.h"
#include "probes/families.h"

namespace {

constexpr int64_t longest = 8;   // that a debug register can watch
constexpr size_t registers = 4;  // of a processor

// The least length that a debug register has and that is not below the one asked for; 0 after an error.
uint64_t watched_length(ProbeRequest &request) {
  const ProbeComponent *length = request.component("length");
  if (!length) return 1;
  uint64_t rounded = 1;
  if (length->number < 1 || length->number > longest) {
    request.error("bad-watch-length", *length, fmt::format("'length' takes a number from 1 to {}", longest))
        .hint("a debug register watches 1, 2, 4 or 8 bytes");
    return 0;
  }
  while (rounded < static_cast<uint64_t>(length->number)) rounded *= 2;
  return rounded;
}

// False after an error.
bool find_symbol(ProbeRequest &request, const ProbeComponent &data, attach::stap_code_place &place) {
  Session &s = request.session;
  const Result<KernelSymbolPlace> found = find_kernel_symbol(s, data.string);
  if (!found) {
    request.error("no-such-symbol", data, fmt::format("the kernel has no symbol '{}' that can be watched", data.string))
        .hint(found.reason());
    return false;
  }
  place.offset = found->offset;
  place.binary = found->kernel;
  return true;
}

int elaborate_watch(ProbeRequest &request) {
  const ProbeComponent &data = *request.component("data");
  const uint64_t length = watched_length(request);
  if (!length) return 0;
  attach::Watch watch;
  watch.length = length;
  watch.reads = request.component("rw") != nullptr;
  if (data.arg == ProbeComponent::Arg::String) {
    if (!find_symbol(request, data, watch.place)) return 0;
  } else {
    watch.place.address = static_cast<uint64_t>(data.number);
    if (!watch.place.address || watch.place.address % length) {
      request.error("bad-watch-address", data,
                    watch.place.address
                        ? fmt::format("{:#x} is not a multiple of the length, {}", watch.place.address, length)
                        : "nothing can be watched at address 0");
      return 0;
    }
  }
  size_t others = 0;
  for (const DerivedProbe *probe : request.session.program.probes)
    others += std::holds_alternative<attach::Watch>(probe->attach);
  if (others == registers)
    request.session.diag.warning("too-many-watches", request.point.place,
                                 fmt::format("a processor has {} debug registers: this watchpoint and those after it "
                                             "will be refused",
                                             registers));
  const std::vector<ProcessBinding> bindings = process_bindings(request);
  for (const ProcessBinding &binding : bindings) {
    watch.bound = binding.is_bound;
    watch.program = binding.program;
    watch.pid = binding.pid;
    request.new_probe()->attach = watch;
  }
  return static_cast<int>(bindings.size());
}

std::vector<std::string> watch_patterns() {
  std::vector<std::string> patterns;
  for (const char *data : {"kernel.data(number)", "kernel.data(string)", "process.data(number)",
                           "process(string).data(number)", "process(number).data(number)"})
    for (const char *length : {"", ".length(number)"})
      for (const char *access : {".write", ".rw"}) patterns.push_back(fmt::format("{}{}{}", data, length, access));
  return patterns;
}

std::vector<ProbeFamily::Listed> list_watch(Session &, const ProbePoint &pattern, bool) {
  return {{to_string(pattern), {}}};
}

}  // namespace

const ProbeFamily watch_family = {
    .name = "watch",
    .patterns = watch_patterns(),
    .elaborate = elaborate_watch,
    .list = list_watch,
};
