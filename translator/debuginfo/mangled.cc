// SPDX-License-Identifier: GPL-2.0-or-later
// Mangled names by the C++ library's demangler, which knows what Rust has taken over from C++ too, and those of Rust's
// own mangling.
#include "debuginfo/mangled.h"

#include <cxxabi.h>

#include <cstdlib>
#include <vector>

#include "base/glob.h"
#include "debuginfo/rust_v0.h"

namespace {

// What the compiler appends to a symbol's name: ".cold", ".isra.0", ".llvm.123". A mangled name may have dots itself.
std::string_view without_suffix(std::string_view symbol) {
  for (const char *suffix : {".cold", ".isra.", ".part.", ".constprop.", ".llvm.", ".lto_priv."})
    symbol = symbol.substr(0, symbol.find(suffix));
  return symbol;
}

std::string demangle(std::string_view symbol) {
  if (symbol.starts_with("_R")) return demangle_rust_v0(without_suffix(symbol));
  int status = 0;
  char *text = abi::__cxa_demangle(std::string(without_suffix(symbol)).c_str(), nullptr, nullptr, &status);
  std::string name = text ? text : "";
  std::free(text);
  return name;
}

bool is_open(char c) { return c == '<' || c == '(' || c == '[' || c == '{'; }
bool is_close(char c) { return c == '>' || c == ')' || c == ']' || c == '}'; }

// Where the name of an operator is, brackets are part of it: "operator<<", "operator()", "operator->".
size_t skip_operator(std::string_view text, size_t at) {
  constexpr std::string_view word = "operator";
  if (text.substr(at, word.size()) != word) return at;
  if (at && (std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_')) return at;
  at += word.size();
  for (const char *sign : {"<=>", "->*", "<<=", ">>=", "()", "[]", "->", "<<", ">>", "<=", ">=", "<", ">"})
    if (text.substr(at).starts_with(sign)) return at + std::string_view(sign).size();
  return at;
}

// Calls f(position) for each character that is in no brackets.
template <class F> void outside_brackets(std::string_view text, F f) {
  int depth = 0;
  for (size_t at = 0; at < text.size(); at++) {
    if (const size_t after = depth ? at : skip_operator(text, at); after > at) {
      at = after - 1;
      continue;
    }
    if (is_close(text[at]) && depth) {
      depth--;
      continue;
    }
    if (!depth) f(at);
    if (is_open(text[at])) depth++;
  }
}

// Where each part of a name with scopes begins.
std::vector<size_t> parts_of(std::string_view name) {
  std::vector<size_t> starts = {0};
  outside_brackets(name, [&](size_t at) {
    if (name.substr(at, 2) == "::") starts.push_back(at + 2);
  });
  return starts;
}

// "int most<int>(int, int) const" to "most<int>".
std::string without_signature(const std::string &text) {
  size_t end = text.size(), start = 0;
  const std::string_view anonymous = "(anonymous namespace)";
  outside_brackets(text, [&](size_t at) {
    if (end != text.size()) return;
    if (text[at] == '(' && std::string_view(text).substr(at, anonymous.size()) != anonymous) end = at;
    else if (text[at] == ' ') start = at + 1;
  });
  // A conversion's name has blanks: "operator unsigned int".
  if (const size_t word = text.find("operator "); word != text.npos && word < end) {
    start = text.rfind(' ', word);
    start = start == text.npos ? 0 : start + 1;
  }
  return text.substr(start, end - start);
}

// Signs in Rust's names that assemblers don't take: "_$LT$shapes..Rect$u20$as$u20$shapes..Area$GT$" is
// "<shapes::Rect as shapes::Area>".
std::string with_signs(std::string_view name) {
  struct Escape {
    std::string_view text, sign;
  };
  constexpr Escape escapes[] = {{"..", "::"},   {"$LT$", "<"},  {"$GT$", ">"},  {"$RF$", "&"},  {"$BP$", "*"},
                                {"$LP$", "("},  {"$RP$", ")"},  {"$C$", ","},   {"$SP$", "@"},  {"$u20$", " "},
                                {"$u27$", "'"}, {"$u5b$", "["}, {"$u5d$", "]"}, {"$u7b$", "{"}, {"$u7d$", "}"},
                                {"$u7e$", "~"}, {"_$", ""}};
  std::string plain;
  for (size_t at = 0; at < name.size();) {
    const Escape *found = nullptr;
    for (const Escape &escape : escapes)
      if (!found && name.substr(at).starts_with(escape.text)) found = &escape;
    const bool begins_part = at == 0 || name[at - 1] == ':';
    if (found && found->text == "_$") {
      if (begins_part) at++;  // which stands before a sign at the beginning
      else plain += name[at++];
    } else if (found) {
      plain += found->sign;
      at += found->text.size();
    } else {
      plain += name[at++];
    }
  }
  return plain;
}

// Rust's older mangling is that of C++ with a hash at the end: "core::fmt::write::h0123456789abcdef".
void drop_hash(std::string &name) {
  constexpr size_t length = 19;  // with "::h"
  if (name.size() < length || name.compare(name.size() - length, 3, "::h") != 0) return;
  if (name.find_first_not_of("0123456789abcdef", name.size() - length + 3) == name.npos)
    name = with_signs(std::string_view(name).substr(0, name.size() - length));
}

std::string without_template_arguments(const std::string &name) {
  if (name.empty() || name.back() != '>') return name;
  size_t cut = name.size();
  outside_brackets(name, [&](size_t at) {
    if (name[at] == '<') cut = at;
  });
  return name.substr(0, cut);
}

}  // namespace

bool is_mangled(std::string_view symbol) { return symbol.starts_with("_Z") || symbol.starts_with("_R"); }

std::string qualified_name(std::string_view symbol) {
  if (!is_mangled(symbol)) return "";
  std::string name = without_signature(demangle(symbol));
  drop_hash(name);
  return name;
}

std::string unqualified(const std::string &name) { return name.substr(parts_of(name).back()); }

bool matches_qualified(const std::string &pattern, const std::string &name) {
  const bool wild = has_wildcard(pattern);
  for (const std::string &whole : {name, without_template_arguments(name)})
    for (size_t start : parts_of(whole)) {
      const std::string part = whole.substr(start);
      if (wild ? wildcard_match(pattern, part) : pattern == part) return true;
    }
  return false;
}
