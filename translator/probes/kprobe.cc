// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel code by its symbol or address, without debuginfo: the running kernel looks it up when the script starts.
//
//   kprobe.function(NAME) [.call | .return [.maxactive(N)]]
//   kprobe.module(MODULE).function(NAME) [.call | .return [.maxactive(N)]]
//   kprobe.statement(ADDRESS).absolute      in guru mode; also called kernel.statement(ADDRESS).absolute
//
// There are no target variables: a handler reads arguments as the ABI has them (tapsets/registers.stp).
#include <fmt/core.h>

#include "base/glob.h"
#include "debuginfo/debuginfo.h"
#include "probes/families.h"
#include "probes/max_active.h"

namespace {

// What the kernel is asked for: "vfs_read", or "veth:veth_xmit". Empty after an error.
std::string symbol_of(const ProbeRequest &request) {
  const ProbeComponent *module = request.component("module"), &function = *request.component("function");
  for (const ProbeComponent *name : {module, &function})
    if (name && (name->string.empty() || has_wildcard(name->string) || name->string.find(':') != name->string.npos)) {
      Diagnostic &d =
          request.session.diag.error("bad-kprobe-name", name->place, "semantic error: '{}' is not the name of a {}",
                                     name->string, name == module ? "module" : "function");
      if (module) d.hint("module(\"{}\").function(\"{}\") takes wildcards", module->string, function.string);
      else d.hint("kernel.function(\"{}\") takes wildcards", function.string);
      return "";
    }
  return (module ? module->string + ":" : "") + function.string;
}

// A library's alias says on what kernels it works; a script's own kprobe may well be for another kernel, and is looked
// up when the script starts.
bool is_known_to_be_missing(const ProbeRequest &request, const std::string &symbol) {
  const ProbePoint &point = request.point;
  if (request.component("module") || !point.place.file || !point.place.file->is_tapset) return false;
  if (DebugInfoSet::of(request.session).kernel_has_function(symbol) != false) return false;
  request.session.diag.error("no-such-syscall", point.place, "semantic error: the kernel has no function '{}'", symbol)
      .hint("the system call came with a later kernel, or this one was configured without it");
  return true;
}

int elaborate_kprobe(ProbeRequest &request) {
  const std::string symbol = symbol_of(request);
  uint64_t max_active = 0;
  if (symbol.empty() || is_known_to_be_missing(request, symbol) ||
      !read_max_active(request.session, request.point, max_active))
    return 0;
  DerivedProbe *probe = request.new_probe();
  probe->function = request.component("function")->string;
  attach::stap_code_place place;
  place.symbol = symbol;
  if (const ProbeComponent *module = request.component("module")) place.module = module->string;
  if (request.component("return")) probe->attach = attach::Return{.place = place, .max_active = max_active};
  else probe->attach = attach::Function{.place = place};
  return 1;
}

int elaborate_absolute(ProbeRequest &request) {
  const ProbeComponent &statement = *request.component("statement");
  if (!request.session.options.guru) {
    request.session.diag
        .error("absolute-needs-guru", statement.place, "semantic error: a probe at an absolute address needs guru mode")
        .hint("-g: nothing can check that an instruction begins there");
    return 0;
  }
  attach::stap_code_place place;
  place.address = static_cast<uint64_t>(statement.number);
  request.new_probe()->attach = attach::Function{.place = place};
  return 1;
}

int elaborate(ProbeRequest &request) {
  return request.component("statement") ? elaborate_absolute(request) : elaborate_kprobe(request);
}

std::vector<std::string> kprobe_patterns() {
  std::vector<std::string> patterns = {"kprobe.statement(number).absolute", "kernel.statement(number).absolute"};
  for (const char *what : {"kprobe.function(string)", "kprobe.module(string).function(string)"})
    for (const char *suffix : {"", ".call", ".return", ".return.maxactive(number)"})
      patterns.push_back(fmt::format("{}{}", what, suffix));
  return patterns;
}

std::vector<ProbeFamily::Listed> list_kprobe(Session &, const ProbePoint &pattern, bool) {
  return {{to_string(pattern), {}}};
}

}  // namespace

const ProbeFamily kprobe_family = {
    .name = "kprobe",
    .patterns = kprobe_patterns(),
    .elaborate = elaborate,
    .list = list_kprobe,
};
