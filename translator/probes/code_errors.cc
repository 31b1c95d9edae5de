// SPDX-License-Identifier: GPL-2.0-or-later
// Probe points on code that match nothing: why, and what was perhaps meant.
#include <algorithm>
#include <fmt/core.h>
#include <set>

#include "arch/arch.h"
#include "base/glob.h"
#include "probes/code.h"

namespace {

constexpr size_t most_hints = 5;

// "vfs_read@fs/read_write.c:450": where functions of that name are, when the pattern asks for another file or line.
std::vector<std::string> other_places(DebugModule &module, const CodeRequest &request, const CodeScope &scope) {
  std::vector<std::string> places;
  Refusals ignored{.policy = scope.policy, .list = {}};
  FunctionPattern anywhere;
  anywhere.function = request.pattern.function;
  for (const FunctionSite &site : module.functions(anywhere, request.kinds | DebugModule::OneCopy, ignored)) {
    const std::string place = fmt::format("{}@{}:{}", site.name, site.file, site.line);
    if (!site.file.empty() && std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  }
  return places;
}

// False when no function of the name is anywhere.
bool explain_place(Diagnostic &d, const CodeRequest &request, const CodeScope &scope) {
  std::vector<std::string> places;
  for (DebugModule *module : scope.modules)
    for (std::string &place : other_places(*module, request, scope)) places.push_back(std::move(place));
  if (places.empty()) return false;
  for (size_t i = 0; i < places.size() && i < most_hints; i++) d.hint("there is " + places[i]);
  if (places.size() > most_hints) d.hint("and {} more", places.size() - most_hints);
  return true;
}

// What there is instead of DWARF, and what it does not have.
void note_what_is_there(Session &s, Diagnostic &d, const CodeScope &scope, const char *of_btf) {
  const TargetBinary &binary = scope.modules[0]->binary();
  d.note(binary.is_file() ? "it is stripped: only the functions that its symbols name are known" : of_btf);
  if (!binary.is_file()) return;
  for (const std::string &hint : debuginfo_hints(s, binary)) d.hint(hint);
}

void report_needs_dwarf(Session &s, const CodeRequest &request, const CodeScope &scope) {
  const char *what = request.wants_only_inlines() ? "inlined copies of a function need"
                     : !request.label.empty()     ? "a function's labels need"
                     : !request.callee.empty()    ? "the functions that a function calls need"
                     : request.address            ? "the statement at an address needs"
                                                  : "a function's file and line need";
  Diagnostic &d = s.diag.error("needs-dwarf", request.place, "semantic error: {} debuginfo (DWARF)", what);
  note_what_is_there(s, d, scope, "only BTF is there, which has functions' names, parameters and types");
  if (!scope.modules[0]->binary().is_file())
    for (const std::string &hint : debuginfo_hints(s)) d.hint(hint);
}

// The lines with code before and behind the first line that is asked for, of each function that matches. False when no
// function does.
bool report_no_line(Session &s, const CodeRequest &request, const CodeScope &scope) {
  Refusals ignored{.policy = scope.policy, .list = {}};
  std::vector<FunctionSite> all;
  for (DebugModule *module : scope.modules)
    for (FunctionSite &site : all_statements(*module, request, ignored)) all.push_back(std::move(site));
  if (all.empty()) return false;
  Diagnostic &d =
      s.diag.error("no-code-at-line", request.place,
                   "semantic error: no code of {} begins at a line that '{}' asks for", scope.words, request.text);
  if (request.pattern.lines.empty()) return true;
  const bool is_relative = request.pattern.line_kind == FunctionPattern::Line::Relative;
  std::map<std::string, std::set<int>> lines;  // of each file
  for (const FunctionSite &site : all) lines[site.file].insert(site.statement_line);
  const int wanted = request.pattern.lines.front().first + (is_relative ? all.front().line : 0);
  size_t hints = 0;
  for (const auto &[file, with_code] : lines) {
    if (hints++ == most_hints) break;
    auto after = with_code.lower_bound(wanted);
    std::string near = after == with_code.begin() ? "" : std::to_string(*std::prev(after));
    if (after != with_code.end()) near += (near.empty() ? "" : " and ") + std::to_string(*after);
    d.hint("the nearest lines of {} with code: {}", file, near);
  }
  d.hint(".nearest takes the nearest line");
  return true;
}

bool report_no_label(Session &s, const CodeRequest &request, const CodeScope &scope) {
  CodeRequest any_label = request;
  any_label.label = "*";
  Refusals ignored{.policy = scope.policy, .list = {}};
  std::vector<std::string> names;
  bool is_function = false;
  for (DebugModule *module : scope.modules) {
    is_function |= !module->functions(request.pattern, request.kinds, ignored).empty();
    for (const CodeSite &code : code_sites(s, *module, any_label, true, ignored)) names.push_back(code.site.label);
  }
  if (!is_function) return false;
  Diagnostic &d = s.diag.error("no-such-label", request.place, "semantic error: '{}' has no label matching '{}'",
                               request.text, request.label);
  const std::string near = nearest_name(request.label, names);
  if (!near.empty()) d.hint("did you mean '{}'?", near);
  else if (names.empty()) d.note("it has no label at all, or the compiler dropped it");
  return true;
}

bool report_no_callee(Session &s, const CodeRequest &request, const CodeScope &scope, const Refusals &refused) {
  CodeRequest any_callee = request;
  any_callee.callee = "*";
  any_callee.kinds = DebugModule::Calls | DebugModule::Inlines;
  Refusals ignored{.policy = scope.policy, .list = {}};
  std::vector<std::string> names;
  bool is_function = false;
  for (DebugModule *module : scope.modules) {
    is_function |= !module->functions(request.pattern, any_callee.kinds, ignored).empty();
    for (const CodeSite &code : callee_sites(s, *module, any_callee, ignored)) names.push_back(code.site.name);
  }
  if (!is_function) return false;
  Diagnostic &d = s.diag.error("no-such-callee", request.place, "semantic error: '{}' calls nothing that matches '{}'",
                               request.text, request.callee);
  for (size_t i = 0; i < refused.list.size() && i < most_hints; i++) d.note(refused.list[i].sentence());
  const std::string near = nearest_name(request.callee, names);
  if (!near.empty()) d.hint("did you mean '{}'?", near);
  else
    d.note(
        "calls through pointers, and of functions in other binaries, are not known; nor are those of code that was "
        "compiled without optimisation");
  return true;
}

// What may have been meant by a name that no function has.
void suggest_name(Session &s, Diagnostic &d, const CodeRequest &request, const CodeScope &scope) {
  const FunctionPattern &pattern = request.pattern;
  Refusals ignored{.policy = scope.policy, .list = {}};
  bool may_be_inlined = !(request.kinds & DebugModule::Inlines) && request.names_one();
  for (DebugModule *module : scope.modules)
    if (may_be_inlined && !module->functions(pattern, DebugModule::Inlines, ignored).empty()) {
      d.hint("it is inlined wherever it is called; .inline probes the copies" +
             std::string(request.is_return ? ", which have no return point" : ""));
      return;
    }
  // What is called sys_open in the source is the architecture's function that calls it.
  if (pattern.function.starts_with("sys_") && scope.is_kernel) {
    FunctionPattern system_call;
    system_call.function = arch_of(s).system_call_prefix + pattern.function;
    for (DebugModule *module : scope.modules)
      if (!module->functions(system_call, DebugModule::Calls, ignored).empty()) {
        d.hint("did you mean '{}'?", system_call.function);
        return;
      }
  }
  if (request.names_one() && scope.elsewhere) {
    const std::vector<std::string> points = scope.elsewhere(pattern.function);
    for (const std::string &point : points) d.hint("there is {}{}", point, request.suffix);
    if (!points.empty()) return;
  }
  for (DebugModule *module : scope.modules) {
    std::string near = nearest_name(pattern.function, module->function_names());
    if (near.empty() || near == pattern.function) continue;
    d.hint("did you mean '{}'?", near);
    return;
  }
}

}  // namespace

void report_no_code(Session &s, const CodeRequest &request, const CodeScope &scope, const Refusals &refused) {
  const std::vector<DebugModule *> &modules = scope.modules;
  bool without_places = std::any_of(modules.begin(), modules.end(), [](DebugModule *m) { return !m->has_places(); });
  if (without_places && request.needs_places()) return report_needs_dwarf(s, request, scope);
  if (request.address) {
    Diagnostic &d = s.diag.error("bad-statement-address", request.place,
                                 "semantic error: no statement of {} begins at {}", scope.words, request.text);
    for (const Refusals::Refusal &refusal : refused.list) d.note(refusal.function + " " + refusal.reason);
    d.hint("an address of the running kernel takes .absolute, in guru mode (-g)");
    return;
  }
  if (!request.callee.empty() && report_no_callee(s, request, scope, refused)) return;
  if (!refused.list.empty()) {
    Diagnostic &d = s.diag.error("unprobeable-function", request.place,
                                 "semantic error: no function matching '{}' can be probed", request.text);
    for (size_t i = 0; i < refused.list.size() && i < most_hints; i++) d.note(refused.list[i].sentence());
    return;
  }
  if (!request.label.empty() && report_no_label(s, request, scope)) return;
  const bool has_line = request.pattern.line_kind != FunctionPattern::Line::None;
  if (request.is_statement && has_line && report_no_line(s, request, scope)) return;
  const char *what = request.wants_only_inlines() ? "no inlined function"
                     : request.exported_only      ? "no exported function"
                                                  : "no function";
  Diagnostic &d = s.diag.error("no-such-function", request.place, "semantic error: {} in {} matches '{}'", what,
                               scope.words, request.text);
  if (without_places)
    note_what_is_there(s, d, scope,
                       "only BTF is there; inlined copies, and functions BTF leaves out, need debuginfo (DWARF)");
  if (!request.pattern.file.empty() && explain_place(d, request, scope)) return;
  suggest_name(s, d, request, scope);
}
