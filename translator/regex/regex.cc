// SPDX-License-Identifier: GPL-2.0-or-later
// Patterns to the automata that search, bound and divide a match.
//
// POSIX asks for the leftmost match, of these for the longest, and then that
// each subexpression, from left to right, takes the longest it can. A match of
// the whole is therefore divided from the outside in. For "first, then rest" over
// a range, an automaton of `first` read forwards from its beginning says where
// first may end; one of `rest` read backwards from its end says where rest may
// begin; the last place that is both is where POSIX divides. No step looks
// at a byte more than twice, there is no backtracking.
#include "regex/regex.h"

#include <algorithm>

namespace regex {

namespace {

constexpr size_t most_splits = 500;
constexpr size_t most_automata = 300;
constexpr int deepest_stack = 64;  // STAP_REGEX_STACK

class Compiler {
 public:
  explicit Compiler(Compiled &out) : out_(out) {}

  int automaton(const NodePtr &node) {
    Dfa dfa = make_dfa(node);
    auto known = std::find(out_.automata.begin(), out_.automata.end(), dfa);
    if (known != out_.automata.end()) return (int)(known - out_.automata.begin());
    if (out_.automata.size() >= most_automata) throw TooBig();
    out_.automata.push_back(std::move(dfa));
    return (int)out_.automata.size() - 1;
  }

  // The number of the split that divides a match of `node`; -1: it has no groups.
  int split(const NodePtr &node) {
    if (!node->has_groups) return -1;
    switch (node->kind) {
      case Node::Kind::Group: {
        int number = add(Split::Kind::Group);
        out_.splits[number].group = node->group;
        out_.splits[number].last_group = node->last_group;
        int child = split(node->children[0]);
        out_.splits[number].first = child;
        return number;
      }
      case Node::Kind::Concat: return split_concat(node->children);
      case Node::Kind::Alternate: return split_alternate(node->children);
      case Node::Kind::Repeat: return split_repeat(*node);
      case Node::Kind::Empty:
      case Node::Kind::Bytes:
      case Node::Kind::Assert: break;
    }
    return -1;
  }

 private:
  int add(Split::Kind kind) {
    if (out_.splits.size() >= most_splits) throw TooBig();
    Split s;
    s.kind = kind;
    out_.splits.push_back(s);
    return (int)out_.splits.size() - 1;
  }

  int pair(Split::Kind kind, int first_dfa, int rest_dfa, const NodePtr &first, const NodePtr &second) {
    int number = add(kind);
    out_.splits[number].first_dfa = first_dfa;
    out_.splits[number].rest_dfa = rest_dfa;
    int a = split(first), b = second ? split(second) : -1;
    out_.splits[number].first = a;
    out_.splits[number].second = b;
    return number;
  }

  // Parts without groups go together where that can't change what each takes: when at most one of them varies in
  // length.
  int split_concat(const std::vector<NodePtr> &parts) {
    size_t taken = 1;
    if (!parts[0]->has_groups) {
      int varying = fixed_length(*parts[0]) < 0;
      while (taken < parts.size() && !parts[taken]->has_groups && varying + (fixed_length(*parts[taken]) < 0) <= 1)
        varying += fixed_length(*parts[taken++]) < 0;
    }
    NodePtr first = make_concat({parts.begin(), parts.begin() + taken});
    if (taken == parts.size()) return split(first);
    NodePtr rest = make_concat({parts.begin() + taken, parts.end()});
    return pair(Split::Kind::Concat, automaton(first), automaton(reversed(rest)), first, rest);
  }

  int split_alternate(const std::vector<NodePtr> &branches) {
    if (branches.size() == 1) return split(branches[0]);
    auto rest = std::make_shared<Node>();
    rest->kind = Node::Kind::Alternate;
    rest->children.assign(branches.begin() + 1, branches.end());
    for (const NodePtr &b : rest->children) rest->has_groups |= b->has_groups;
    return pair(Split::Kind::Alternate, automaton(branches[0]), -1, branches[0],
                rest->children.size() == 1 ? rest->children[0] : rest);
  }

  // x{2,4} is x x (x (x)?)?; what is repeated without a bound is a loop.
  int split_repeat(const Node &node) {
    const NodePtr &child = node.children[0];
    if (node.max == 0) return -1;
    if (node.min == 0 && node.max < 0)
      return pair(Split::Kind::Repeat, automaton(child), automaton(reversed(make_repeat(child, 0, -1))), child,
                  nullptr);
    if (node.min == 0 && node.max == 1) return split_optional(child);
    NodePtr rest = make_repeat(child, std::max(0, node.min - 1), node.max < 0 ? -1 : node.max - 1);
    NodePtr both = make_concat({child, rest});
    return node.min > 0 ? split(both) : split_optional(both);
  }

  // Taken once or not at all; not at all only when the match is empty and `once` can't be.
  int split_optional(const NodePtr &once) { return pair(Split::Kind::Alternate, automaton(once), -1, once, nullptr); }

  Compiled &out_;
};

// How many ranges wait at most while a match is divided. A split's parts have higher numbers than it.
int stack_depth(const std::vector<Split> &splits) {
  std::vector<int> depth(splits.size() + 1, 0);
  for (size_t i = splits.size(); i-- > 0;) {
    const Split &s = splits[i];
    int first = s.first < 0 ? 0 : depth[s.first], second = s.second < 0 ? 0 : depth[s.second];
    if (s.kind == Split::Kind::Concat && s.second >= 0) first++;
    depth[i] = std::max({first, second, 1});
  }
  return depth[0];
}

}  // namespace

Compiled compile(const std::string &pattern, bool with_groups) {
  Parsed parsed = parse(pattern);
  Compiled out;
  out.groups = parsed.groups;
  Compiler compiler(out);
  out.search = compiler.automaton(make_concat({any_bytes(), parsed.root}));
  if (!with_groups) return out;
  out.back = compiler.automaton(reversed(make_concat({parsed.root, any_bytes()})));
  out.forward = compiler.automaton(parsed.root);
  out.root = compiler.split(parsed.root);
  if (stack_depth(out.splits) > deepest_stack) throw TooBig();
  return out;
}

}  // namespace regex
