// SPDX-License-Identifier: GPL-2.0-or-later
// A scanner that skips bodies, strings, comments and embedded C, and reads only the heads of declarations.
#include "library/library_scan.h"

#include <cctype>

namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<ScannedName> run() {
    bool is_private = false;
    for (next(); !token_.empty(); next()) {
      if (depth_ > 0) continue;
      if (token_ == "private") {
        is_private = true;
        next();
        if (token_ != "global" && token_ != "function" && token_ != "probe" && is_word()) globals(true);
      }
      if (token_ == "global") {
        next();
        globals(is_private);
      } else if (token_ == "function") {
        next();
        if (is_word()) found_.push_back({ScannedName::Function, std::string(token_), is_private});
      } else if (token_ == "probe") {
        alias(is_private);
      }
      is_private = false;
    }
    return std::move(found_);
  }

  std::vector<ScannedName> run_macros() {
    for (next(); !token_.empty(); next()) {
      if (token_ != "define") continue;
      next();
      if (is_word()) found_.push_back({ScannedName::Macro, std::string(token_), false});
    }
    return std::move(found_);
  }

 private:
  bool is_word() const { return !token_.empty() && (isalpha((unsigned char)token_[0]) || token_[0] == '_'); }

  // global a, b[10], c%[5] = 1  -- the current token is the first name
  void globals(bool is_private) {
    while (is_word()) {
      found_.push_back({ScannedName::Global, std::string(token_), is_private});
      size_t before = at_;
      for (next(); token_ == "[" || token_ == "]" || token_ == "%" || token_ == "=" || token_ == "-" ||
                   token_ == "\"" || (!token_.empty() && isdigit((unsigned char)token_[0]));
           next())
        before = at_;
      if (token_ != ",") {
        at_ = before;  // what comes next is not part of the list
        return;
      }
      next();
    }
    at_ = token_.empty() ? at_ : at_ - token_.size();
  }

  // probe name.name(arg) = ...  or  probe point { : only the first is an alias
  void alias(bool is_private) {
    std::string dotted;
    int parentheses = 0;
    for (next(); !token_.empty(); next()) {
      if (token_ == "{") {
        return;  // a body begins here; next() counts its braces
      }
      if (token_ == "(") parentheses++;
      else if (token_ == ")") parentheses--;
      else if (parentheses > 0) continue;
      else if (token_ == "=" || token_ == "+") {
        if (!dotted.empty()) found_.push_back({ScannedName::Alias, dotted, is_private});
        return;
      } else if (token_ == ",") {
        if (!dotted.empty()) found_.push_back({ScannedName::Alias, dotted, is_private});
        dotted.clear();
      } else if (token_ == "." || is_word() || token_ == "*") {
        dotted += token_;
      }
    }
  }

  // Sets token_ to the next word, number, or single character; a string is one `"`. Empty at the end.
  void next() {
    while (skip_blank()) {}
    if (at_ >= text_.size()) {
      token_ = {};
      return;
    }
    size_t start = at_;
    unsigned char c = text_[at_];
    if (isalnum(c) || c == '_') {
      while (at_ < text_.size() && (isalnum((unsigned char)text_[at_]) || text_[at_] == '_' || text_[at_] == '$'))
        at_++;
    } else if (c == '"') {
      for (at_++; at_ < text_.size() && text_[at_] != '"'; at_++)
        if (text_[at_] == '\\') at_++;
      at_ = std::min(at_ + 1, text_.size());
      token_ = text_.substr(start, 1);
      return;
    } else {
      at_++;
      if (c == '{') depth_++;
      if (c == '}' && depth_ > 0) depth_--;
    }
    token_ = text_.substr(start, at_ - start);
  }

  bool skip_blank() {
    if (at_ >= text_.size()) return false;
    char c = text_[at_];
    std::string_view rest = text_.substr(at_);
    if (isspace((unsigned char)c)) return ++at_, true;
    if (c == '#' || rest.starts_with("//")) return skip_past("\n");
    if (rest.starts_with("/*")) return skip_past("*/");
    if (rest.starts_with("%{")) return skip_past("%}");
    return false;
  }

  bool skip_past(std::string_view mark) {
    size_t end = text_.find(mark, at_ + (mark == "\n" ? 0 : 2));
    at_ = end == std::string_view::npos ? text_.size() : end + mark.size();
    return true;
  }

  std::string_view text_, token_;
  size_t at_ = 0;
  int depth_ = 0;
  std::vector<ScannedName> found_;
};

}  // namespace

std::vector<ScannedName> scan_names(std::string_view text) { return Scanner(text).run(); }
std::vector<ScannedName> scan_macros(std::string_view text) { return Scanner(text).run_macros(); }
