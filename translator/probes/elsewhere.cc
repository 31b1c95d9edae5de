// SPDX-License-Identifier: GPL-2.0-or-later
// Where else a name is that a probe point asked for in vain: what an error proposes.
#include "probes/elsewhere.h"

#include <algorithm>
#include <cstring>
#include <fmt/core.h>
#include <set>

#include "base/files.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/elf_image.h"
#include "debuginfo/find.h"
#include "debuginfo/kallsyms.h"
#include "debuginfo/program_file.h"

namespace {

// Does the module's file define the function? Its names are searched before its symbols are read: a release has
// thousands of modules.
bool defines(const std::string &path, const std::string &function) {
  const auto bytes = read_file(path);
  if (!bytes || !memmem(bytes->data(), bytes->size(), function.c_str(), function.size() + 1)) return false;
  const auto image = ElfImage::read(path);
  if (!image) return false;
  const std::vector<ElfImage::Symbol> symbols = (*image)->symbols();
  return std::any_of(symbols.begin(), symbols.end(), [&](const ElfImage::Symbol &symbol) {
    return symbol.is_function && symbol.section && symbol.name == function;
  });
}

std::set<std::string> modules_that_define(Session &s, const std::string &function, size_t most) {
  std::set<std::string> modules;
  if (s.is_for_running_kernel())
    for (std::string &module : modules_in_proc_kallsyms(read_file("/proc/kallsyms").value_or(""), function))
      modules.insert(std::move(module));
  if (!modules.empty()) return modules;
  for (const auto &[name, path] : module_images(s)) {
    if (path.ends_with(".ko") && defines(path, function)) modules.insert(name);
    if (modules.size() == most) break;
  }
  return modules;
}

bool kernel_has(Session &s, const std::string &function) {
  DebugModule *kernel = DebugInfoSet::of(s).module("kernel", Place{});
  FunctionPattern pattern;
  pattern.function = function;
  Refusals ignored;
  return kernel && !kernel->functions(pattern, DebugModule::Calls | DebugModule::Inlines, ignored).empty();
}

}  // namespace

std::vector<std::string> other_kernel_owners(Session &s, const std::string &function, const std::string &owner,
                                             size_t most) {
  std::vector<std::string> points;
  if (!owner.empty() && kernel_has(s, function)) points.push_back(fmt::format("kernel.function(\"{}\")", function));
  for (const std::string &module : modules_that_define(s, function, most))
    if (module != owner && points.size() < most)
      points.push_back(fmt::format("module(\"{}\").function(\"{}\")", module, function));
  return points;
}

std::vector<std::string> other_libraries(const std::string &program, const std::string &program_point,
                                         const std::string &function, size_t most) {
  std::vector<std::string> points;
  const auto file = ProgramFile::open(program);
  if (!file) return points;
  for (const LoadedLibrary &library : libraries_of(**file)) {
    const auto part = ProgramFile::open(library.path);
    if (points.size() < most && part && (*part)->function_address(function))
      points.push_back(fmt::format("{}.library(\"{}\").function(\"{}\")", program_point, library.name, function));
  }
  return points;
}
