// SPDX-License-Identifier: GPL-2.0-or-later
// A mark's arguments: operands in the assembler's notation, each with its size in front.
//
//   arguments = argument {" " argument}
//   argument  = [["-"] SIZE ["f"] "@"] operand        a minus says that it is signed, an f that it is a float
//   operand   = "%" REGISTER | "$" sum | [sum] ["(" ["%" REGISTER] ["," "%" REGISTER ["," SCALE]] ")"]
//   sum       = ["+" | "-"] term {("+" | "-") term}
//   term      = NUMBER | SYMBOL
#include <fmt/core.h>

#include <cstdlib>
#include <sstream>

#include "debuginfo/marks.h"

namespace {

class ArgumentParser {
 public:
  ArgumentParser(const Arch &arch, const std::string &text, const SymbolFinder &symbols)
      : arch_(arch), text_(text), symbols_(symbols) {}

  MarkArgument parse() {
    read_size();
    if (result_.reason.empty()) read_operand();
    if (!result_.reason.empty()) result_.form = MarkArgument::Form::Unknown;
    return result_;
  }

 private:
  void fail(const std::string &reason) {
    if (result_.reason.empty()) result_.reason = reason;
  }
  void fail_on_text() { fail(fmt::format("'{}' is not understood", text_)); }

  // A symbol's name may have an @ too, so what stands before it must be a size.
  void read_size() {
    size_t at = text_[0] == '-';
    const size_t digits = at;
    while (at < text_.size() && isdigit(static_cast<unsigned char>(text_[at]))) at++;
    const bool is_float = at < text_.size() && text_[at] == 'f';
    if (at == digits || at - digits > 4 || at + is_float >= text_.size() || text_[at + is_float] != '@') return;
    has_size_ = true;
    result_.is_signed = text_[0] == '-';
    result_.size = static_cast<uint32_t>(std::stoul(text_.substr(digits, at - digits)));
    at_ = at + is_float + 1;
    if (is_float) fail("it is a floating-point number");
    else if (result_.size != 1 && result_.size != 2 && result_.size != 4 && result_.size != 8)
      fail(fmt::format("it has {} bytes", result_.size));
  }

  char next() const { return at_ < text_.size() ? text_[at_] : 0; }
  bool take(char c) {
    if (next() != c) return false;
    at_++;
    return true;
  }

  void read_operand() {
    if (next() == '%') read_register_operand();
    else if (take('$')) {
      result_.form = MarkArgument::Form::Immediate;
      read_sum();
    } else {
      result_.form = MarkArgument::Form::Memory;
      if (next() != '(') read_sum();
      if (take('(')) read_registers();
    }
    if (at_ != text_.size()) fail_on_text();
  }

  void read_register_operand() {
    const std::optional<RegisterPart> part = read_register();
    if (!part) return;
    result_.form = MarkArgument::Form::Register;
    result_.base = part->dwarf_number;
    result_.shift = part->shift;
    if (!has_size_) result_.size = part->size;
  }

  std::optional<RegisterPart> read_register() {
    const size_t start = at_;
    if (!take('%')) fail_on_text();
    while (isalnum(static_cast<unsigned char>(next()))) at_++;
    const std::string name = text_.substr(start, at_ - start);
    if (next() == ':') fail(fmt::format("it is in the thread's own memory, behind {}", name));
    const auto part = name.empty() ? std::nullopt : arch_.find_register(name.substr(1));
    if (!part) fail(fmt::format("it is in register {}, which is not saved at a hit", name));
    return part;
  }

  // An address is made of whole registers.
  std::optional<uint32_t> read_address_register() {
    const auto part = read_register();
    if (part && part->size != arch_.word_size) fail_on_text();
    return part ? std::optional(part->dwarf_number) : std::nullopt;
  }

  void read_registers() {
    const bool relative = text_.compare(at_, 4, "%rip") == 0;
    if (relative) {
      at_ += 4;
      if (!result_.symbol) fail("it is relative to an instruction that is not known");
    } else if (next() == '%') {
      result_.base = read_address_register();
    }
    if (take(',')) result_.index = read_address_register();
    if (take(',')) {
      const char scale = next();
      at_++;
      if (scale != '1' && scale != '2' && scale != '4' && scale != '8') fail_on_text();
      else result_.scale = static_cast<uint32_t>(scale - '0');
    }
    if (!take(')')) fail_on_text();
  }

  void read_sum() {
    bool negative = take('-');
    if (!negative) take('+');
    for (;;) {
      read_term(negative);
      negative = next() == '-';
      if (!take('-') && !take('+')) return;
    }
  }

  void read_term(bool negative) {
    if (isdigit(static_cast<unsigned char>(next()))) {
      const char *start = text_.c_str() + at_;
      char *end = nullptr;
      const uint64_t number = std::strtoull(start, &end, 0);
      at_ += static_cast<size_t>(end - start);
      result_.offset = static_cast<int64_t>(static_cast<uint64_t>(result_.offset) + (negative ? -number : number));
      return;
    }
    const size_t start = at_;
    while (next() == '_' || next() == '.' || next() == '$' || next() == '@' ||
           isalnum(static_cast<unsigned char>(next())))
      at_++;
    const std::string name = text_.substr(start, at_ - start);
    if (name.empty() || negative || result_.symbol) return fail_on_text();
    result_.symbol = symbols_(name);
    if (!result_.symbol) fail(fmt::format("it is at the symbol '{}', which is not in the file's symbol tables", name));
  }

  const Arch &arch_;
  const std::string &text_;
  const SymbolFinder &symbols_;
  MarkArgument result_;
  size_t at_ = 0;
  bool has_size_ = false;
};

}  // namespace

std::vector<MarkArgument> parse_mark_arguments(const Arch &arch, const std::string &text, const SymbolFinder &symbols) {
  std::vector<MarkArgument> arguments;
  std::istringstream words(text);
  for (std::string word; words >> word;) arguments.push_back(ArgumentParser(arch, word, symbols).parse());
  return arguments;
}
