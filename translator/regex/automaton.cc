// SPDX-License-Identifier: GPL-2.0-or-later
// Thompson's construction, then the subset construction with assertions resolved by what stands around a position.
//
// A state of the result is a set of states of the nondeterministic automaton
// before its empty moves are followed, plus what kind of byte was read last: an
// assertion may depend on the byte that comes next, so its empty move is taken
// when that is known. For the same reason a state accepts "when this follows".
#include "regex/automaton.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace regex {

namespace {

constexpr size_t most_nfa_states = 20000;
constexpr size_t most_dfa_states = 4000;
constexpr size_t most_table_bytes = 1 << 20;

struct NfaState {
  enum class Kind : uint8_t { Split, Byte, Assert, Accept } kind = Kind::Split;
  int set = -1;  // Byte: which of the byte sets
  Assertion assertion{};
  int to = -1, other = -1;  // -1: none
};

bool is_word(int byte) { return byte < 128 && (std::isalnum(byte) || byte == '_'); }

// --- the nondeterministic automaton: each part leads to a state that exists already ---

class Nfa {
 public:
  explicit Nfa(const NodePtr &node) {
    int accept = add({NfaState::Kind::Accept, -1, {}, -1, -1});
    start = build(*node, accept);
  }

  std::vector<NfaState> states;
  std::vector<Bytes> sets;
  int start = 0;
  bool sees_word = false, sees_begin = false;

 private:
  int add(NfaState state) {
    if (states.size() >= most_nfa_states) throw TooBig();
    states.push_back(state);
    return (int)states.size() - 1;
  }
  int split(int a, int b) { return add({NfaState::Kind::Split, -1, {}, a, b}); }

  int build(const Node &node, int to) {
    switch (node.kind) {
      case Node::Kind::Empty: return to;
      case Node::Kind::Bytes: {
        auto known = std::find(sets.begin(), sets.end(), node.bytes);
        int set = (int)(known - sets.begin());
        if (known == sets.end()) sets.push_back(node.bytes);
        return add({NfaState::Kind::Byte, set, {}, to, -1});
      }
      case Node::Kind::Assert:
        sees_begin |= node.assertion == Assertion::Begin;
        sees_word |= node.assertion != Assertion::Begin && node.assertion != Assertion::End;
        return add({NfaState::Kind::Assert, -1, node.assertion, to, -1});
      case Node::Kind::Group: return build(*node.children[0], to);
      case Node::Kind::Concat:
        for (auto c = node.children.rbegin(); c != node.children.rend(); ++c) to = build(**c, to);
        return to;
      case Node::Kind::Alternate: {
        int entry = build(*node.children.back(), to);
        for (size_t i = node.children.size() - 1; i-- > 0;) entry = split(build(*node.children[i], to), entry);
        return entry;
      }
      case Node::Kind::Repeat: return repeat(node, to);
    }
    return to;
  }

  int repeat(const Node &node, int to) {
    const Node &child = *node.children[0];
    int entry = to;
    if (node.max < 0) {
      entry = split(-1, to);
      int body = build(child, entry);
      states[entry].to = body;
    } else {
      for (int i = node.min; i < node.max; i++) entry = split(build(child, entry), to);
    }
    for (int i = 0; i < node.min; i++) entry = build(child, entry);
    return entry;
  }
};

bool holds(Assertion a, Neighbour before, Neighbour after) {
  const bool word_before = before == Word, word_after = after == Word;
  switch (a) {
    case Assertion::Begin: return before == Edge;
    case Assertion::End: return after == Edge;
    case Assertion::WordStart: return !word_before && word_after;
    case Assertion::WordEnd: return word_before && !word_after;
    case Assertion::WordEdge: return word_before != word_after;
    case Assertion::NoWordEdge: return word_before == word_after;
  }
  return false;
}

// --- subsets ---

class Determinizer {
 public:
  explicit Determinizer(const NodePtr &node) : nfa_(node) { classify(); }

  Dfa run() {
    table_.class_count = (unsigned)representative_.size();
    table_.next.assign(table_.class_count, 0);
    table_.accept.assign(1, 0);
    sets_.push_back({});
    for (Neighbour before : {Edge, Word, Other}) table_.start[before] = state({nfa_.start}, before);
    for (size_t i = 1; i < sets_.size(); i++) expand(i);
    drop_hopeless();
    return table_;
  }

 private:
  // Bytes that no set tells apart are one class.
  void classify() {
    std::map<std::vector<bool>, uint8_t> known;
    for (int b = 0; b < 256; b++) {
      std::vector<bool> signature;
      for (const Bytes &set : nfa_.sets) signature.push_back(set[b]);
      if (nfa_.sees_word) signature.push_back(is_word(b));
      auto [it, added] = known.try_emplace(signature, (uint8_t)known.size());
      if (added) representative_.push_back(b);
      table_.classes[b] = it->second;
    }
  }

  // Contexts that no assertion tells apart are one.
  Neighbour seen(Neighbour before) const {
    if (nfa_.sees_word) return before;
    return nfa_.sees_begin && before == Edge ? Edge : Other;
  }

  uint16_t state(std::vector<int> set, Neighbour before) {
    if (set.empty()) return 0;
    before = seen(before);
    auto [it, added] = numbers_.try_emplace({set, before}, (uint16_t)sets_.size());
    if (added) {
      if (sets_.size() >= most_dfa_states || sets_.size() * table_.class_count * 2 > most_table_bytes) throw TooBig();
      sets_.push_back({std::move(set), before});
      table_.accept.push_back(0);
      table_.next.resize(table_.next.size() + table_.class_count, 0);
    }
    return it->second;
  }

  // All that can be reached without reading; true when that is an accepting state.
  bool close(const std::vector<int> &set, Neighbour before, Neighbour after, std::vector<int> &bytes) {
    std::vector<bool> met(nfa_.states.size());
    std::vector<int> todo = set;
    bool accepts = false;
    bytes.clear();
    while (!todo.empty()) {
      int at = todo.back();
      todo.pop_back();
      if (at < 0 || met[at]) continue;
      met[at] = true;
      const NfaState &s = nfa_.states[at];
      switch (s.kind) {
        case NfaState::Kind::Accept: accepts = true; break;
        case NfaState::Kind::Byte: bytes.push_back(at); break;
        case NfaState::Kind::Assert:
          if (holds(s.assertion, before, after)) todo.push_back(s.to);
          break;
        case NfaState::Kind::Split:
          todo.push_back(s.to);
          todo.push_back(s.other);
          break;
      }
    }
    return accepts;
  }

  void expand(size_t number) {
    const Subset subset = sets_[number];
    std::vector<int> closed[3];
    for (Neighbour after : {Edge, Word, Other})
      if (close(subset.states, subset.before, after, closed[after])) table_.accept[number] |= 1 << after;
    for (unsigned k = 0; k < table_.class_count; k++) {
      const int byte = representative_[k];
      const Neighbour kind = is_word(byte) ? Word : Other;
      std::vector<int> reached;
      for (int at : closed[kind])
        if (nfa_.sets[nfa_.states[at].set][byte]) reached.push_back(nfa_.states[at].to);
      std::sort(reached.begin(), reached.end());
      reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
      uint16_t to = state(std::move(reached), kind);
      table_.next[number * table_.class_count + k] = to;
    }
  }

  // States from which no accepting one can be reached become state 0, so that a search can stop early.
  void drop_hopeless() {
    const size_t n = table_.accept.size(), width = table_.class_count;
    std::vector<std::vector<uint16_t>> from(n);
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < width; k++) from[table_.next[i * width + k]].push_back((uint16_t)i);
    std::vector<bool> hopeful(n);
    std::vector<size_t> todo;
    for (size_t i = 0; i < n; i++)
      if (table_.accept[i]) todo.push_back(i);
    while (!todo.empty()) {
      size_t at = todo.back();
      todo.pop_back();
      if (hopeful[at]) continue;
      hopeful[at] = true;
      todo.insert(todo.end(), from[at].begin(), from[at].end());
    }
    std::vector<uint16_t> renamed(n);
    uint16_t kept = 1;
    for (size_t i = 1; i < n; i++) renamed[i] = hopeful[i] ? kept++ : 0;
    Dfa smaller = table_;
    smaller.next.assign(kept * width, 0);
    smaller.accept.assign(kept, 0);
    for (size_t i = 1; i < n; i++) {
      if (!renamed[i]) continue;
      smaller.accept[renamed[i]] = table_.accept[i];
      for (size_t k = 0; k < width; k++) smaller.next[renamed[i] * width + k] = renamed[table_.next[i * width + k]];
    }
    for (uint16_t &start : smaller.start) start = renamed[start];
    table_ = std::move(smaller);
  }

  struct Subset {
    std::vector<int> states;
    Neighbour before = Other;
  };
  Nfa nfa_;
  Dfa table_;
  std::vector<int> representative_;
  std::vector<Subset> sets_;
  std::map<std::pair<std::vector<int>, Neighbour>, uint16_t> numbers_;
};

}  // namespace

bool Dfa::operator==(const Dfa &other) const {
  return std::equal(classes, classes + 256, other.classes) && next == other.next && accept == other.accept &&
         std::equal(start, start + 3, other.start);
}

Dfa make_dfa(const NodePtr &node) { return Determinizer(node).run(); }

}  // namespace regex
