// SPDX-License-Identifier: GPL-2.0-or-later
// A program in C++: namespaces, classes, templates, operators, overloads and exceptions. Its calls follow from its
// arguments.
#include <cstdlib>
#include <stdexcept>

namespace shape {

struct Named {
  const char *name;
};

class Square : public Named {
 public:
  explicit Square(long side) : Named{"square"}, side_(side) {}
  [[gnu::noinline]] long area() const {
    __asm__ volatile("");
    return side_ * side_;
  }
  [[gnu::noinline]] Square operator+(const Square &other) const {
    __asm__ volatile("");
    return Square(side_ + other.side_);
  }

 private:
  long side_;
};

[[gnu::noinline]] long area(long a, long b) {
  __asm__ volatile("");
  return a * b;
}

namespace {
[[gnu::noinline]] long hidden(long n) {
  __asm__ volatile("" : "+r"(n));
  return n;
}
}  // namespace

}  // namespace shape

template <class T> [[gnu::noinline]] T most(T a, T b) {
  __asm__ volatile("" : "+r"(a));
  return a > b ? a : b;
}

[[gnu::noinline]] long may_throw(long n) {
  __asm__ volatile("");
  if (n % 2) throw std::runtime_error("odd");
  return n;
}

int main(int argc, char **argv) {
  const long count = argc > 1 ? atol(argv[1]) : 1;
  volatile long sum = 0;
  for (long i = 0; i < count; i++) {
    const shape::Square square(i), both = square + square;
    sum = sum + square.area() + both.area() + shape::area(i, 2) + shape::hidden(i);
    sum = sum + most<int>(int(i), 1) + most<long>(i, 2);
    try {
      sum = sum + may_throw(i);
    } catch (const std::exception &) {
      sum = sum + 1;
    }
  }
  return 0;
}
