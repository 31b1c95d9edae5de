// SPDX-License-Identifier: GPL-2.0-or-later
// The state of one run: options, sources, the parsed script and library, and the elaborated program.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diag.h"
#include "base/limits.h"
#include "base/options.h"
#include "base/result.h"

// Types of later layers. The session keeps pointers to them and looks at nothing in them.
struct DerivedProbe;
struct EmbeddedCode;
struct FunctionDecl;
struct ScriptFile;
struct Expr;
struct VarDecl;
struct TargetBinary;
class DebugInfoSet;
class Library;
struct CompiledHeaders;
struct HeaderRequest;
class MacroSource;
namespace regex {
struct Compiled;
}

// Everything later passes need; made by elaborate().
struct Program {
  std::vector<DerivedProbe *> probes;
  std::vector<VarDecl *> globals;         // in use
  std::vector<FunctionDecl *> functions;  // in use, callees before callers where there is no recursion
  std::vector<EmbeddedCode *> embedded;   // top-level C, of the files in use
  // Addresses the program asks for (SymbolAddress).
  struct SymbolRef {
    const TargetBinary *binary = nullptr;
    std::string section;  // of a module
    uint64_t offset = 0;  // from what the binary's load rule says
  };
  std::vector<SymbolRef> symbols;
  // Binaries whose build-ids the running kernel and its modules must have, because addresses in them were compiled in.
  std::vector<const TargetBinary *> required;
  // Patterns of =~ and !~, compiled.
  std::map<std::string, std::shared_ptr<const regex::Compiled>> regexes;
  // Tables for @enumname: names by value, each value once.
  struct Enumeration {
    std::string spelling;  // "enum pid_type"
    std::map<int64_t, std::string> names;
    bool operator==(const Enumeration &) const = default;
  };
  std::vector<Enumeration> enumerations;
  std::vector<Expr *> conditions;  // of probes that can be disarmed (`if`), each once
  bool keeps_match = false;        // something may ask what =~ matched
  int max_call_depth = 0;          // statically, 1 for a function called by a probe
  bool recursive = false;
};

class Session {
 public:
  Session() = default;
  Options options;
  Limits limits;  // as the options say, once they are read
  Diagnostics diag;

  std::string kernel_release;  // what is compiled for
  bool is_for_running_kernel() const;
  std::string build_tree;      // its headers
  std::set<size_t> used_args;  // script_args that some $N or @N names
  // CONFIG_* of the kernel compiled for; read when a script first asks (preprocess).
  std::optional<std::map<std::string, std::string>> kernel_config;

  std::vector<ScriptFile *> user_files;  // the script, -E
  std::vector<ScriptFile *> used_library_files;
  std::set<std::string>
      looked_at;  // files the passes opened, or looked for in vain: a change of one makes the result stale
  std::shared_ptr<Library> library;
  MacroSource *macros = nullptr;  // the library, for the preprocessor
  std::shared_ptr<DebugInfoSet> debuginfo;
  Program program;
  // Compiles headers for the types they declare (build/headers.h); debuginfo does not know how things are built.
  Result<CompiledHeaders> (*compile_headers)(const HeaderRequest &) = nullptr;

  const Runtime &runtime() const { return *options.runtime; }

  // A node that lives as long as the session.
  template <class T> T *make(const Place &place = {}) {
    auto node = std::make_shared<T>();
    T *raw = node.get();
    if constexpr (requires { raw->place = place; }) raw->place = place;
    owned_.push_back(std::move(node));
    return raw;
  }
  // A copy of `original` that lives as long as the session; its children are shared.
  template <class T> T *make_copy(const T &original) {
    auto node = std::make_shared<T>(original);
    owned_.push_back(node);
    return node.get();
  }
  SourceFile *add_source(std::string name, std::string text);

  // Is the script taken for one written before this version of the language (--compatible)?
  bool is_before(const char *version) const;
  // Warns (--check-version) that `what` differs, or differed, between versions of the language.
  void depends_on_version(const Place &place, const std::string &what);

  Session(const Session &) = delete;

 private:
  std::vector<std::shared_ptr<void>> owned_;
};
