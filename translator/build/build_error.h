// SPDX-License-Identifier: GPL-2.0-or-later
// What stops a build. Everything in this folder that the run can't go on without throws; what it can do without, such
// as keeping something in the cache, returns a Result.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "base/diag.h"
#include "base/result.h"

// A full disk gets an id and a hint of its own, whoever ran into it: stap, the compiler or kbuild.
FatalError build_error(const std::string &id, const std::string &message, std::vector<std::string> hints = {});

// The value of a step that must succeed; ends the build when it did not.
template <class T> T need(Result<T> result) {
  if (!result) throw build_error("compile-failed", result.reason());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}
