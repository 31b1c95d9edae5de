// SPDX-License-Identifier: GPL-2.0-or-later
// The frames of a compiled script's functions, from what gcc's -fstack-usage writes.
#include "build/stack_usage.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "abi/stack.h"

// A line is "FILE:LINE:COLUMN:FUNCTION<tab>BYTES<tab>QUALIFIERS"; the qualifiers are "static", "dynamic" or
// "dynamic,bounded" (gcc's manual, "Developer Options").
static void check_file(const std::filesystem::path &stack_usage) {
  std::ifstream lines(stack_usage);
  for (std::string line; std::getline(lines, line);) {
    const size_t name_end = line.find('\t');
    const size_t bytes_end = name_end == std::string::npos ? name_end : line.find('\t', name_end + 1);
    if (bytes_end == std::string::npos) continue;
    const size_t name = line.rfind(':', name_end) + 1;
    const uint64_t bytes = std::stoull("0" + line.substr(name_end + 1, bytes_end - name_end - 1));
    const bool unbounded = line.substr(bytes_end + 1) == "dynamic";
    if (bytes > STAP_FRAME_MAX || unbounded)
      // gcc's variants of a function have its name with a suffix: f.constprop.0
      throw FrameTooLarge{line.substr(name, std::min(name_end, line.find('.', name)) - name), unbounded ? 0 : bytes};
  }
}

void check_frames(const std::string &directory) {
  for (const auto &file : std::filesystem::directory_iterator(directory))
    if (file.path().extension() == ".su") check_file(file.path());
}
