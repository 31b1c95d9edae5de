// SPDX-License-Identifier: GPL-2.0-or-later
// What the passes of elaboration share; elaborate.cc is their list.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/session.h"
#include "sema/match.h"
#include "target/target.h"

struct MatchNode;

// Probe points to derived probes, names to declarations, types, checks: fills s.program.
void elaborate(Session &s);

// The tree of probe points; library aliases are read in as points ask for them.
class ProbeMatcher {
 public:
  explicit ProbeMatcher(Session &s);
  ~ProbeMatcher();
  // What a point's components lead to: a family, or an alias and the components left over.
  struct Found {
    const ProbeFamily *family;
    const ProbeDecl *alias;
    std::vector<ProbeComponent> path;  // wildcards replaced by names
    std::vector<ProbeComponent> suffix;
    bool is_form = false;  // `**` went through components with arguments; in the path they are named "function(string)"
  };
  std::vector<Found> find(const ProbePoint &point);
  // For lists, in which `**` also stands for components with arguments.
  std::vector<Found> find_forms(const ProbePoint &point);
  // Adds hints on where a point that matched nothing went wrong.
  void explain(const ProbePoint &point, Diagnostic &d);

 private:
  MatchNode *child(MatchNode *node, const std::string &name, ProbeComponent::Arg arg);
  void add_alias(const ProbeDecl *alias);
  void load_aliases(const std::string &first, const std::string &second);
  void walk(MatchNode *node, const ProbePoint &point, size_t at, std::vector<ProbeComponent> path,
            std::vector<Found> &found);
  void walk_deep(MatchNode *node, const ProbePoint &point, size_t at, const std::string &dotted,
                 std::vector<ProbeComponent> path, std::vector<Found> &found);

  Session &s_;
  std::unique_ptr<MatchNode> root_;
  bool wants_forms_ = false;
  std::set<const ProbeDecl *> known_aliases_;
  std::set<std::string> loaded_;
};

// Derives the probes of one declaration, appending to s.program.probes.
void derive_probe(Session &s, ProbeMatcher &matcher, const ProbeDecl &base);

// The file whose names a place sees: text that came out of a macro belongs to where the macro was used.
const SourceFile *scope_of(const Place &place);
// Whether the user may set the global, by -G or staprun's NAME=VALUE: not what a library file keeps to itself.
bool is_settable(const VarDecl &global);

// A handler, or a function's body.
struct CodeUnit {
  // Whose target variables are meant. Null: the function belongs to no one probe, and only @var and @cast reach the
  // target.
  DerivedProbe *probe = nullptr;
  FunctionDecl *function = nullptr;  // null: it is the probe's handler
};

// Replaces @defined, $variables, @var, @cast and @entry; folds the conditions that @defined decides, so that what is
// not there is not looked up.
void lower_targets(Session &s, const CodeUnit &code);

// Where a probe's target variables are looked up; null stands for a function that belongs to no one probe.
TargetContext target_context(const DerivedProbe *probe);

// In a return probe: what gives at the return the value that an expression has at the function's entry.
Expr *keep_from_entry(Session &s, DerivedProbe &probe, Expr *e);

// An operator that needs no debuginfo, lowered; null when it is none of these.
Expr *lower_operator(Session &s, Intrinsic &i);

// False, after an error, when these are not an @enumname's arguments.
bool check_enumname(Session &s, const Intrinsic &i);

// Types of the target's pointers flow through variables, functions and ?: to where `->` is applied to a plain value.
void infer_target_types(Session &s);

// Names to declarations in all derived probes and in the functions they reach: fills s.program.globals, .functions and
// the probes' locals. What a name leads to is a unit to be resolved in its turn: a function, and the probes of a
// library file that is taken in.
class NameResolver {
 public:
  NameResolver(Session &s, ProbeMatcher &matcher);
  ~NameResolver();
  // The next unit, whose target variables are to be lowered before it is resolved: @defined decides which names are
  // looked up at all. Null: there is none left.
  std::optional<CodeUnit> next();
  void resolve(const CodeUnit &code);

 private:
  std::unique_ptr<class Resolver> resolver_;
};
// Two steps that take turns, one unit of code after the other: lower_targets() and NameResolver.
void lower_and_resolve(Session &s, ProbeMatcher &matcher);

// Types of everything, to a fixed point; then reports what conflicts and what stayed unknown.
void infer_types(Session &s);

// Adds an end probe that prints the script's globals that are written and never read (analyze_access has marked them).
void print_unread_globals(Session &s, ProbeMatcher &matcher);

// Rules that need no types (early) and those that do (late).
void check_rules(Session &s);

// Where values kept from a function's entry lie in the store of a hit; errors for probes that keep more than fits.
// Needs types.
void place_saved_values(Session &s);
void warn_about_variables(Session &s);

// Takes out what aliases of the library assign to variables that the probe does not use; with -u too, since what is not
// read can't fail. Needs types.
void drop_unused_alias_values(Session &s);

// Constant folding, dead statements, unused functions and variables.
void optimize(Session &s);

// Which timers' handlers run in a thread. After optimize().
void choose_reports(Session &s);
// Which tracepoints' handlers get the event's record. After optimize().
void choose_records(Session &s);

// Call graph, order and indexes of functions and globals, which probe uses which global.
void analyze_access(Session &s);

// The register that a fetched value is, its low bits taken or not; null for anything else.
const Register *register_of(const Expr *value);

// Does the function, somewhere, leave the call to its next overload (`next`, STAP_NEXT)?
bool may_pass_on(const FunctionDecl *f);
