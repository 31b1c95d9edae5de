// SPDX-License-Identifier: GPL-2.0-or-later
// Identical handlers: probes whose handlers do the same share one C function; a wildcard of 300 functions is then a
// handler or few.
//
// The probe a handler was hit through is its argument, and brings what differs without changing what is done: its name,
// its locks, and the formats of its $$parms. What runs at the entry of functions whose return is probed is shared
// likewise.
#include <map>

#include "optimize/optimize.h"
#include "sema/elaborate.h"
#include "sema/match.h"
#include "syntax/tree_key.h"

bool brings_formats(const DerivedProbe &p) {
  bool found = false;
  auto look = [&](Expr *&e) { found |= as<Format>(e) && as<Format>(e)->lenient; };
  for_each_expr(static_cast<Stmt *>(p.body), look);
  for (Expr *e : p.saved) for_each_expr(e, look);
  return found;
}

namespace {

// Where values saved at the entry lie depends on the types of those before them.
std::string hit_key(const DerivedProbe &p) {
  TreeKey key({.probe_brings_formats = true});
  for (const Expr *e : p.saved) key.add(static_cast<int64_t>(e->type));
  key.add(static_cast<int64_t>(p.spends_no_actions));
  key.add(p.condition);
  key.add(static_cast<const Stmt *>(p.body));
  return key.text();
}

// The entry's formats come after the handler's in the probe's list, so where there are some the handlers must be the
// same too.
std::string entry_key(const DerivedProbe &p) {
  TreeKey key({.probe_brings_formats = true});
  if (brings_formats(p)) key.add(hit_key(p));
  for (const Expr *e : p.saved) key.add(e);
  return key.text();
}

}  // namespace

void merge_handlers(Session &s) {
  std::map<std::string, const DerivedProbe *> hits, entries;
  for (DerivedProbe *p : s.program.probes) {
    if (attach::kind_of(p->attach) == attach::Kind::None) continue;  // it is about to be dropped
    p->same_hit = hits.try_emplace(hit_key(*p), p).first->second;
    if (!p->saved.empty()) p->same_entry = entries.try_emplace(entry_key(*p), p).first->second;
  }
}
