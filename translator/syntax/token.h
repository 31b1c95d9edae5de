// SPDX-License-Identifier: GPL-2.0-or-later
// Tokens, and the three steps between a text and the grammar: scan, preprocess, arrange.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/source.h"

class Session;

struct Token {
  int kind = 0;            // a Grammar::token value (grammar.yy)
  std::string text;        // spelling; of a string its value, of %{ %} the C inside, of @name the name
  int64_t number = 0;      // of a NUMBER; of $3 and @3: 3, of $# and @#: 0
  Place unknown_escape;    // in a STRING: the first letter that is no escape sequence, whose backslash was left out
  bool malformed = false;  // a NUMBER that is none, such as 12ab: legal only inside a probe point's name
  Place place;
};

// The text's tokens, comments and white space left out. Reports what is no token (lexer.l).
std::vector<Token> scan(Session &s, const SourceFile *source);

// What bison reads: probe points' names put together, adjacent strings glued, brackets made to balance
// (a missing or stray one is reported and repaired, so that the grammar can go on). Ends with an end token.
std::vector<Token> arrange(Session &s, std::vector<Token> tokens, const SourceFile *source);

// The token as the script's author wrote it.
std::string spelling(const Token &t);
