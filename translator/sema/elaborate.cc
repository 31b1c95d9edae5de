// SPDX-License-Identifier: GPL-2.0-or-later
// The second pass, as the list of its steps.
#include "sema/elaborate.h"

#include "library/library.h"

namespace {

void drop_unattached(Session &s) {
  std::erase_if(s.program.probes,
                [](const DerivedProbe *p) { return attach::kind_of(p->attach) == attach::Kind::None; });
  for (size_t i = 0; i < s.program.probes.size(); i++) s.program.probes[i]->index = (int)i;
}

}  // namespace

void lower_and_resolve(Session &s, ProbeMatcher &matcher) {
  NameResolver names(s, matcher);
  while (std::optional<CodeUnit> code = names.next()) {
    TrailScope led_by(s.diag, code->function ? &code->function->trail : &code->probe->trail);
    lower_targets(s, *code);
    names.resolve(*code);
  }
}

void elaborate(Session &s) {
  open_library(s);
  ProbeMatcher matcher(s);
  for (const ScriptFile *file : s.user_files)
    for (const ProbeDecl *probe : file->probes) derive_probe(s, matcher, *probe);
  lower_and_resolve(s, matcher);
  infer_target_types(s);
  check_rules(s);
  analyze_access(s);
  if (s.diag.error_count() == 0 || s.program.probes.empty()) infer_types(s);
  if (s.diag.error_count() == 0) drop_unused_alias_values(s);
  place_saved_values(s);
  if (s.diag.error_count() > 0) return;
  warn_about_variables(s);
  if (s.options.print_unread_globals) {
    size_t probes = s.program.probes.size();
    print_unread_globals(s, matcher);
    if (s.program.probes.size() > probes) infer_types(s);
  }
  optimize(s);
  analyze_access(s);
  drop_unattached(s);
  choose_reports(s);
  choose_records(s);
  if (s.program.probes.empty()) s.diag.warning("no-probes-left", {}, "none of the script's probes can ever run");
}
