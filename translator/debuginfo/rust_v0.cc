// SPDX-License-Identifier: GPL-2.0-or-later
// Rust's "v0" mangling: a descent along the grammar of the Rust compiler's book, "Symbol Mangling". The rule
// stands above the function that reads it.
//
// What comes out is written as DWARF of Rust has it, since the same patterns are to match: generic arguments without
// the two colons before them, functions of a type behind the type without brackets. A function of a trait is
// "<shapes::Rect as shapes::Area>::area".
#include "debuginfo/rust_v0.h"

#include <fmt/core.h>

namespace {

constexpr size_t longest_name = 4096;
constexpr size_t most_written = 1 << 16;  // all parts counted, each as often as it stands in a larger one
constexpr int deepest = 100;

const char *basic_type(char c) {
  switch (c) {
    case 'a': return "i8";
    case 'b': return "bool";
    case 'c': return "char";
    case 'd': return "f64";
    case 'e': return "str";
    case 'f': return "f32";
    case 'h': return "u8";
    case 'i': return "isize";
    case 'j': return "usize";
    case 'l': return "i32";
    case 'm': return "u32";
    case 'n': return "i128";
    case 'o': return "u128";
    case 'p': return "_";
    case 's': return "i16";
    case 't': return "u16";
    case 'u': return "()";
    case 'v': return "...";
    case 'x': return "i64";
    case 'y': return "u64";
    case 'z': return "!";
  }
  return nullptr;
}

class Demangler {
 public:
  explicit Demangler(std::string_view text) : text_(text) {}

  std::string name() {
    const std::string result = path();
    return failed_ ? "" : result;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool eat(char c) {
    if (peek() != c) return false;
    at_++;
    return true;
  }
  std::string fail() {
    failed_ = true;
    at_ = text_.size();
    return "";
  }

  uint64_t decimal();
  uint64_t base_62();
  uint64_t disambiguator() { return eat('s') ? base_62() + 1 : 0; }
  std::string identifier();
  std::string path();
  std::string path_body();
  std::string nested();
  std::string type();
  std::string type_body();
  std::string list(const char *separator, std::string (Demangler::*item)());
  std::string generic_argument();
  std::string function_type();
  std::string dyn_trait();
  std::string constant();
  void skip_binder() {
    if (eat('G')) base_62();
  }
  void skip_lifetime() {
    if (eat('L')) base_62();
  }
  // Goes back to something that was written before.
  template <class F> std::string back_reference(F read);

  std::string_view text_;
  size_t at_ = 0;
  size_t written_ = 0;  // in all: what refers back again and again could grow without end
  int depth_ = 0;
  bool failed_ = false;
};

uint64_t Demangler::decimal() {
  uint64_t number = 0;
  while (peek() >= '0' && peek() <= '9' && number < longest_name) number = number * 10 + uint64_t(text_[at_++] - '0');
  return number;
}

// base-62-number = {0-9a-zA-Z} "_": "_" is 0, "0_" is 1
uint64_t Demangler::base_62() {
  uint64_t number = 0;
  if (eat('_')) return 0;
  while (at_ < text_.size() && !failed_) {
    const char c = text_[at_++];
    if (c == '_') return number + 1;
    uint64_t digit = 0;
    if (c >= '0' && c <= '9') digit = uint64_t(c - '0');
    else if (c >= 'a' && c <= 'z') digit = uint64_t(c - 'a') + 10;
    else if (c >= 'A' && c <= 'Z') digit = uint64_t(c - 'A') + 36;
    else break;
    if (__builtin_mul_overflow(number, uint64_t(62), &number) || __builtin_add_overflow(number, digit, &number)) break;
  }
  fail();
  return 0;
}

// ["u"] decimal-number ["_"] bytes; with "u" in Punycode, which is left as it is
std::string Demangler::identifier() {
  eat('u');
  const uint64_t length = decimal();
  eat('_');
  if (length > text_.size() - at_) return fail();
  const std::string name(text_.substr(at_, length));
  at_ += length;
  return name;
}

template <class F> std::string Demangler::back_reference(F read) {
  const size_t here = at_;
  const uint64_t target = base_62();
  if (failed_ || target >= here) return fail();
  const size_t after = at_;
  at_ = target;
  std::string result = read();
  if (!failed_) at_ = after;
  return result;
}

std::string Demangler::path() {
  if (++depth_ > deepest || written_ > most_written) return fail();
  std::string result = path_body();
  depth_--;
  written_ += result.size();
  return result;
}

// "C" identifier | "M" impl-path type | "X" impl-path type path | "Y" type path | "N" ... | "I" path {generic-arg} "E"
// | "B" base-62-number
std::string Demangler::path_body() {
  if (eat('C')) {
    disambiguator();
    return identifier();
  }
  if (eat('M')) {
    disambiguator();
    path();
    return type();
  }
  if (peek() == 'X' || peek() == 'Y') {
    if (text_[at_++] == 'X') {
      disambiguator();
      path();
    }
    const std::string self = type();
    return fmt::format("<{} as {}>", self, path());
  }
  if (eat('N')) return nested();
  if (eat('I')) {
    const std::string generic = path();
    return fmt::format("{}<{}>", generic, list(", ", &Demangler::generic_argument));
  }
  if (eat('B')) return back_reference([this] { return path(); });
  return fail();
}

// namespace path [disambiguator] identifier; a capital namespace is of something without a name of its own
std::string Demangler::nested() {
  const char space = peek();
  at_++;
  std::string scope = path();
  const uint64_t number = disambiguator();
  const std::string name = identifier();
  if (space == 'C') return fmt::format("{}::{{closure#{}}}", scope, number);
  if (space >= 'A' && space <= 'Z') return fmt::format("{}::{{{}:{}#{}}}", scope, space, name, number);
  return name.empty() ? scope : scope + "::" + name;
}

// Up to "E".
std::string Demangler::list(const char *separator, std::string (Demangler::*item)()) {
  std::string all;
  while (!eat('E') && !failed_) {
    if (at_ >= text_.size()) return fail();
    const std::string one = (this->*item)();
    all += (all.empty() || one.empty() ? "" : separator) + one;
  }
  return all;
}

// lifetime | type | "K" const; lifetimes are left out
std::string Demangler::generic_argument() {
  if (peek() == 'L') {
    skip_lifetime();
    return "";
  }
  return eat('K') ? constant() : type();
}

std::string Demangler::type() {
  if (++depth_ > deepest || written_ > most_written) return fail();
  std::string result = type_body();
  depth_--;
  written_ += result.size();
  return result;
}

// basic-type | path | "A" type const | "S" type | "T" {type} "E" | "R" [lifetime] type | "Q" [lifetime] type | "P" type
// | "O" type | "F" fn-sig | "D" dyn-bounds lifetime | "B" base-62-number
std::string Demangler::type_body() {
  const char kind = peek();
  if (const char *basic = basic_type(kind)) {
    at_++;
    return basic;
  }
  if (kind == 'C' || kind == 'M' || kind == 'X' || kind == 'Y' || kind == 'N' || kind == 'I') return path();
  at_++;
  switch (kind) {
    case 'A': {
      const std::string element = type();
      return fmt::format("[{}; {}]", element, constant());
    }
    case 'S': return fmt::format("[{}]", type());
    case 'T': return fmt::format("({})", list(", ", &Demangler::type));
    case 'R': skip_lifetime(); return "&" + type();
    case 'Q': skip_lifetime(); return "&mut " + type();
    case 'P': return "*const " + type();
    case 'O': return "*mut " + type();
    case 'F': return function_type();
    case 'D': {
      skip_binder();
      std::string bounds = "dyn " + list(" + ", &Demangler::dyn_trait);
      skip_lifetime();
      return bounds;
    }
    case 'B': return back_reference([this] { return type(); });
  }
  return fail();
}

// [binder] ["U"] ["K" abi] {type} "E" type
std::string Demangler::function_type() {
  skip_binder();
  eat('U');
  if (eat('K') && !eat('C')) identifier();
  const std::string arguments = list(", ", &Demangler::type);
  if (eat('u')) return fmt::format("fn({})", arguments);
  return fmt::format("fn({}) -> {}", arguments, type());
}

// path {"p" identifier type}
std::string Demangler::dyn_trait() {
  std::string trait = path();
  while (eat('p') && !failed_) {
    const std::string name = identifier();
    trait += fmt::format("<{} = {}>", name, type());
  }
  return trait;
}

// type ["n"] {hex digit} "_" | "p" | "B" base-62-number
std::string Demangler::constant() {
  if (eat('p')) return "_";
  if (eat('B')) return back_reference([this] { return constant(); });
  type();
  std::string sign = eat('n') ? "-" : "", digits;
  while (at_ < text_.size() && peek() != '_') digits += text_[at_++];
  if (!eat('_')) return fail();
  return fmt::format("{}0x{}", sign, digits.empty() ? "0" : digits);
}

}  // namespace

std::string demangle_rust_v0(std::string_view symbol) {
  if (!symbol.starts_with("_R") || symbol.size() < 4 || symbol.size() > longest_name) return "";
  return Demangler(symbol.substr(2)).name();
}
