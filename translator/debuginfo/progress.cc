// SPDX-License-Identifier: GPL-2.0-or-later
// Drawing the progress bar.
#include "debuginfo/progress.h"

#include <unistd.h>

#include <cstdio>

namespace {
constexpr std::chrono::milliseconds interval(100);
constexpr unsigned width = 40;
}  // namespace

Progress::Progress(std::string title)
    : title_(std::move(title)), terminal_(isatty(STDERR_FILENO)), last_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (drawn_) fprintf(stderr, "\r\033[K");
}

void Progress::update(uint64_t done, uint64_t total) {
  auto now = std::chrono::steady_clock::now();
  if (!terminal_ || !total || now - last_ < interval) return;
  last_ = now;
  drawn_ = true;
  unsigned part = unsigned(done >= total ? width : done * width / total);
  std::string bar = std::string(part, '#') + std::string(width - part, '.');
  fprintf(stderr, "\r%s [%s] %u%%", title_.c_str(), bar.c_str(), unsigned(done >= total ? 100 : done * 100 / total));
}
