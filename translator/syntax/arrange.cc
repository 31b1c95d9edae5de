// SPDX-License-Identifier: GPL-2.0-or-later
// Works on the tokens between preprocessor and grammar, where what a token means depends on context that an LALR
// grammar can't look at.
//
//  - In a probe point, words and stars that touch each other are joined to one name (`sys**open`, `syscall.*`),
//  keywords
//    become names, and braces become groups: `syscall.{open,close}`.
//  - After `->` a keyword becomes a member's name (`$page->next`), and a trailing `$` becomes a token of its own, which
//    asks for pretty-printing (`$p->q$`).
//  - Adjacent strings become one.
//  - Brackets are made to balance. A missing or stray one is reported here, so that the grammar can go on without it.
#include <algorithm>
#include <fmt/core.h>

#include "base/session.h"
#include "syntax/ast.h"
#include "syntax/grammar.hh"

using Kind = yy::Grammar::token;

std::string spelling(const Token &t) {
  switch (t.kind) {
    case 0: return "the end of the script";
    case Kind::STRING: return "a string";
    case Kind::EMBEDDED: return "embedded C";
    case Kind::AT_NAME: return fmt::format("'@{}'", t.text);
    default: return fmt::format("'{}'", t.text);
  }
}

namespace {

bool is_keyword(int kind) { return kind >= Kind::PROBE && kind <= Kind::CATCH; }
bool begins_declaration(int kind) {
  return kind == Kind::PROBE || kind == Kind::GLOBAL || kind == Kind::FUNCTION || kind == Kind::PRIVATE;
}
int closer_of(int kind) {
  switch (kind) {
    case '(': return ')';
    case '[': return ']';
    case '{': return '}';
    case Kind::GROUP_OPEN: return Kind::GROUP_CLOSE;
    default: return 0;
  }
}
char closer_char(int kind) { return kind == '(' ? ')' : kind == '[' ? ']' : '}'; }

// Whether b is written directly behind a.
bool touch(const Place &a, const Place &b) {
  return a.file == b.file && a.line == b.line && a.col + a.length == b.col && a.expanded_from == b.expanded_from;
}

class Arranger {
 public:
  Arranger(Session &s, std::vector<Token> in, const SourceFile *source) : s_(s), in_(std::move(in)), source_(source) {}
  std::vector<Token> run();

 private:
  enum class Mode { Script, Point, PointArgument, Condition };
  struct Open {
    int kind;
    Place place;
    bool of_for = false;
  };

  void take();
  void take_in_point(Token &t);
  void take_in_script(Token &t);
  void name_in_point();
  void open(Token t);
  void close(const Token &t);
  void close_innermost(const Place &before, bool report);
  void unclosed(const Open &o, const Place &before);
  void emit(Token t) { out_.push_back(std::move(t)); }
  Token made(int kind, const char *text, const Place &place) {
    Token t;
    t.kind = kind;
    t.text = text;
    t.place = place;
    t.place.length = 1;
    return t;
  }
  void split_pretty(Token t, size_t minimum);
  void take_fraction(const Token &number);

  Session &s_;
  std::vector<Token> in_;
  const SourceFile *source_;
  std::vector<Token> out_;
  std::vector<Open> open_;
  size_t at_ = 0;
  Mode mode_ = Mode::Script;
  bool expect_name_ = false;   // in a probe point: a component may begin
  size_t argument_depth_ = 0;  // how many brackets are open around the condition or argument at hand
};

void Arranger::unclosed(const Open &o, const Place &before) {
  const char name = o.kind == Kind::GROUP_OPEN ? '{' : static_cast<char>(o.kind);
  auto &d = s_.diag.error("unclosed-bracket", o.place, "parse error: this '{}' is never closed", name);
  d.note(fmt::format("'{}' is missing before this", closer_char(o.kind)), before);
}

void Arranger::close_innermost(const Place &before, bool report) {
  Open o = open_.back();
  if (report) unclosed(o, before);
  open_.pop_back();
  const char text[2] = {closer_char(o.kind), 0};
  emit(made(closer_of(o.kind), text, before));
}

void Arranger::open(Token t) {
  const bool of_for = t.kind == '(' && !out_.empty() && out_.back().kind == Kind::FOR;
  open_.push_back({t.kind, t.place, of_for});
  emit(std::move(t));
}

void Arranger::close(const Token &t) {
  auto matches = [&](const Open &o) { return closer_char(o.kind) == t.text[0]; };
  auto opener = std::find_if(open_.rbegin(), open_.rend(), matches);
  if (opener == open_.rend()) {
    s_.diag.error("stray-bracket", t.place, "parse error: this '{}' closes nothing", t.text);
    return;
  }
  const size_t depth = open_.rend() - opener;  // of the matching opener, from 1
  while (open_.size() > depth) close_innermost(t.place, true);
  Token closer = t;
  closer.kind = closer_of(open_.back().kind);
  open_.pop_back();
  emit(std::move(closer));
}

// Splits `name$` into the name and `$`. The first `minimum` bytes belong to the name even when they are `$`.
void Arranger::split_pretty(Token t, size_t minimum) {
  size_t tail = 0;
  while (tail < 2 && t.text.size() > minimum + tail && t.text[t.text.size() - 1 - tail] == '$') tail++;
  Token suffix = t;
  t.text.resize(t.text.size() - tail);
  t.place.length -= std::min<uint32_t>(tail, t.place.length - 1);
  const Place name_place = t.place;
  emit(std::move(t));
  if (tail == 0) return;
  suffix.kind = tail == 2 ? Kind::PRETTY_DEEP : Kind::PRETTY;
  suffix.text = tail == 2 ? "$$" : "$";
  suffix.place.col = name_place.col + name_place.length;
  suffix.place.length = tail;
  emit(std::move(suffix));
}

// Reports `1.5`, which other languages read as a number. Here the dot joins strings, so it can mean nothing.
void Arranger::take_fraction(const Token &number) {
  if (at_ + 1 >= in_.size() || in_[at_].kind != '.' || in_[at_ + 1].kind != Kind::NUMBER) return;
  if (!touch(number.place, in_[at_].place) || !touch(in_[at_].place, in_[at_ + 1].place)) return;
  Place place = number.place;
  place.length += 1 + in_[at_ + 1].place.length;
  s_.diag.error("bad-number", place, "parse error: '{}.{}' is not a whole number", number.text, in_[at_ + 1].text)
      .hint("count in a smaller unit, such as thousandths");
  at_ += 2;
}

// Joins the tokens that touch each other into the name of one component.
void Arranger::name_in_point() {
  Token name = in_[at_++];
  auto part_of_name = [](const Token &t) {
    return t.kind == Kind::IDENTIFIER || t.kind == Kind::NUMBER || t.kind == '*' || is_keyword(t.kind) ||
           t.kind == Kind::TARGET;
  };
  while (at_ < in_.size() && part_of_name(in_[at_]) && touch(name.place, in_[at_].place)) {
    name.text += in_[at_].text;
    name.place.length += in_[at_].place.length;
    at_++;
  }
  name.kind = Kind::COMPONENT;
  emit(std::move(name));
  expect_name_ = false;
}

void Arranger::take_in_point(Token &t) {
  if (expect_name_ && (t.kind == Kind::IDENTIFIER || t.kind == Kind::NUMBER || t.kind == '*' || is_keyword(t.kind)))
    return name_in_point();
  at_++;
  if (t.kind == '{' && expect_name_) {
    t.kind = Kind::GROUP_OPEN;
    return open(std::move(t));
  }
  if (t.kind == '{' || begins_declaration(t.kind) || t.kind == Kind::EMBEDDED) {
    mode_ = Mode::Script;
    at_--;
    return;
  }
  if (t.kind == '(') {
    argument_depth_ = open_.size();
    mode_ = !out_.empty() && out_.back().kind == Kind::IF ? Mode::Condition : Mode::PointArgument;
    return open(std::move(t));
  }
  if (t.kind == ')' || t.kind == ']' || t.kind == '}') {
    close(t);
    expect_name_ = false;
    return;
  }
  expect_name_ = t.kind == '.' || t.kind == ',' || t.kind == '=' || t.kind == Kind::ADD_ASSIGN;
  emit(t);
}

void Arranger::take_in_script(Token &t) {
  at_++;
  if (!out_.empty() && out_.back().kind == Kind::ARROW && (t.kind == Kind::IDENTIFIER || is_keyword(t.kind))) {
    t.kind = Kind::IDENTIFIER;
    return split_pretty(std::move(t), 1);
  }
  if (begins_declaration(t.kind) && !open_.empty()) {
    // A declaration inside brackets most likely means that the closing brackets were forgotten, not that the
    // declaration stands in the wrong place.
    unclosed(open_.front(), t.place);
    while (!open_.empty()) close_innermost(t.place, false);
    mode_ = Mode::Script;
  }
  switch (t.kind) {
    case Kind::PROBE:
      mode_ = Mode::Point;
      expect_name_ = true;
      return emit(t);
    case '(':
    case '[':
    case '{': return open(std::move(t));
    case ')':
    case ']':
    case '}': return close(t);
    case ';':
      while (!open_.empty() && (open_.back().kind == '(' || open_.back().kind == '[') && !open_.back().of_for)
        close_innermost(t.place, true);
      return emit(t);
    case Kind::STRING:
      if (!out_.empty() && out_.back().kind == Kind::STRING) {
        out_.back().text += t.text;
        if (!out_.back().unknown_escape) out_.back().unknown_escape = t.unknown_escape;
        return;
      }
      return emit(t);
    case Kind::TARGET: return split_pretty(std::move(t), t.text.compare(0, 2, "$$") == 0 ? 3 : 2);
    case Kind::NUMBER:
      if (t.malformed)
        s_.diag.error("bad-number", t.place, "parse error: '{}' is not a number of at most 64 bits", t.text);
      take_fraction(t);
      return emit(t);
    default: return emit(t);
  }
}

void Arranger::take() {
  Token &t = in_[at_];
  if (mode_ == Mode::Point) return take_in_point(t);
  take_in_script(t);
  if ((mode_ == Mode::PointArgument || mode_ == Mode::Condition) && open_.size() <= argument_depth_) {
    mode_ = Mode::Point;
    expect_name_ = false;
  }
}

std::vector<Token> Arranger::run() {
  Place end{source_, 1, 1, 1, nullptr};
  for (const Token &t : in_)
    if (t.place.file == source_) end = t.place;
  end.col += end.length;
  end.length = 1;
  while (at_ < in_.size()) take();
  if (!open_.empty()) {
    unclosed(open_.front(), end);
    while (!open_.empty()) close_innermost(end, false);
  }
  emit(made(0, "", end));
  return std::move(out_);
}

}  // namespace

std::vector<Token> arrange(Session &s, std::vector<Token> tokens, const SourceFile *source) {
  return Arranger(s, std::move(tokens), source).run();
}
