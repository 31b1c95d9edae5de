// SPDX-License-Identifier: GPL-2.0-or-later
// Watchpoints: handlers that run when a few bytes of memory are written, or read or written.
//
//   kernel.data(ADDRESS | "SYMBOL") [.length(N)] .write | .rw
//   PROCESS.data(ADDRESS | "SYMBOL") [.length(N)] .write | .rw   in a process, or those that run a program
//                                                                (probes/binding.h)
#include <fmt/core.h>

#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/kernel_symbol.h"
#include "debuginfo/program_file.h"
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
bool find_kernel_variable(ProbeRequest &request, const ProbeComponent &data, attach::stap_code_place &place) {
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

bool check_address(ProbeRequest &request, const ProbeComponent &data, uint64_t address, uint64_t length) {
  if (address && address % length == 0) return true;
  request.error("bad-watch-address", data,
                !address ? "nothing can be watched at address 0"
                : data.arg == ProbeComponent::Arg::String
                    ? fmt::format("the address of '{}' is not a multiple of the length, {}", data.string, length)
                    : fmt::format("{:#x} is not a multiple of the length, {}", address, length));
  return false;
}

void add_watch(ProbeRequest &request, attach::Watch watch, const ProcessBinding &binding) {
  watch.bound = binding.is_bound;
  watch.program = binding.program;
  watch.pid = binding.pid;
  watch.start = binding.start;
  request.new_probe()->attach = watch;
}

// A variable of a program: each process may have it elsewhere, so its place is kept as the way from the program's
// entry.
int watch_variable(ProbeRequest &request, const ProbeComponent &data, attach::Watch watch) {
  int made = 0;
  for (const ProgramBinding &binding : program_bindings(request)) {
    const auto file = ProgramFile::open(binding.path);
    if (!file) continue;
    const auto address = (*file)->variable_address(data.string);
    if (!address) {
      const std::string what = fmt::format("'{}' has no variable '{}' in its symbol table", binding.path, data.string);
      Diagnostic &d = request.error("no-such-symbol", data, what);
      const std::vector<std::string> names = (*file)->variable_names();
      const std::string near = nearest_name(data.string, names);
      if (!near.empty()) d.hint("did you mean '{}'?", near);
      else if (names.empty()) d.hint("it is stripped: an address can be watched, or a copy that is not stripped");
      return 0;
    }
    if (!check_address(request, data, *address, watch.length)) return 0;
    watch.place.address = *address - (*file)->entry();
    watch.from_entry = true;
    add_watch(request, watch, binding);
    made++;
  }
  return made;
}

void warn_of_too_many(const ProbeRequest &request) {
  size_t others = 0;
  for (const DerivedProbe *probe : request.session.program.probes)
    others += std::holds_alternative<attach::Watch>(probe->attach);
  if (others == registers)
    request.session.diag.warning("too-many-watches", request.point.place,
                                 fmt::format("a processor has {} debug registers: this watchpoint and those after it "
                                             "will be refused",
                                             registers));
}

int elaborate_watch(ProbeRequest &request) {
  const ProbeComponent &data = *request.component("data");
  attach::Watch watch;
  watch.length = watched_length(request);
  if (!watch.length) return 0;
  watch.reads = request.component("rw") != nullptr;
  const bool is_named = data.arg == ProbeComponent::Arg::String;
  warn_of_too_many(request);
  if (is_named && request.component("process")) return watch_variable(request, data, watch);
  if (is_named && !find_kernel_variable(request, data, watch.place)) return 0;
  watch.place.address = is_named ? 0 : static_cast<uint64_t>(data.number);
  if (!is_named && !check_address(request, data, watch.place.address, watch.length)) return 0;
  const std::vector<ProcessBinding> bindings = process_bindings(request);
  for (const ProcessBinding &binding : bindings) add_watch(request, watch, binding);
  return static_cast<int>(bindings.size());
}

std::vector<std::string> watch_patterns() {
  std::vector<std::string> patterns;
  for (const char *space : {"kernel", "process", "process(string)", "process(number)"})
    for (const char *data : {".data(number)", ".data(string)"})
      for (const char *length : {"", ".length(number)"})
        for (const char *access : {".write", ".rw"})
          patterns.push_back(fmt::format("{}{}{}{}", space, data, length, access));
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
