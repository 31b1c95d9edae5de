// SPDX-License-Identifier: GPL-2.0-or-later
// POSIX extended regular expressions as trees (IEEE Std 1003.1, XBD 9.4, with grep(1)'s \w \W \s \S \< \> \b \B).
#pragma once
#include <bitset>
#include <memory>
#include <string>
#include <vector>

namespace regex {

using Bytes = std::bitset<256>;

// What can be asserted about what stands before and after a position.
enum class Assertion : uint8_t { Begin, End, WordStart, WordEnd, WordEdge, NoWordEdge };

struct Node;
using NodePtr = std::shared_ptr<const Node>;

struct Node {
  enum class Kind : uint8_t { Empty, Bytes, Assert, Concat, Alternate, Repeat, Group } kind = Kind::Empty;
  Bytes bytes;                    // Bytes
  Assertion assertion{};          // Assert
  std::vector<NodePtr> children;  // Concat, Alternate: two or more; Repeat, Group: one
  int min = 0, max = -1;          // Repeat; -1: no bound
  int group = 0;                  // Group: its number, from 1
  int last_group = 0;             // Group: the highest number within
  bool has_groups = false;        // a group here or below
};

// What is wrong with a pattern, and at which byte of it.
struct SyntaxError {
  std::string message;
  size_t at = 0;
  std::string hint = "";  // what to write instead, when that is known
};

struct Parsed {
  NodePtr root;
  int groups = 0;  // in parentheses
};

// Throws SyntaxError.
Parsed parse(const std::string &pattern);

NodePtr make_concat(std::vector<NodePtr> children);
NodePtr make_repeat(NodePtr child, int min, int max);
NodePtr any_bytes();  // any byte, any number of times
// What matches the same text read backwards.
NodePtr reversed(const NodePtr &node);
// The longest match takes exactly this many bytes, or -1 when matches differ in length.
int fixed_length(const Node &node);

}  // namespace regex
