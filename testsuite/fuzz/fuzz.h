// SPDX-License-Identifier: GPL-2.0-or-later
// The parts of the fuzzer: target, coverage, mutation.
#pragma once
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

// Takes a text through the passes; returns or crashes.
void run_target(const std::string &text);

// Edges that the fuzzed objects have gone through: one counter for each hash of two code addresses.
constexpr size_t coverage_size = 1 << 18;
extern uint8_t coverage[coverage_size];

// One of the corpus changed at random: bytes, words, lines, or parts of another.
std::string mutate(std::mt19937_64 &chance, const std::vector<std::string> &corpus, size_t most_bytes);
