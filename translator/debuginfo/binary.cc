// SPDX-License-Identifier: GPL-2.0-or-later
// What kind of code a name stands for, and what follows from the kind.
#include "debuginfo/binary.h"

#include <algorithm>
#include <fmt/core.h>

#include "debuginfo/find.h"

LoadRule TargetBinary::load_rule() const {
  switch (kind) {
    case Kind::Kernel: return LoadRule::FromStext;
    case Kind::Module: return LoadRule::FromSection;
    case Kind::File: break;
  }
  return LoadRule::FromLoadBias;
}

bool TargetBinary::is_same_as(const TargetBinary &other) const {
  return kind == other.kind && name == other.name && build_id == other.build_id && notes_offset == other.notes_offset;
}

std::string TargetBinary::describe(const std::string &kernel_release) const {
  if (is_file()) return fmt::format("'{}'", path);
  return is_kernel() ? "kernel " + kernel_release : fmt::format("module '{}' of kernel {}", name, kernel_release);
}

TargetBinary TargetBinary::named(const std::string &name) {
  if (name.empty() || name == "kernel") return {};
  TargetBinary binary;
  binary.kind = Kind::Module;
  binary.name = name;
  if (const size_t slash = name.rfind('/'); slash != name.npos) {
    binary.path = name;
    if (name.compare(slash + 1, 7, "vmlinux") == 0) {
      binary.kind = Kind::Kernel;
      binary.name.clear();
    } else if (const std::string module = module_name_of_file(name); !module.empty()) {
      binary.name = module;
    } else {
      binary.kind = Kind::File;
      return binary;
    }
  }
  std::replace(binary.name.begin(), binary.name.end(), '-', '_');
  return binary;
}
