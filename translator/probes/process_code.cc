// SPDX-License-Identifier: GPL-2.0-or-later
// Code of programs and libraries: handlers that run where a process comes to a function, its return, or a line.
//
//   process("PATH").function(PATTERN)  [.call | .inline | .exported | .return [.maxactive(N)] | .label(NAME)]
//   process("PATH").statement(PATTERN) [.nearest]
//   process("PATH").function(PATTERN)  [.callee(NAME) [.call | .return [.maxactive(N)]] | .callees [(N)]]
//   process("PATH").statement(ADDRESS)      one of the file
//   process(PID).statement(ADDRESS).absolute    one of the process's memory
//   process("PATH").library("NAME").function(PATTERN) ...
//
// Instead of a path process() takes a program's name in PATH, a path with wildcards, a build-id, or a process's number;
// process alone is the target of -c or -x (probes/program.h).
#include <fmt/core.h>
#include <map>

#include "debuginfo/program_file.h"
#include "probes/code.h"
#include "probes/elsewhere.h"
#include "probes/families.h"
#include "probes/program.h"

namespace {

// The files of a request, by their paths: several probes of a wildcard are in one.
struct Programs {
  std::map<std::string, ProgramUse> uses;
  std::map<std::string, std::unique_ptr<ProgramFile>> files;
  std::map<std::string, Unwinder> unwinders;  // of return probes
};

attach::Description attach_description(const Programs &programs, const CodeRequest &request, const FunctionSite &site) {
  const std::string &path = site.module->binary().path;
  const attach::stap_file_place place = place_in(programs.uses.at(path), *programs.files.at(path), site.offset);
  if (!request.is_return) return attach::Uprobe{.place = place};
  const Unwinder &unwinder = programs.unwinders.at(path);
  return attach::Uretprobe{
      .place = place, .max_active = request.max_active, .raise = unwinder.raise, .rethrow = unwinder.rethrow};
}

// False after reporting an error.
bool read_request(Session &s, const ProbePoint &point, CodeRequest &request) {
  if (!read_code_request(s, point, request)) return false;
  // The kernel follows a call from the first instruction, which finds the return address at the stack pointer.
  if (!request.is_return) request.kinds |= DebugModule::AfterPrologue;
  return true;
}

bool is_absolute(const ProbePoint &point) { return point.components.back().name == "absolute"; }

// The file that a process has mapped at an address of its memory, and what address that is in the file, which is left
// in the request.
std::vector<ProgramUse> find_mapped(Session &s, const ProbePoint &point, CodeRequest &request, bool is_quiet) {
  const int64_t pid = point.components[0].number;
  Result<MappedPlace> found = mapped_place(pid, *request.address);
  if (!found) {
    if (!is_quiet)
      s.diag.error("bad-absolute-address", request.place, "semantic error: process {} has {} at {}", pid,
                   found.reason(), request.text);
    return {};
  }
  s.looked_at.insert(found->path);
  request.address = found->address;
  return {{.path = found->path, .executable = "", .pid = pid, .point = fmt::format("process({})", pid)}};
}

CodeScope scope_of(Session &s, const ProbePoint &point, CodeRequest &request, bool is_quiet) {
  CodeScope scope;
  if (!is_quiet && !require_uprobes(s, request.place)) return scope;
  auto programs = std::make_shared<Programs>();
  for (ProgramUse &use :
       is_absolute(point) ? find_mapped(s, point, request, is_quiet) : find_programs(s, point, is_quiet)) {
    DebugModule *module = DebugInfoSet::of(s).program(use.path, is_quiet ? Place{} : request.place);
    auto file = ProgramFile::open(use.path);
    if (!module || !file) continue;
    scope.words = scope.words.empty() ? fmt::format("'{}'", use.path) : "these files";
    scope.modules.push_back(module);
    if (request.is_return) {
      Unwinder &unwinder = programs->unwinders[use.path];
      unwinder = find_unwinder(use);
      if (unwinder.raise.path.empty() && (*file)->has_landing_pads() && !is_quiet)
        s.diag.warning("unwinder-not-found", request.place,
                       "an exception that leaves a function whose return is probed would end the process: where its "
                       "unwinder begins is not known");
    }
    programs->files.emplace(use.path, std::move(*file));
    programs->uses.emplace(use.path, std::move(use));
  }
  scope.point = [programs](const TargetBinary &binary) { return programs->uses.at(binary.path).point; };
  scope.elsewhere = [programs](const std::string &function) {
    std::vector<std::string> points;
    for (const auto &[path, use] : programs->uses)
      if (use.executable.empty())
        for (std::string &point : other_libraries(path, use.point, function, 1)) points.push_back(std::move(point));
    return points;
  };
  scope.attach = [programs](const CodeRequest &asked, const FunctionSite &site) {
    return attach_description(*programs, asked, site);
  };
  return scope;
}

int elaborate(ProbeRequest &request) {
  CodeRequest code;
  if (!read_request(request.session, request.point, code)) return 0;
  const bool is_quiet = request.point.optional || request.point.sufficient;
  const CodeScope scope = scope_of(request.session, request.point, code, is_quiet);
  return elaborate_code(request, code, scope);
}

std::vector<ProbeFamily::Listed> list(Session &s, const ProbePoint &point, bool with_variables) {
  CodeRequest code;
  if (!read_request(s, point, code)) return {};
  const CodeScope scope = scope_of(s, point, code, point.optional);
  return list_code(s, point, code, scope, with_variables);
}

std::vector<std::string> patterns() {
  std::vector<std::string> all;
  for (const char *process : {"process", "process(string)", "process(number)"})
    for (const char *library : {"", ".library(string)"})
      for (const char *code :
           {".function(string)", ".function(string).call", ".function(string).inline", ".function(string).exported",
            ".function(string).return", ".function(string).return.maxactive(number)", ".function(string).label(string)",
            ".function(string).callee(string)", ".function(string).callee(string).call",
            ".function(string).callee(string).return", ".function(string).callee(string).return.maxactive(number)",
            ".function(string).callees", ".function(string).callees(number)", ".statement(string)",
            ".statement(string).nearest", ".statement(number)", ".statement(number).absolute"})
        all.push_back(fmt::format("{}{}{}", process, library, code));
  return all;
}

}  // namespace

const ProbeFamily process_code_family = {
    .name = "process",
    .patterns = patterns(),
    .elaborate = elaborate,
    .target_context = code_context,
    .list = list,
    .listed_by = "function",
};
