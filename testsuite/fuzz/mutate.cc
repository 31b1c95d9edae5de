// SPDX-License-Identifier: GPL-2.0-or-later
// Random changes to scripts, half of them made of the language's own words.
#include "fuzz.h"

#include <algorithm>
#include <cctype>

// clang-format off
static const std::vector<std::string> words = {
    "probe ", "begin", "end", "global ", "function ", "private ", "if (", "else ", "while (", "for (;;)",
    "foreach (", " in ", " limit ", "break ", "continue ", "return ", "next ", "try {", "} catch ", "delete ", "{",
    "}", "(", ")", "[", "]", "*", ",", ";", ":", ":long", ":string", "?", "!", "~", "+", "-", "++", "--", "<<<",
    ">>>", "<<=", ">>", "&&", "||", ".", ".=", "=~", "!~", "==", "->", "$", "$$parms", "$x", "@", "@count(", "@sum(",
    "@avg(", "@variance(", "@hist_log(", "@hist_linear(", "@cast(", "@var(", "@defined(", "@define ", "%(", "%?",
    "%:", "%)", "%{", "%}", "/* pure */", "#", "//", "/*", "*/", "\"", "\\", "\"\\377\"", "%s", "%*.*d", "%M",
    "printf(", "print(", "println(", "printd(", "sprintf(", "$1", "@1", "$#", "@#", "0x", "0", "9223372036854775807",
    "9223372036854775808", "-1", "18446744073709551616", "kernel.function(\"a\")", "timer.s(1)", "never",
    "probe x = begin ", "+=", "%", "[5]", "%[2]", "\n", " ", "kernel_v", "arch", "CONFIG_X", "systemtap_v", "&$x->y",
    "$x$$", "@entry(", "@enum(", "@const(", "@kderef(8, ", "exit()", "error(\"e\")", "(a|b)*c{2,3}",
};
// clang-format on

std::string mutate(std::mt19937_64 &chance, const std::vector<std::string> &corpus, size_t most_bytes) {
  auto below = [&](size_t n) { return n ? static_cast<size_t>(chance() % n) : 0; };
  std::string text = corpus[below(corpus.size())];
  // A stretch of it: some bytes, a word, or a line.
  auto stretch = [&](const std::string &of) {
    size_t from = below(of.size()), to = std::min(of.size(), from + 1 + below(8));
    const size_t kind = below(3);
    auto is_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '@' || c == '$';
    };
    if (kind == 1) {
      while (from > 0 && is_word(of[from - 1])) from--;
      for (to = from; to < of.size() && is_word(of[to]);) to++;
    } else if (kind == 2) {
      while (from > 0 && of[from - 1] != '\n') from--;
      to = std::min(of.size(), of.find('\n', from));
    }
    return std::pair{from, to - from};
  };
  for (size_t changes = 1 + below(4); changes; changes--) {
    const auto [at, size] = stretch(text);
    switch (below(8)) {
      case 0: text.erase(at, size); break;
      case 1: text.insert(at, text.substr(at, size)); break;
      case 2: text.insert(at, words[below(words.size())]); break;
      case 3: text.replace(at, size, words[below(words.size())]); break;
      case 4:
      case 5: {
        const std::string &other = corpus[below(corpus.size())];
        const auto [from, length] = stretch(other);
        text.replace(at, below(2) ? size : 0, other.substr(from, length));
        break;
      }
      case 6:
        if (!text.empty()) text[below(text.size())] = static_cast<char>(below(256));
        break;
      default: {  // nest it, or repeat it
        const std::string piece = text.substr(at, size);
        std::string many;
        for (size_t i = below(40); i && many.size() < 400; i--) many += piece;
        text.insert(at, many);
      }
    }
  }
  if (text.size() > most_bytes) text.resize(most_bytes);
  return text;
}
