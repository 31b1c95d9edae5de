// SPDX-License-Identifier: GPL-2.0-or-later
// Probe points to derived probes: the families, what they own, and how aliases and wildcards lead to them.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/session.h"
#include "sema/attach.h"
#include "syntax/ast.h"
#include "target/target.h"

// What a family must remember of one derived probe, for its target variables.
struct FamilyData {
  virtual ~FamilyData() = default;
};

// One place in the running system where a copy of the handler runs.
struct DerivedProbe {
  const struct ProbeFamily *family = nullptr;
  const ProbeDecl *base = nullptr;       // as the user wrote it
  std::string point;                     // pp(): fully resolved, e.g. kernel.function("vfs_read@fs/read_write.c:450")
  std::string script_point;              // pn(): the alias that the user named, wildcards expanded; "" when it is none
  std::vector<std::string> alias_chain;  // user's point, then each alias it went through
  Place place;                           // the user's probe point
  Trail trail;                           // from the innermost alias's point out to it
  Block *body = nullptr;                 // its own copy, aliases' prologues and epilogues included
  std::vector<VarDecl *> locals;
  std::vector<Expr *> saved;  // expressions evaluated at the entry of a return probe (SavedValue)
  uint32_t saved_faults = 0;  // SavedValue::faults of those that may fault; 0 when none may
  Expr *condition = nullptr;  // `if (...)`
  // Numbers in program.conditions; filled by access analysis: of its own, -1 without one, and of those that may be
  // others after the handler has run.
  int condition_number = -1;
  std::vector<size_t> changed_conditions;
  std::unique_ptr<FamilyData> data;  // may be null
  attach::Description attach;        // none: the handler is analysed like any other and then dropped
  std::string function;              // of a probe on a function: its name in the symbol table
  // Which globals the handler (and all it calls) touches; filled by access analysis, sorted by global index.
  struct GlobalUse {
    VarDecl *global;
    bool write;
  };
  std::vector<GlobalUse> uses;
  bool spends_no_actions = false;  // made by the translator: it may run as long as there is to print
  // The probes whose handler and whose function at the entry serve this one too; null (-u), or itself: its own.
  const DerivedProbe *same_hit = nullptr, *same_entry = nullptr;
  int index = -1;
};

// Does its handler convert values by formats that differ between probes with the same handler ($$parms, $v$)?
bool brings_formats(const DerivedProbe &probe);

// Where value number `index` is kept in the words of a hit's store: numbers take one, strings their length and
// MAXSTRINGLEN bytes.
uint32_t saved_offset(const Session &s, const DerivedProbe &probe, size_t index);

// How many words the store of a hit has. Behind the values stand the bytes that tell which could not be read.
uint32_t saved_words(const Session &s, const DerivedProbe &probe);

// May reading the value at the function's entry fail for a reason that is kept for the return?
bool may_fault(const Session &s, Expr *saved);

// A resolved request: the components of the probe point that matched a pattern.
struct ProbeRequest {
  Session &session;
  const ProbePoint &point;  // literal components, no alias left
  const ProbeDecl &base;
  std::function<DerivedProbe *()> new_probe;  // a DerivedProbe with its own copy of the body, already added
  // Component by name, or null: request.component("function")->string
  const ProbeComponent *component(const std::string &name) const;
  // Reports "semantic error: MESSAGE" at one of the point's components.
  Diagnostic &error(const char *id, const ProbeComponent &c, const std::string &message) const;
};

// How a handler may write to a target variable.
struct WriteRule {
  bool needs_guru = true;
  // Null: a variable in a register is written there, and the probed code goes on with that. Else why it can't be.
  const char *no_registers = nullptr;
};

struct ProbeFamily {
  const char *name;
  // What this family owns: "timer.s(number)", "kernel.function(string).call", "module(string).function(string)".
  std::vector<std::string> patterns;
  // Makes derived probes, with how each is attached; reports errors to the session. Returns how many were made.
  int (*elaborate)(ProbeRequest &request);
  // Where the target variables of one of its probes are looked up. Null: the family has none.
  TargetContext (*target_context)(const DerivedProbe &probe) = nullptr;
  // How a handler may write to a target variable. Null: as WriteRule has it.
  WriteRule (*write_rule)(const Target &variable) = nullptr;
  // For -l and -L: points matching the request (which may hold wildcards), with their variables when asked.
  struct Listed {
    std::string point;
    std::vector<ListedVariable> variables = {};
    // What --format=json tells of where it is. Empty, or 0: it is not known, or not a thing of this family.
    std::string family = {};  // "": the family's own name
    std::string name = {};    // of the function, tracepoint or mark
    std::string file = {};    // of source
    int line = 0;
    std::string module = {};  // "kernel", or a module's name
    std::string path = {};    // of the program or library
    void set_binary(const TargetBinary &binary);
  };
  std::vector<Listed> (*list)(Session &s, const ProbePoint &pattern, bool with_variables);
  // The component whose argument "*" has list() give every point there is, as function("*"); null: none has.
  const char *listed_by = nullptr;
};

// Every family (probes/families.h is the list).
const std::vector<const ProbeFamily *> &probe_families();
