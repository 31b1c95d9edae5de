// SPDX-License-Identifier: GPL-2.0-or-later
// Which globals each handler reads and writes, through all it calls: what must be locked; and the call graph.
//
// Calls form a graph, which has cycles where functions are recursive. Tarjan's algorithm finds its strongly connected
// components, callees before callers. One pass in that order then tells of each function what it and all that it calls
// touch, and how deep calls go. The algorithm keeps its own stack instead of recursing, since a script may nest calls
// deeper than the translator's stack allows.
#include <algorithm>
#include <map>

#include "sema/elaborate.h"
#include "sema/match.h"
#include "syntax/tree_key.h"

namespace {

struct Touched {
  std::map<VarDecl *, bool> globals;  // true: written
  std::vector<FunctionDecl *> callees;
};

void touch(Touched &t, VarDecl *decl, bool read, bool write) {
  if (!decl) return;
  decl->read |= read;
  decl->written |= write;
  if (decl->kind == VarDecl::Kind::Global) t.globals[decl] |= write;
}

class Collector {
 public:
  Collector(Session &s, Touched &t) : s_(s), t_(t) {}

  void walk(Stmt *st) {
    if (!st) return;
    if (Foreach *loop = as<Foreach>(st)) {
      for (Symbol *key : loop->keys) touch(t_, key->decl, false, true);
      if (loop->value) touch(t_, loop->value->decl, false, true);
      if (loop->array) touch(t_, loop->array->decl, true, false);
      // Sorting writes the array's order table: two sorted loops must not run at once.
      if (loop->array && loop->array->decl && loop->sort_direction) t_.globals[loop->array->decl] = true;
      for (Expr *key : loop->slice) walk(key);
      walk(loop->histogram);
      walk(loop->limit);
      return walk(loop->body);
    }
    if (Delete *d = as<Delete>(st)) return write(d->target, false);
    if (Try *t = as<Try>(st)) {
      walk(t->body);
      if (t->message) touch(t_, t->message->decl, false, true);
      return walk(t->handler);
    }
    if (Embedded *c = as<Embedded>(st)) return pragmas(c->pragmas);
    if (ExprStmt *e = as<ExprStmt>(st)) return walk(e->expr, false);
    if (For *loop = as<For>(st)) {
      walk(loop->init, false);
      walk(loop->condition);
      walk(loop->step, false);
      return walk(loop->body);
    }
    for_each_child(
        st, [&](Expr *&e) { walk(e); }, [&](Stmt *&child) { walk(child); });
  }

  // `used` says whether something takes the expression's value. The statement `n++` writes n, but nobody reads it.
  void walk(Expr *e, bool used = true) {
    if (!e) return;
    switch (e->kind) {
      case ExprKind::Symbol: return touch(t_, as<Symbol>(e)->decl, true, false);
      case ExprKind::Index: return index(*as<Index>(e), true, false);
      case ExprKind::ArrayIn: return index(*as<ArrayIn>(e)->element, true, false);
      case ExprKind::Assign: {
        Assign *a = as<Assign>(e);
        walk(a->value);
        return write(a->target, used);
      }
      case ExprKind::PreStep: return write(as<PreStep>(e)->target, used);
      case ExprKind::PostStep: return write(as<PostStep>(e)->target, used);
      case ExprKind::Call:
        for (FunctionDecl *f : as<Call>(e)->callees) t_.callees.push_back(f);
        break;
      case ExprKind::EmbeddedExpr: return pragmas(as<EmbeddedExpr>(e)->pragmas);
      case ExprKind::Number:
      case ExprKind::String:
      case ExprKind::HistogramIndex:
      case ExprKind::Unary:
      case ExprKind::Binary:
      case ExprKind::Compare:
      case ExprKind::Logical:
      case ExprKind::Concat:
      case ExprKind::Ternary:
      case ExprKind::RegexMatch:
      case ExprKind::Format:
      case ExprKind::Statistic:
      case ExprKind::Histogram:
      case ExprKind::Target:
      case ExprKind::AtVar:
      case ExprKind::Cast:
      case ExprKind::Defined:
      case ExprKind::Entry:
      case ExprKind::Perf:
      case ExprKind::Intrinsic:
      case ExprKind::Register:
      case ExprKind::Deref:
      case ExprKind::DerefString:
      case ExprKind::SavedValue:
      case ExprKind::SymbolAddress:
      case ExprKind::EnumName:
      case ExprKind::Kept:
      case ExprKind::EventValue: break;
    }
    for_each_child(e, [&](Expr *&child) { walk(child); });
  }

  void pragmas(const Pragmas &said) {
    for (VarDecl *g : said.read_globals) touch(t_, g, true, false);
    for (VarDecl *g : said.written_globals) touch(t_, g, false, true);
  }

 private:
  void index(Index &i, bool read, bool write) {
    for (Expr *key : i.keys) walk(key);
    touch(t_, i.base->decl, read, write);
  }

  void write(Expr *target, bool also_read) {
    if (Symbol *symbol = as<Symbol>(target)) touch(t_, symbol->decl, also_read, true);
    else if (Index *i = as<Index>(target)) index(*i, also_read, true);
    else walk(target);
  }

  Session &s_;
  Touched &t_;
};

// All functions in an order where each comes after those it calls. Functions that call each other in a cycle stand next
// to each other and have the same component number.
class CallOrder {
 public:
  explicit CallOrder(const std::map<FunctionDecl *, Touched> &graph) : graph_(graph) {}

  std::map<FunctionDecl *, int> component;
  std::vector<FunctionDecl *> order;

  void visit(FunctionDecl *root) {
    if (number_.count(root)) return;
    enter(root);
    while (!frames_.empty()) {
      Frame &top = frames_.back();
      const auto &callees = graph_.at(top.function).callees;
      if (top.next < callees.size()) {
        FunctionDecl *callee = callees[top.next++];
        if (!number_.count(callee)) enter(callee);
        else if (!component.count(callee)) top.low = std::min(top.low, number_[callee]);
        continue;
      }
      leave();
    }
  }

 private:
  struct Frame {
    FunctionDecl *function;
    int low;
    size_t next = 0;
  };

  void enter(FunctionDecl *f) {
    int n = (int)number_.size();
    number_[f] = n;
    stack_.push_back(f);
    frames_.push_back({f, n});
  }

  void leave() {
    Frame done = frames_.back();
    frames_.pop_back();
    if (!frames_.empty()) frames_.back().low = std::min(frames_.back().low, done.low);
    if (done.low != number_[done.function]) return;
    FunctionDecl *member;
    do {
      member = stack_.back();
      stack_.pop_back();
      component[member] = components_;
      order.push_back(member);
    } while (member != done.function);
    components_++;
  }

  const std::map<FunctionDecl *, Touched> &graph_;
  std::map<FunctionDecl *, int> number_;
  std::vector<FunctionDecl *> stack_;
  std::vector<Frame> frames_;
  int components_ = 0;
};

void merge(std::map<VarDecl *, bool> &into, const std::map<VarDecl *, bool> &from) {
  for (auto &[global, write] : from) into[global] |= write;
}

class Analysis {
 public:
  explicit Analysis(Session &s) : s_(s) {}

  void run() {
    clear_marks();
    for (FunctionDecl *f : s_.program.functions) {
      Touched &t = functions_[f];
      Collector collector(s_, t);
      if (f->body) collector.walk(f->body);
      if (f->is_embedded) collector.pragmas(f->pragmas);
    }
    std::vector<Touched> probes(s_.program.probes.size());
    for (size_t i = 0; i < probes.size(); i++) {
      Collector collector(s_, probes[i]);
      DerivedProbe &p = *s_.program.probes[i];
      collector.walk(p.condition);
      for (Expr *e : p.saved) collector.walk(e);
      collector.walk(p.body);
    }
    order_functions(probes);
    number_globals();
    for (Touched &t : probes)
      for (FunctionDecl *f : t.callees) merge(t.globals, functions_[f].globals);
    find_conditions(probes);
    for (size_t i = 0; i < probes.size(); i++) finish_probe(*s_.program.probes[i], probes[i], (int)i);
    for (FunctionDecl *f : s_.program.functions) find_changing_loops(f->body);
    for (DerivedProbe *p : s_.program.probes) find_changing_loops(p->body);
  }

 private:
  void clear_marks() {
    for (VarDecl *g : s_.program.globals) g->read = g->written = false;
    for (DerivedProbe *p : s_.program.probes)
      for (VarDecl *l : p->locals) l->read = l->written = false;
    for (FunctionDecl *f : s_.program.functions)
      for (VarDecl *l : f->locals) l->read = l->written = false;
  }

  void order_functions(const std::vector<Touched> &probes) {
    CallOrder order(functions_);
    for (const Touched &t : probes)
      for (FunctionDecl *f : t.callees) order.visit(f);
    s_.program.functions = order.order;
    s_.program.recursive = false;
    s_.program.max_call_depth = 0;
    auto &functions = s_.program.functions;
    for (size_t begin = 0, end; begin < functions.size(); begin = end) {
      int number = order.component[functions[begin]];
      for (end = begin; end < functions.size() && order.component[functions[end]] == number;) end++;
      close_component({functions.begin() + begin, functions.begin() + end}, order, number);
    }
    for (FunctionDecl *f : s_.program.functions) f->in_use = true;
    for (size_t i = 0; i < functions.size(); i++) functions[i]->index = (int)i;
  }

  // Any function of a cycle may reach all others of it, so each touches what any of them touches. As calls may go
  // through all of them, the cycle adds as many levels to the call depth as it has functions.
  void close_component(const std::vector<FunctionDecl *> &members, CallOrder &order, int number) {
    std::map<VarDecl *, bool> all;
    int below = 0;
    bool cycle = members.size() > 1;
    for (FunctionDecl *f : members) {
      Touched &t = functions_[f];
      merge(all, t.globals);
      for (FunctionDecl *callee : t.callees) {
        if (order.component[callee] == number) {
          cycle = true;
          continue;
        }
        merge(all, functions_[callee].globals);
        below = std::max(below, depth_[callee]);
      }
    }
    for (FunctionDecl *f : members) {
      functions_[f].globals = all;
      depth_[f] = below + (int)members.size();
      s_.program.max_call_depth = std::max(s_.program.max_call_depth, depth_[f]);
    }
    s_.program.recursive |= cycle;
  }

  void number_globals() {
    for (size_t i = 0; i < s_.program.globals.size(); i++) s_.program.globals[i]->index = (int)i;
  }

  // One that asks for more, as $variables, is left to the handler.
  static bool reads_only_globals(Expr *condition) {
    bool only = true;
    for_each_expr(condition, [&](Expr *&e) {
      const Symbol *symbol = as<Symbol>(e);
      only &= as<Number>(e) || as<String>(e) || as<Unary>(e) || as<Binary>(e) || as<Compare>(e) || as<Logical>(e) ||
              as<Concat>(e) || as<Ternary>(e) || as<Index>(e) || as<ArrayIn>(e) || as<Statistic>(e) ||
              (symbol && symbol->decl && symbol->decl->kind == VarDecl::Kind::Global);
    });
    return only;
  }

  // Who may change a global of a condition evaluates the condition when its handler ends, and reads all of its globals
  // then. Probes that the session runs itself are not disarmed.
  void find_conditions(std::vector<Touched> &probes) {
    std::map<std::string, int> numbers;
    std::vector<Touched> read;
    s_.program.conditions.clear();
    for (DerivedProbe *p : s_.program.probes) {
      p->condition_number = -1;
      p->changed_conditions.clear();
      if (!p->condition || !reads_only_globals(p->condition)) continue;
      if (attach::kind_of(p->attach) <= attach::Kind::Error) continue;
      TreeKey key({.ignore_places = true});
      key.add(p->condition);
      auto [it, is_new] = numbers.try_emplace(key.text(), (int)numbers.size());
      p->condition_number = it->second;
      if (!is_new) continue;
      s_.program.conditions.push_back(p->condition);
      Collector(s_, read.emplace_back()).walk(p->condition);
    }
    for (size_t i = 0; i < probes.size(); i++)
      for (size_t k = 0; k < read.size(); k++) {
        auto &globals = probes[i].globals;
        const bool changes = std::any_of(read[k].globals.begin(), read[k].globals.end(), [&](const auto &use) {
          const auto found = globals.find(use.first);
          return found != globals.end() && found->second;
        });
        if (!changes) continue;
        s_.program.probes[i]->changed_conditions.push_back(k);
        merge(globals, read[k].globals);
      }
  }

  void finish_probe(DerivedProbe &p, Touched &t, int index) {
    p.index = index;
    p.uses.clear();
    for (auto &[global, write] : t.globals) p.uses.push_back({global, write});
    std::sort(p.uses.begin(), p.uses.end(),
              [](const auto &a, const auto &b) { return a.global->index < b.global->index; });
  }

  // Finds the loops over an array whose body may add and remove its elements. The body itself must not (see checks.cc),
  // but it may call what does.
  void find_changing_loops(Stmt *body) {
    for_each_stmt(body, [&](Stmt *st) {
      Foreach *loop = as<Foreach>(st);
      if (!loop || !loop->array) return;
      loop->body_changes_array = false;
      Touched t;
      Collector(s_, t).walk(loop->body);
      for (FunctionDecl *f : t.callees) {
        const auto &globals = functions_[f].globals;
        const auto use = globals.find(loop->array->decl);
        loop->body_changes_array |= use != globals.end() && use->second;
      }
    });
  }

  Session &s_;
  std::map<FunctionDecl *, Touched> functions_;
  std::map<FunctionDecl *, int> depth_;
};

}  // namespace

void analyze_access(Session &s) { Analysis(s).run(); }
