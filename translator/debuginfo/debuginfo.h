// SPDX-License-Identifier: GPL-2.0-or-later
// Debugging information of the kernel and its modules: functions, their variables, types and global variables.
//
// One interface for several sources. A DebugModule is the kernel or one module
// seen through one source (DWARF or BTF); everything above it speaks of
// functions, variables and TargetTypes only.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/session.h"
#include "debuginfo/binary.h"
#include "debuginfo/type.h"
#include "syntax/ast.h"

struct KernelBtf;

// What stops a target variable from being fetched; becomes a diagnostic, or 0 in @defined.
struct TargetError {
  std::string id;
  std::string message;
  Place place;
  std::vector<std::string> hints;
  std::vector<std::string> notes;
};

// A function, or one inlined copy of it, at the address where a probe goes.
struct FunctionSite {
  class DebugModule *module = nullptr;
  std::string name;    // as in the source
  std::string symbol;  // of the symbol table: "foo.isra.0" ("" for an inlined copy)
  std::string file;    // below the source tree: "fs/read_write.c"
  int line = 0;        // of the declaration
  bool is_inlined = false;
  bool is_global = false;    // visible to other objects
  bool is_exported = false;  // to modules
  std::string section;       // of a module; "" in the kernel
  uint64_t address = 0;      // in the file
  uint64_t offset = 0;       // from _stext or from the section's start
  uint64_t handle = 0;       // the source's own (a DIE offset, a BTF number), 0: no description beyond the symbol
  bool by_name = false;      // no address is known: `symbol` is looked up when the script starts
};

// Where a value is: an address, or the value itself. Null expr: not available, because of `reason`.
struct TargetLocation {
  Expr *expr = nullptr;
  bool is_address = false;
  std::string reason;
};

struct TargetVariable {
  std::string name;
  const TargetType *type = nullptr;
  bool is_parameter = false;
  bool is_global = false;
  uint64_t handle = 0;
  uint64_t order = 0;  // of declaration
};

// func[@file[:line|+offset|:*]], each with wildcards.
struct FunctionPattern {
  std::string function;
  std::string file;  // "" for any
  enum class Line : uint8_t { None, Absolute, Relative, Any } line_kind = Line::None;
  int line = 0, last_line = 0;
  // Does a source path match? An implicit "*/" stands before the pattern.
  bool matches_file(const std::string &path) const;
  // Does a function declared at `declared` and ending at end() reach over a line that is asked for?
  bool holds_line(int declared, const std::function<int()> &end) const;
};

// Parses the argument of .function(); false with a message when it can't be meant.
bool parse_function_pattern(const std::string &text, FunctionPattern &pattern, std::string &message);

class DebugModule : public TypeSource {
 public:
  std::string name;  // "" is the kernel
  std::string path;  // of the file read
  std::vector<uint8_t> build_id;
  uint64_t notes_offset = 0;  // of the kernel's build-id note, from _stext

  // Does it know inlined copies, local and global variables, files and lines? BTF does not.
  virtual bool has_places() const { return true; }

  // OneCopy: of the inlined copies of a function, one is enough.
  enum Kinds : unsigned { Calls = 1, Inlines = 2, OneCopy = 4 };
  // Functions matching the pattern that can be probed. `refused` gets a sentence for each match that can't.
  virtual std::vector<FunctionSite> functions(const FunctionPattern &pattern, unsigned kinds,
                                              std::vector<std::string> &refused) = 0;
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
  // The value of an enumeration's constant; false when there is none of that name.
  virtual bool find_enumerator(const std::string &name, int64_t &value) = 0;
  // A file-scope variable of the compilation unit that holds the site (null: of any), defined in a file matching
  // `file`.
  virtual bool find_global(const std::string &variable, const std::string &file, const FunctionSite *site,
                           TargetVariable &found) = 0;
};

class DebugInfoSet {
 public:
  explicit DebugInfoSet(Session &s);
  ~DebugInfoSet();
  // The kernel's BTF, whatever else there is; null when it has none, after an error[no-btf] at `place` unless that is
  // empty.
  DebugModule *btf(const Place &place);
  // The kernel (name "" or "kernel") or a module by name or path; null when there is no debuginfo, after an
  // error[no-debuginfo] at `place` unless that is empty.
  DebugModule *module(const std::string &name, const Place &place);
  // The same module with files, lines, locals and inlined copies: itself when it has them, else what the servers in
  // DEBUGINFOD_URLS have. Null when it can't be had.
  DebugModule *with_places(DebugModule &module);
  // The types of headers, "<a.h><b.h>" or "kernel<a.h>": a file that includes them is compiled, once.
  Result<DebugModule *> headers(const std::string &list);
  // Reports error[no-such-module] when the kernel has no module of that name or pattern; false when it does, or none
  // are known.
  bool report_no_module(const std::string &pattern, const Place &place);
  // Names of modules with debuginfo matching a wildcard.
  std::vector<std::string> module_names(const std::string &pattern);
  // Makes the program check that the running kernel or module is the one described here.
  void require(Session &s, const DebugModule &module);
  // Why the servers didn't help; "" when they were not asked.
  const std::string &fetch_error() const { return fetch_error_; }
  // The debuginfo set of a session, made when first asked for.
  static DebugInfoSet &of(Session &s);

 private:
  Session &session_;
  std::unique_ptr<DebugModule> open(const std::string &wanted, const std::string &name, std::string &reason);
  Result<std::unique_ptr<DebugModule>> open_headers(const std::string &list);
  // Null, with the reason, when there is none.
  std::shared_ptr<KernelBtf> kernel_btf(std::string &reason);
  std::map<std::string, std::unique_ptr<DebugModule>> modules_;
  std::shared_ptr<KernelBtf> kernel_btf_;
  std::unique_ptr<DebugModule> btf_;  // of the kernel, when DWARF is what module() gives
  std::string no_kernel_btf_, fetch_error_;
  std::map<std::string, std::unique_ptr<DebugModule>> fetched_;  // null: can't be had
  std::map<std::string, Result<std::unique_ptr<DebugModule>>> headers_;
};

// How to get DWARF for a release.
std::vector<std::string> debuginfo_hints(Session &s);

// Index in s.program.symbols of a place in the kernel or a module, added when new.
uint32_t symbol_reference(Session &s, const std::string &module, const std::string &section, uint64_t offset);
