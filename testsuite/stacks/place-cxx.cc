// SPDX-License-Identifier: GPL-2.0-or-later
// Waits for a signal in the middle of exceptions, and of what else C++ has: place-cxx WAY.
#include <algorithm>
#include <cstring>
#include <exception>
#include <functional>
#include <stdexcept>
#include <unistd.h>
#include <unwind.h>
#include <vector>

namespace {
volatile int done;

__attribute__((noinline)) void here() {
  pause();
  done = done + 1;
}
}  // namespace

namespace shapes {

struct Shape {
  virtual ~Shape() = default;
  virtual void draw(int times) = 0;
};
struct Named {
  virtual ~Named() = default;
  virtual void name() = 0;
};
struct Circle : Shape, Named {
  void draw(int times) override {
    if (times) draw(times - 1);
    else here();
    done = done + 1;
  }
  void name() override {  // called through a thunk
    here();
    done = done + 1;
  }
};

// Its destructor waits while an exception leaves the function that has it.
struct Guard {
  ~Guard() {
    here();
    done = done + 1;
  }
};

template <typename T, int N> __attribute__((noinline)) T throws(T value) {
  if (value < N) throw std::runtime_error("too small");
  return value;
}

__attribute__((noinline)) int guarded(int value) {
  Guard guard;
  return throws<int, 5>(value) + 1;
}

}  // namespace shapes

namespace {

__attribute__((noinline)) void catches() {
  try {
    shapes::throws<int, 5>(1);
  } catch (const std::exception &) {
    here();
  }
  done = done + 1;
}

__attribute__((noinline)) void leaves() {
  try {
    shapes::guarded(1);
  } catch (const std::exception &) {
    done = done + 1;
  }
}

[[noreturn]] void at_the_end() {
  here();
  _exit(0);
}

// No exception may leave it: the one that does ends the program.
__attribute__((noinline)) void lets_none_out(int value) noexcept { done = shapes::throws<int, 5>(value); }

_Unwind_Reason_Code at_frame(struct _Unwind_Context *, void *) {
  here();
  return _URC_END_OF_STACK;
}

__attribute__((noinline)) void walks() {
  _Unwind_Backtrace(at_frame, nullptr);
  done = done + 1;
}

__attribute__((noinline)) void sorts() {
  std::vector<int> numbers = {3, 1, 2};
  std::sort(numbers.begin(), numbers.end(), [](int a, int b) {
    here();
    return a < b;
  });
  done = numbers[0];
}

__attribute__((noinline)) void calls(const std::function<int(double)> &function) { done = function(1.5); }

}  // namespace

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "virtual";
  shapes::Circle circle;
  shapes::Shape *volatile shape = &circle;
  shapes::Named *volatile named = &circle;

  if (!strcmp(way, "virtual")) shape->draw(2);
  else if (!strcmp(way, "thunk")) named->name();
  else if (!strcmp(way, "catch")) catches();
  else if (!strcmp(way, "destructor")) leaves();
  else if (!strcmp(way, "terminate")) {
    std::set_terminate(at_the_end);
    lets_none_out(1);
  } else if (!strcmp(way, "walk")) walks();
  else if (!strcmp(way, "sort")) sorts();
  else
    calls([](double x) {
      here();
      return static_cast<int>(x);
    });
  return done == 0;
}
