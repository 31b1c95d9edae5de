// SPDX-License-Identifier: GPL-2.0-or-later
// Values of a function's entry, kept in a hit's store until the function returns.
#include <algorithm>

#include "sema/elaborate.h"
#include "syntax/make.h"

namespace {

// Are they fetches of the same thing?
bool same(const Expr *a, const Expr *b) {
  if (!a || !b || a->kind != b->kind) return a == b;
  if (auto *n = as<Number>(a)) return n->value == as<Number>(b)->value;
  if (auto *r = as<Register>(a)) return r->dwarf_number == as<Register>(b)->dwarf_number;
  if (auto *y = as<SymbolAddress>(a)) return y->symbol == as<SymbolAddress>(b)->symbol;
  if (auto *x = as<Binary>(a)) {
    auto *y = as<Binary>(b);
    return x->op == y->op && same(x->left, y->left) && same(x->right, y->right);
  }
  if (auto *x = as<Deref>(a)) {
    auto *y = as<Deref>(b);
    return x->size == y->size && x->is_signed == y->is_signed && x->bit_shift == y->bit_shift &&
           x->bit_width == y->bit_width && x->user == y->user && same(x->address, y->address);
  }
  return false;
}

// The same value is kept once.
Expr *kept(Session &s, DerivedProbe &probe, Expr *e) {
  if (as<SavedValue>(e) || as<Number>(e) || as<SymbolAddress>(e)) return e;
  auto it = std::find_if(probe.saved.begin(), probe.saved.end(), [&](Expr *known) { return same(known, e); });
  const Type type = e->type == Type::String ? Type::String : Type::Long;
  SavedValue *value = NodeFactory(s, e->place).saved_value(uint32_t(it - probe.saved.begin()), type);
  value->target_type = e->target_type;
  if (it == probe.saved.end()) probe.saved.push_back(e);
  return value;
}

void place(const Session &s, const DerivedProbe &probe, Expr *e) {
  if (SavedValue *value = as<SavedValue>(e)) value->offset = saved_offset(s, probe, value->index);
}

void place(const Session &s, const DerivedProbe &probe, Block *body) {
  for_each_expr(static_cast<Stmt *>(body), [&](Expr *&e) { place(s, probe, e); });
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
    place(s, *p, p->body);
    for (Expr *&e : p->saved) for_each_expr(e, [&](Expr *&part) { place(s, *p, part); });
    if (saved_offset(s, *p, p->saved.size()) > longest)
      s.diag
          .error("too-much-saved", p->place,
                 "semantic error: the values kept since the function's entry take more than 4096 bytes")
          .hint("a string takes MAXSTRINGLEN of them: a smaller -DMAXSTRINGLEN=N, or save numbers");
  }
  for (FunctionDecl *f : s.program.functions)
    if (f->probe && f->body) place(s, *f->probe, f->body);
}

uint32_t saved_offset(const Session &s, const DerivedProbe &probe, size_t index) {
  const uint32_t string_words = uint32_t((sizeof(uint32_t) + s.limit("MAXSTRINGLEN", 512) + 7) / 8);
  uint32_t offset = 0;
  for (size_t i = 0; i < index; i++) offset += probe.saved[i]->type == Type::String ? string_words : 1;
  return offset;
}
