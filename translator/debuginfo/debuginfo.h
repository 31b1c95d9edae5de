// SPDX-License-Identifier: GPL-2.0-or-later
// Debugging information of the kernel, its modules, and programs: functions, their variables, types and global
// variables.
//
// One interface for several sources. A DebugModule is one binary (the kernel, a
// module, a program or library) seen through one source (DWARF or BTF);
// everything above it speaks of functions, variables and TargetTypes only.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/session.h"
#include "debuginfo/binary.h"
#include "debuginfo/text_area.h"
#include "debuginfo/trace_events.h"
#include "debuginfo/type.h"
#include "syntax/make.h"

struct KernelBtf;

// What stops a target variable from being fetched; becomes a diagnostic, or 0 in @defined.
struct TargetError {
  std::string id;
  std::string message;
  Place place;
  std::vector<std::string> hints;
  std::vector<std::string> notes;
};

// An address of a binary: an offset from what its load rule says.
struct CodeAddress {
  std::string section;  // of a module; else ""
  uint64_t offset = 0;
  bool operator==(const CodeAddress &) const = default;
};

// A place in a function or in one inlined copy of it: its first instruction unless `is_inside`.
struct FunctionSite {
  class DebugModule *module = nullptr;
  std::string name;    // as in the source
  std::string symbol;  // of the symbol table: "foo.isra.0" ("" for an inlined copy)
  std::string file;    // below the source tree: "fs/read_write.c"
  int line = 0;        // of the declaration
  bool is_inlined = false;
  bool is_inside = false;    // somewhere else than at the first instruction
  int statement_line = 0;    // whose code begins here; 0: this is no statement
  std::string label;         // that stands here; "": this is no label
  bool is_global = false;    // visible to other objects
  bool is_exported = false;  // to modules
  std::string section;       // of a module; else ""
  uint64_t address = 0;      // in the file
  uint64_t offset = 0;       // from what the binary's load rule says
  uint64_t handle = 0;       // the source's own (a DIE offset, a BTF number), 0: no description beyond the symbol
  bool by_name = false;      // no address is known: `symbol` is looked up when the script starts
};

// What a function calls: the callee at its first instruction, and the addresses that its calls return to; an inlined
// copy of it has none.
struct Callee {
  FunctionSite site;
  std::vector<CodeAddress> returns;
};

// How to go from somewhere in a function to its caller: the canonical frame address, which is the stack pointer behind
// the call, is `offset` from a register; the return address is below it; and the caller's frame pointer is either still
// in its register or so far from the canonical frame address.
struct FrameRule {
  uint32_t base = 0;  // DWARF's number of the stack or the frame register
  int64_t offset = 0;
  std::optional<int64_t> saved_frame_register;
  bool operator==(const FrameRule &) const = default;
};

// Where a value is: an address, or the value itself. Null expr: not available, because of `reason`; but it may be in
// pieces, or be a pointer that does not exist to an object that does.
struct TargetLocation {
  Expr *expr = nullptr;
  bool is_address = false;
  std::string reason;
  bool is_per_cpu = false;  // the address is a pointer to a per-CPU variable: each CPU's copy is elsewhere
  // The parts of the object one after another, each somewhere else, or nowhere (null expr).
  struct Piece {
    uint64_t bits = 0;
    Expr *expr = nullptr;
    bool is_address = false;
  };
  std::vector<Piece> pieces = {};
  // What the pointer would point into, and where in it.
  std::shared_ptr<TargetLocation> object = nullptr;
  uint64_t object_offset = 0;
};

struct TargetVariable {
  std::string name;
  const TargetType *type = nullptr;
  bool is_parameter = false;
  bool is_global = false;
  uint64_t handle = 0;
  uint64_t order = 0;  // of declaration
};

struct LineRange {
  int first = 0, last = 0;
};

// func[@file[:lines|+lines|:*]], function and file with wildcards. Lines after '+' count from the function's
// declaration.
struct FunctionPattern {
  std::string function;
  std::string file;  // "" for any
  enum class Line : uint8_t { None, Absolute, Relative, Any } line_kind = Line::None;
  std::vector<LineRange> lines;  // of an absolute or relative pattern, as written
  // Does a source path match? An implicit "*/" stands before the pattern.
  bool matches_file(const std::string &path) const;
  // Does a function declared at `declared` and ending at end() reach over a line that is asked for?
  bool holds_line(int declared, const std::function<int()> &end) const;
  // Is a line of a function declared at `declared` one of those that are asked for?
  bool wants_line(int declared, int line) const;
};

// Parses the argument of .function() and .statement().
Result<FunctionPattern> parse_function_pattern(const std::string &text);

// Functions that match a pattern but are not given, and why.
struct Refusals {
  // Why functions of an area are not wanted, as words that follow a function's name; null when they are.
  using AreaPolicy = const char *(*)(const TargetBinary &binary, TextArea area);
  struct Refusal {
    std::string function, reason;  // "start_kernel", "is freed after boot (.init)"
    std::string sentence() const { return "'" + function + "' " + reason; }
  };
  AreaPolicy policy = nullptr;  // null: those of every area are wanted
  std::vector<Refusal> list;

  const char *of_area(const TargetBinary &binary, TextArea area) const {
    return policy ? policy(binary, area) : nullptr;
  }
  void add(std::string_view function, std::string_view reason) {
    list.push_back({std::string(function), std::string(reason)});
  }
};

class DebugModule : public TypeSource {
 public:
  const TargetBinary &binary() const { return binary_; }
  AddressSpace address_space() const override { return binary_.address_space(); }

  // Does it know inlined copies, local and global variables, files and lines? BTF does not.
  virtual bool has_places() const { return true; }

  // Why it knows less of the function than its source says, as a sentence; "" when it knows all that debuginfo can
  // tell.
  virtual std::string why_undescribed(const FunctionSite &) {
    return "only BTF is there, which has functions' parameters and types; other variables need debuginfo (DWARF)";
  }

  // OneCopy: of the inlined copies of a function, one is enough. Parts: with pieces that the compiler split off
  // (.part.N).
  // AfterPrologue: in unoptimised code, where parameters are where DWARF has them, and not the first instruction.
  enum Kinds : unsigned { Calls = 1, Inlines = 2, OneCopy = 4, Parts = 8, AfterPrologue = 16 };
  // Functions matching the pattern. `refused` gets a sentence for each match that is not wanted or whose place is not
  // known; inlined copies of an unwanted area are left out without one.
  virtual std::vector<FunctionSite> functions(const FunctionPattern &pattern, unsigned kinds, Refusals &refused) = 0;
  // Where the code of the pattern's lines begins: one place for each line in each function and inlined copy that
  // matches. A line whose code is in several pieces begins at the first of them, and the part of a function that is its
  // entry comes before those that were split off. The pattern has lines. Without places there are none.
  virtual std::vector<FunctionSite> statements(const FunctionPattern &, unsigned /* kinds */, Refusals &) { return {}; }
  // The statement that begins at an address of the file; in a module, at an offset of its section .text. Fails with the
  // reason, words that follow the address.
  virtual Result<FunctionSite> statement_at(uint64_t /* address */, Refusals &) {
    return Failure{"can't be checked: only debuginfo (DWARF) says where statements begin"};
  }
  // The labels whose names match, in a function or inlined copy that functions() gave.
  virtual std::vector<FunctionSite> labels(const FunctionSite &, const std::string & /* pattern */) { return {}; }
  // Its trace events that are of a tracepoint; none when they are not known.
  virtual const std::vector<TraceEvent> &trace_events();
  // What the function or inlined copy calls itself and is known by name, where the name matches, and the copies that
  // were inlined into it. `refused` gets calls whose callee does not return to the function. Of `kinds` AfterPrologue
  // counts.
  virtual std::vector<Callee> callees(const FunctionSite &, const std::string & /* pattern */, unsigned /* kinds */,
                                      Refusals &) {
    return {};
  }
  // At an address of a program or library, by its call frame information; none where that is too complicated.
  virtual std::optional<FrameRule> frame_at(uint64_t /* address */) { return std::nullopt; }
  // Finds what binary().anchors has. Of a module only.
  virtual void find_anchors() {}
  // Names for suggestions. Those of types ("task_struct") and of file-scope variables are empty when collecting them
  // would take long.
  virtual std::vector<std::string> function_names() = 0;
  virtual std::vector<std::string> type_names() { return {}; }
  virtual std::vector<std::string> variable_names() { return {}; }
  // Parameters in order, then the locals whose scope holds the site's address.
  virtual std::vector<TargetVariable> variables(const FunctionSite &site) = 0;
  // Where the variable is at the site's address. Nodes are new ones.
  virtual TargetLocation locate(Session &s, const FunctionSite &site, const TargetVariable &variable,
                                const Place &place) = 0;
  // What the function returns; null when void or not known.
  virtual const TargetType *return_type(const FunctionSite &site) = 0;
  // The value of an enumeration's constant.
  virtual std::optional<int64_t> find_enumerator(const std::string &name) = 0;
  // A file-scope variable of the compilation unit that holds the site (null: of any), defined in a file matching
  // `file`.
  virtual std::optional<TargetVariable> find_global(const std::string &variable, const std::string &file,
                                                    const FunctionSite *site) = 0;

 protected:
  explicit DebugModule(TargetBinary binary) : binary_(std::move(binary)) {}
  TargetBinary binary_;
};

class DebugInfoSet {
 public:
  explicit DebugInfoSet(Session &s);
  ~DebugInfoSet();
  // The BTF of the kernel (module ""), or of a module, whatever else there is.
  Result<DebugModule *> btf(const std::string &module = "");
  // The kernel (name "" or "kernel"), a module by name or path, or a program by path; null when there is no debuginfo,
  // after an error[no-debuginfo] at `place` unless that is empty.
  DebugModule *module(const std::string &name, const Place &place);
  // A program or library by its path, with or without debuginfo: its symbols tell of functions too. Null when it can't
  // be read or has none of them, after an error[no-debuginfo] at `place` unless that is empty.
  DebugModule *program(const std::string &path, const Place &place);
  // The same module with files, lines, locals and inlined copies: itself when it has them, else what the servers in
  // DEBUGINFOD_URLS have. Null when it can't be had.
  DebugModule *with_places(DebugModule &module);
  // The types of headers, "<a.h><b.h>" or "kernel<a.h>": a file that includes them is compiled, once.
  Result<DebugModule *> headers(const std::string &list);
  // Reports error[no-such-module] when the kernel has no module of that name or pattern; false when it does, or none
  // are known.
  bool report_no_module(const std::string &pattern, const Place &place);
  // Does the kernel itself have a function of that name? Nothing when its symbol table can't be read.
  std::optional<bool> kernel_has_function(const std::string &name);
  // Names of modules with debuginfo matching a wildcard.
  std::vector<std::string> module_names(const std::string &pattern);
  // Makes the script check that the running kernel or module is the one described here, and find the module's sections
  // when it is loaded later.
  void require(Session &s, DebugModule &module);
  // Why the servers didn't help; "" when they were not asked.
  const std::string &fetch_error() const { return fetch_error_; }
  // The debuginfo set of a session, made when first asked for.
  static DebugInfoSet &of(Session &s);

 private:
  Session &session_;
  Result<std::unique_ptr<DebugModule>> open(const TargetBinary &wanted);
  Result<std::unique_ptr<DebugModule>> open_file(const TargetBinary &wanted);
  Result<std::unique_ptr<DebugModule>> open_btf(const TargetBinary &binary);
  Result<std::unique_ptr<DebugModule>> open_headers(const std::string &list);
  const Result<std::shared_ptr<KernelBtf>> &kernel_btf();
  std::map<std::string, Result<std::unique_ptr<DebugModule>>> modules_;
  std::map<std::string, std::unique_ptr<DebugModule>> stripped_;     // programs without DWARF; null: no symbols either
  std::optional<Result<std::shared_ptr<KernelBtf>>> kernel_btf_;     // once it was looked for
  std::map<std::string, Result<std::unique_ptr<DebugModule>>> btf_;  // where DWARF is what module() gives
  std::string fetch_error_;
  std::map<std::string, std::unique_ptr<DebugModule>> fetched_;  // null: can't be had
  std::map<std::string, Result<std::unique_ptr<DebugModule>>> headers_;
};

// The pointer to a per-CPU variable of the kernel, by its distance from this_cpu_off, which is one that modules may
// use: the pointers are addresses since kernel 6.15, and were offsets from 0 before.
Expr *per_cpu_pointer(const NodeFactory &make, uint64_t distance);

// How to get DWARF for the kernel, a module or a program.
std::vector<std::string> debuginfo_hints(Session &s, const TargetBinary &binary = {});

// Index in s.program.symbols of a place in a binary, added when new. The binary must live as long as the session.
uint32_t symbol_reference(Session &s, const TargetBinary &binary, const std::string &section, uint64_t offset);
