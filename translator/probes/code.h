// SPDX-License-Identifier: GPL-2.0-or-later
// Probe points on code, .function(...) and .statement(...) of whatever binary: from what a script writes to sites.
//
// A family says in which binaries to look and how a site is attached (CodeScope);
// everything else is the same for the kernel, its modules, and programs.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "debuginfo/debuginfo.h"
#include "sema/match.h"

// What a probe point asks for, read from its components.
struct CodeRequest {
  bool is_statement = false;
  FunctionPattern pattern;
  std::optional<uint64_t> address;  // of .statement(ADDRESS), instead of a pattern
  std::string text;                 // the pattern or address as written
  unsigned kinds = DebugModule::Calls | DebugModule::Inlines;
  bool is_return = false, exported_only = false;
  bool nearest = false;      // a line without code stands for the nearest that has some
  std::string label;         // a pattern; "": no label is asked for
  std::string callee;        // a pattern; "": the functions themselves are asked for, not what they call
  int64_t callee_depth = 1;  // 2: what the callees call too, and so on
  uint64_t max_active = 0;   // 0: the host's default
  std::string suffix;        // ".return.maxactive(5)", kept in the resolved point
  Place place;               // of .function(...) or .statement(...)

  bool wants_only_inlines() const { return !(kinds & DebugModule::Calls); }
  // Is something asked for that BTF does not know, whatever matches?
  bool needs_places() const;
  // One function by its name, and not whatever matches a wildcard.
  bool names_one() const;
};

// The binaries in which a family looks for code.
struct CodeScope {
  std::string words;  // "the kernel", "module 'veth'"
  bool is_kernel = false;
  std::vector<DebugModule *> modules;
  Refusals::AreaPolicy policy = nullptr;
  // "kernel", "module("veth")": what stands before .function(...) of a site of this binary.
  std::function<std::string(const TargetBinary &binary)> point;
  std::function<attach::Description(const CodeRequest &request, const FunctionSite &site)> attach;
  // Probe points that have a function of this exact name elsewhere, for an error's hints. Null: nothing is proposed.
  std::function<std::vector<std::string>(const std::string &function)> elsewhere = nullptr;
};

// Reads what follows the binary in a probe point. False after reporting an error.
bool read_code_request(Session &s, const ProbePoint &point, CodeRequest &request);

// Makes the derived probes. Reports that nothing was found unless the point is optional.
int elaborate_code(ProbeRequest &probe_request, const CodeRequest &request, const CodeScope &scope);
// Where the target variables of such a probe are looked up.
TargetContext code_context(const DerivedProbe &probe);
// What -l and -L print.
std::vector<ProbeFamily::Listed> list_code(Session &s, const ProbePoint &point, const CodeRequest &request,
                                           const CodeScope &scope, bool with_variables);

// A site, and for a callee the calls that lead to it, the last one first: the addresses that each may return to.
struct CodeSite {
  FunctionSite site;
  std::vector<std::vector<CodeAddress>> calls;
  std::string callee_of;  // the function whose callee it is, as a probe point has it: "vfs_read@fs/read_write.c:450"
};
// The callees that a request asks for, of the functions that match (callees.cc).
std::vector<CodeSite> callee_sites(Session &s, DebugModule &module, const CodeRequest &request, Refusals &refused);
// Makes the handler run only when the calls led to the site. False: how the callers' frames lie is not known.
bool require_calls(Session &s, DerivedProbe &probe, const CodeRequest &request, const CodeSite &site);

// Did the calls lead to the site of a program? An expression for its handler (program_callees.cc); null: the layout of
// a frame on the way is not known.
Expr *called_in_program(Session &s, const Place &place, bool at_return, const CodeSite &site);

// The sites of a module, and what was refused among them. `one_copy`: of the inlined copies of a function one is
// enough.
std::vector<CodeSite> code_sites(Session &s, DebugModule &module, const CodeRequest &request, bool one_copy,
                                 Refusals &refused);
// The same for lines: every line with code in the functions that match, whatever lines are asked for.
std::vector<FunctionSite> all_statements(DebugModule &module, const CodeRequest &request, Refusals &refused);
// "kernel.function("vfs_read@fs/read_write.c:450").return"
std::string code_point(const CodeRequest &request, const CodeScope &scope, const FunctionSite &site);
// Says why nothing was found (code_errors.cc).
void report_no_code(Session &s, const CodeRequest &request, const CodeScope &scope, const Refusals &refused);
