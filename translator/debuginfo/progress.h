// SPDX-License-Identifier: GPL-2.0-or-later
// A progress bar for work that takes seconds. It is drawn on standard error, and only when that is a terminal.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

class Progress {
 public:
  explicit Progress(std::string title);
  ~Progress();  // erases the bar
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  void update(uint64_t done, uint64_t total);

 private:
  std::string title_;
  bool terminal_, drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};
