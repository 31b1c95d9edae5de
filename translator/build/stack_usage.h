// SPDX-License-Identifier: GPL-2.0-or-later
// The frames of a compiled script's functions, from what gcc's -fstack-usage writes: none may outgrow the stack that a
// handler has.
#pragma once
#include <cstdint>
#include <string>

// A function's frame is larger than runtime/abi/stack.h allows, or has no bound (a variable-length array of embedded
// C).
struct FrameTooLarge {
  std::string function;  // its name in C
  uint64_t bytes;        // of the frame; 0: no bound
};

// Reads the .su files in a directory. Throws FrameTooLarge for the first function with too large a frame.
void check_frames(const std::string &directory);
