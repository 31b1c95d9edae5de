// SPDX-License-Identifier: GPL-2.0-or-later
// The parser of POSIX extended regular expressions, and what can be said of their trees.
#include "regex/syntax.h"

#include <cctype>
#include <fmt/core.h>
#include <utility>

namespace regex {

namespace {

constexpr int highest_bound = 1000;  // POSIX asks for 255 (RE_DUP_MAX)
constexpr int deepest_nesting = 40;  // the run-time side keeps a stack of this order

NodePtr make_bytes(const Bytes &bytes) {
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::Bytes;
  node->bytes = bytes;
  return node;
}

NodePtr make_assertion(Assertion a) {
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::Assert;
  node->assertion = a;
  return node;
}

NodePtr make_list(Node::Kind kind, std::vector<NodePtr> children) {
  if (children.empty()) return std::make_shared<Node>();
  if (children.size() == 1) return children[0];
  auto node = std::make_shared<Node>();
  node->kind = kind;
  for (const NodePtr &c : children) node->has_groups |= c->has_groups;
  node->children = std::move(children);
  return node;
}

Bytes class_named(const std::string &name, size_t at) {
  using Test = int (*)(int);
  static const std::pair<const char *, Test> classes[] = {
      {"alnum", std::isalnum}, {"alpha", std::isalpha}, {"blank", std::isblank}, {"cntrl", std::iscntrl},
      {"digit", std::isdigit}, {"graph", std::isgraph}, {"lower", std::islower}, {"print", std::isprint},
      {"punct", std::ispunct}, {"space", std::isspace}, {"upper", std::isupper}, {"xdigit", std::isxdigit}};
  for (auto &[known, test] : classes) {
    if (name != known) continue;
    Bytes bytes;
    for (int b = 0; b < 128; b++) bytes[b] = test(b) != 0;  // the C locale's
    return bytes;
  }
  throw SyntaxError{fmt::format("no character class is named [:{}:]", name), at};
}

// What to write for an escape that other languages' patterns have.
std::string instead_of(char escape) {
  switch (escape) {
    case 'd': return "[0-9] or [[:digit:]]";
    case 'D': return "[^0-9]";
    case 'h': return "[[:blank:]]";
    case 'l': return "[[:lower:]]";
    case 'u': return "[[:upper:]]";
    case 'A': return "^";
    case 'z':
    case 'Z': return "$";
    case 'n':
    case 't':
    case 'r':
    case 'f':
    case 'v':
    case 'a':
    case 'e': return fmt::format("the string's own \\{}, with one backslash", escape);
    default: return std::string(1, escape) + " for the character itself";
  }
}

class Parser {
 public:
  explicit Parser(const std::string &pattern) : p_(pattern) {}

  Parsed parse() {
    NodePtr root = alternation(0);
    return {root, groups_};
  }

 private:
  bool more() const { return at_ < p_.size(); }
  bool take(char c) {
    if (!more() || p_[at_] != c) return false;
    at_++;
    return true;
  }

  // alternation: branch ('|' branch)*
  NodePtr alternation(int depth) {
    std::vector<NodePtr> branches = {branch(depth)};
    while (take('|')) branches.push_back(branch(depth));
    return make_list(Node::Kind::Alternate, std::move(branches));
  }

  // branch: (atom quantifier*)*; a ')' that closes nothing is itself, as in grep -E
  NodePtr branch(int depth) {
    std::vector<NodePtr> parts;
    while (more() && p_[at_] != '|' && (p_[at_] != ')' || depth == 0)) parts.push_back(quantified(atom(depth)));
    return make_concat(std::move(parts));
  }

  NodePtr quantified(NodePtr node) {
    for (;;) {
      int min, max;
      size_t start = at_;
      if (take('*')) min = 0, max = -1;
      else if (take('+')) min = 1, max = -1;
      else if (take('?')) min = 0, max = 1;
      else if (!interval(min, max)) return node;
      if (++quantifiers_ > 1000) throw SyntaxError{"too many repetitions", start};
      node = make_repeat(std::move(node), min, max);
    }
  }

  // {n} {n,} {,m} {n,m}; any other brace is itself, as in grep -E.
  bool interval(int &min, int &max) {
    if (!more() || p_[at_] != '{') return false;
    size_t at = at_ + 1;
    auto number = [&](int otherwise) {
      size_t start = at;
      long value = 0;
      while (at < p_.size() && std::isdigit((unsigned char)p_[at]) && value < 100000)
        value = value * 10 + (p_[at++] - '0');
      return at == start ? otherwise : (int)value;
    };
    size_t digits = at;
    min = number(0);
    bool bounded = at > digits;
    max = min;
    if (at < p_.size() && p_[at] == ',') {
      at++;
      digits = at;
      max = number(-1);
      bounded |= at > digits;
    }
    if (!bounded || at >= p_.size() || p_[at] != '}') return false;
    if (min > highest_bound || max > highest_bound) throw SyntaxError{"a repetition is at most 1000 times", at_};
    if (max >= 0 && max < min) throw SyntaxError{"the bounds of the repetition are in the wrong order", at_};
    at_ = at + 1;
    return true;
  }

  NodePtr atom(int depth) {
    size_t start = at_;
    char c = p_[at_++];
    switch (c) {
      case '(': return group(start, depth);
      case '[': return make_bytes(bracket(start));
      case '.': return make_bytes(Bytes().set());
      case '^': return make_assertion(Assertion::Begin);
      case '$': return make_assertion(Assertion::End);
      case '*':
      case '+':
      case '?': throw SyntaxError{fmt::format("nothing stands before '{}' for it to repeat", c), start};
      case '\\': return escape(start);
      default: return make_bytes(Bytes().set((unsigned char)c));
    }
  }

  NodePtr group(size_t start, int depth) {
    if (depth >= deepest_nesting) throw SyntaxError{"parentheses are nested too deep", start};
    auto node = std::make_shared<Node>();
    node->kind = Node::Kind::Group;
    node->group = ++groups_;
    node->has_groups = true;
    node->children.push_back(alternation(depth + 1));
    node->last_group = groups_;
    if (!take(')')) throw SyntaxError{"this '(' is never closed", start};
    return node;
  }

  NodePtr escape(size_t start) {
    if (!more()) throw SyntaxError{"a backslash ends the pattern", start};
    char c = p_[at_++];
    Bytes word = class_named("alnum", start).set('_'), space = class_named("space", start);
    switch (c) {
      case 'w': return make_bytes(word);
      case 'W': return make_bytes(~word);
      case 's': return make_bytes(space);
      case 'S': return make_bytes(~space);
      case '<': return make_assertion(Assertion::WordStart);
      case '>': return make_assertion(Assertion::WordEnd);
      case 'b': return make_assertion(Assertion::WordEdge);
      case 'B': return make_assertion(Assertion::NoWordEdge);
      default: break;
    }
    if (c >= '1' && c <= '9') throw SyntaxError{"matching what a subexpression matched again is not possible", start};
    if (std::isalnum((unsigned char)c))
      throw SyntaxError{fmt::format("'\\{}' is no escape of POSIX regular expressions", c), start,
                        "write " + instead_of(c)};
    return make_bytes(Bytes().set((unsigned char)c));
  }

  // --- [...] ---

  // One element: a byte, or -1 after [:class:] or [=x=] added its bytes to the set.
  int element(Bytes &set, size_t start) {
    if (p_[at_] == '[' && at_ + 1 < p_.size() && (p_[at_ + 1] == ':' || p_[at_ + 1] == '.' || p_[at_ + 1] == '=')) {
      char kind = p_[at_ + 1];
      size_t name = at_ + 2, end = p_.find(std::string(1, kind) + "]", name);
      if (end == std::string::npos) throw SyntaxError{fmt::format("this '[{}' is never closed", kind), at_};
      std::string text = p_.substr(name, end - name);
      at_ = end + 2;
      if (kind == ':') {
        set |= class_named(text, name);
        return -1;
      }
      if (text.size() != 1) throw SyntaxError{"only single characters are collating elements", name};
      if (kind == '.') return (unsigned char)text[0];
      set.set((unsigned char)text[0]);
      return -1;
    }
    (void)start;
    return (unsigned char)p_[at_++];
  }

  Bytes bracket(size_t start) {
    Bytes set;
    bool negated = take('^');
    for (bool first = true;; first = false) {
      if (!more()) throw SyntaxError{"this '[' is never closed", start};
      if (!first && take(']')) break;
      size_t from_at = at_;
      int from = element(set, start);
      bool range = at_ + 1 < p_.size() && p_[at_] == '-' && p_[at_ + 1] != ']';
      if (!range) {
        if (from >= 0) set.set(from);
        continue;
      }
      at_++;
      int to = element(set, start);
      if (from < 0 || to < 0) throw SyntaxError{"a class can't be the end of a range", from_at};
      if (to < from) throw SyntaxError{"the ends of this range are in the wrong order", from_at};
      for (int b = from; b <= to; b++) set.set(b);
    }
    return negated ? ~set : set;
  }

  const std::string &p_;
  size_t at_ = 0;
  int groups_ = 0;
  int quantifiers_ = 0;
};

}  // namespace

Parsed parse(const std::string &pattern) { return Parser(pattern).parse(); }

NodePtr make_concat(std::vector<NodePtr> children) { return make_list(Node::Kind::Concat, std::move(children)); }

NodePtr make_repeat(NodePtr child, int min, int max) {
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::Repeat;
  node->min = min;
  node->max = max;
  node->has_groups = child->has_groups;
  node->children.push_back(std::move(child));
  return node;
}

NodePtr any_bytes() { return make_repeat(make_bytes(Bytes().set()), 0, -1); }

NodePtr reversed(const NodePtr &node) {
  auto copy = std::make_shared<Node>(*node);
  copy->children.clear();
  for (const NodePtr &c : node->children) copy->children.push_back(reversed(c));
  if (node->kind == Node::Kind::Concat) copy->children = {copy->children.rbegin(), copy->children.rend()};
  if (node->kind == Node::Kind::Assert) {
    switch (node->assertion) {
      case Assertion::Begin: copy->assertion = Assertion::End; break;
      case Assertion::End: copy->assertion = Assertion::Begin; break;
      case Assertion::WordStart: copy->assertion = Assertion::WordEnd; break;
      case Assertion::WordEnd: copy->assertion = Assertion::WordStart; break;
      case Assertion::WordEdge:
      case Assertion::NoWordEdge: break;
    }
  }
  return copy;
}

int fixed_length(const Node &node) {
  int total = 0;
  switch (node.kind) {
    case Node::Kind::Empty:
    case Node::Kind::Assert: return 0;
    case Node::Kind::Bytes: return 1;
    case Node::Kind::Group: return fixed_length(*node.children[0]);
    case Node::Kind::Repeat:
      total = fixed_length(*node.children[0]);
      return total < 0 || total > 1000 || node.min != node.max ? -1 : total * node.min;
    case Node::Kind::Concat:
      for (const NodePtr &c : node.children) {
        int n = fixed_length(*c);
        if (n < 0) return -1;
        total += n;
      }
      return total;
    case Node::Kind::Alternate:
      total = -1;
      for (const NodePtr &c : node.children) {
        int n = fixed_length(*c);
        if (n < 0 || (total >= 0 && n != total)) return -1;
        total = n;
      }
      return total;
  }
  return -1;
}

}  // namespace regex
