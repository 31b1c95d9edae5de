// SPDX-License-Identifier: GPL-2.0-or-later
// A value, or the reason why there is none.
//
// What a function returns when its caller decides what a failure means: `Diagnostics` speaks to the author of the
// script, `FatalError` ends the run, and a Result does neither.
//
//   Result<int> parse_digit(char c) {
//     if (c < '0' || c > '9') return Failure{"not a digit"};
//     return c - '0';
//   }
//
//   const Result<int> digit = parse_digit(c);
//   if (!digit) return digit.failure();  // a Result of any type takes it; or use digit.reason()
//   sum += *digit;
#pragma once
#include <cassert>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

struct Failure {
  std::string reason;  // a text to be shown, or to stand behind a colon
};

template <class T> class [[nodiscard]] Result {
 public:
  template <class U>
  requires std::convertible_to<U, T> &&(!std::same_as<std::remove_cvref_t<U>, Result>)Result(U &&value)
      : state_(std::in_place_index<0>, std::forward<U>(value)) {}
  Result(Failure failure) : state_(std::in_place_index<1>, std::move(failure)) {}

  explicit operator bool() const { return state_.index() == 0; }
  // Only of a success.
  T &operator*() { return *get(*this); }
  const T &operator*() const { return *get(*this); }
  T *operator->() { return get(*this); }
  const T *operator->() const { return get(*this); }
  T value_or(T otherwise) const { return *this ? **this : otherwise; }
  // Only of a failure.
  const Failure &failure() const {
    assert(!*this);
    return *std::get_if<1>(&state_);
  }
  const std::string &reason() const { return failure().reason; }

 private:
  template <class Self> static auto get(Self &self) {
    assert(self);
    return std::get_if<0>(&self.state_);
  }
  std::variant<T, Failure> state_;
};

// Done, or the reason why not: `return {};` is a success.
template <> class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Failure failure) : failure_(std::move(failure)) {}

  explicit operator bool() const { return !failure_; }
  const Failure &failure() const {
    assert(failure_);
    return *failure_;
  }
  const std::string &reason() const { return failure().reason; }

 private:
  std::optional<Failure> failure_;
};
