// SPDX-License-Identifier: GPL-2.0-or-later
// Values of a function's entry, kept in a hit's store until the function returns.
#include <algorithm>
#include <set>

#include "sema/elaborate.h"
#include "syntax/make.h"
#include "syntax/tree_key.h"

namespace {

// Only registers, memory and arithmetic: what may be read once for several uses.
bool is_fetch(Expr *e) {
  bool only = true;
  for_each_expr(e, [&](Expr *&part) {
    only = only &&
           (as<Number>(part) || as<Register>(part) || as<SymbolAddress>(part) || as<Binary>(part) || as<Deref>(part));
  });
  return only;
}

std::string key_of(const Expr *e) {
  TreeKey key({.ignore_places = true});
  key.add(e);
  return key.text();
}

bool fetches_the_same(Expr *a, Expr *b) { return is_fetch(a) && is_fetch(b) && key_of(a) == key_of(b); }

// The same value is kept once.
Expr *kept(Session &s, DerivedProbe &probe, Expr *e) {
  if (as<SavedValue>(e) || as<Number>(e) || as<SymbolAddress>(e)) return e;
  auto it =
      std::find_if(probe.saved.begin(), probe.saved.end(), [&](Expr *known) { return fetches_the_same(known, e); });
  const Type type = e->type == Type::String ? Type::String : Type::Long;
  SavedValue *value = NodeFactory(s, e->place).saved_value(uint32_t(it - probe.saved.begin()), type);
  value->target_type = e->target_type;
  if (it == probe.saved.end()) probe.saved.push_back(e);
  return value;
}

void place(const Session &s, const DerivedProbe &probe, Expr *e) {
  SavedValue *value = as<SavedValue>(e);
  if (!value) return;
  value->offset = saved_offset(s, probe, value->index);
  if (may_fault(s, probe.saved[value->index])) value->faults = probe.saved_faults;
}

void place(const Session &s, const DerivedProbe &probe, Block *body) {
  for_each_expr(static_cast<Stmt *>(body), [&](Expr *&e) { place(s, probe, e); });
}

// What of the probe reads values of the entry.
template <class Visit> void for_each_saved_value(Session &s, DerivedProbe &p, const Visit &visit) {
  auto expression = [&](Expr *&part) {
    if (SavedValue *value = as<SavedValue>(part)) visit(*value);
  };
  for_each_expr(static_cast<Stmt *>(p.body), expression);
  if (p.condition) for_each_expr(p.condition, expression);
  for (Expr *&e : p.saved) for_each_expr(e, expression);
  for (FunctionDecl *f : s.program.functions)
    if (f->probe == &p && f->body) for_each_expr(static_cast<Stmt *>(f->body), expression);
}

// Values that nothing asks for any more are not kept at the entry.
void drop_unused(Session &s, DerivedProbe &p) {
  std::set<uint32_t> used;
  for_each_saved_value(s, p, [&](SavedValue &value) { used.insert(value.index); });
  if (used.size() == p.saved.size()) return;
  std::vector<uint32_t> new_index(p.saved.size());
  std::vector<Expr *> saved;
  for (uint32_t i : used) {
    new_index[i] = uint32_t(saved.size());
    saved.push_back(p.saved[i]);
  }
  p.saved = saved;
  std::set<SavedValue *> values;  // a node may stand in two places
  for_each_saved_value(s, p, [&](SavedValue &value) { values.insert(&value); });
  for (SavedValue *value : values) value->index = new_index[value->index];
}

}  // namespace

Expr *keep_from_entry(Session &s, DerivedProbe &probe, Expr *e) {
  if (Format *format = as<Format>(e)) {
    for (Expr *&argument : format->args) argument = keep_from_entry(s, probe, argument);
    return format;
  }
  if (DerefString *string = as<DerefString>(e)) {  // the text itself is read at return
    string->address = kept(s, probe, string->address);
    return string;
  }
  return kept(s, probe, e);
}

void place_saved_values(Session &s) {
  constexpr uint32_t longest = 4096 / 8;  // what a kretprobe instance may hold (KRETPROBE_MAX_DATA_SIZE)
  for (DerivedProbe *p : s.program.probes) {
    drop_unused(s, *p);
    if (std::any_of(p->saved.begin(), p->saved.end(), [&](Expr *e) { return may_fault(s, e); }))
      p->saved_faults = saved_offset(s, *p, p->saved.size());
    place(s, *p, p->body);
    if (p->condition) for_each_expr(p->condition, [&](Expr *&part) { place(s, *p, part); });
    for (Expr *&e : p->saved) for_each_expr(e, [&](Expr *&part) { place(s, *p, part); });
    if (saved_words(s, *p) > longest)
      s.diag
          .error("too-much-saved", p->place,
                 "semantic error: the values kept since the function's entry take more than 4096 bytes")
          .hint("a string takes MAXSTRINGLEN of them: a smaller -DMAXSTRINGLEN=N, or save numbers");
  }
  for (FunctionDecl *f : s.program.functions)
    if (f->probe && f->body) place(s, *f->probe, f->body);
}

uint32_t saved_offset(const Session &s, const DerivedProbe &probe, size_t index) {
  const uint32_t string_words = uint32_t((sizeof(uint32_t) + s.limits.max_string_len + 7) / 8);
  uint32_t offset = 0;
  for (size_t i = 0; i < index; i++) offset += probe.saved[i]->type == Type::String ? string_words : 1;
  return offset;
}

uint32_t saved_words(const Session &s, const DerivedProbe &probe) {
  const uint32_t values = saved_offset(s, probe, probe.saved.size());
  return probe.saved_faults ? values + uint32_t((probe.saved.size() + 7) / 8) : values;
}

bool may_fault(const Session &s, Expr *saved) {
  if (!is_fetch(saved)) return true;
  bool may = false;
  for_each_expr(saved, [&](Expr *&part) {
    // With --skip-badvars what can't be read is 0.
    may |= as<Deref>(part) && !s.options.skip_bad_variables;
    may |= as<Register>(part) && as<Register>(part)->may_fail;
  });
  return may;
}
