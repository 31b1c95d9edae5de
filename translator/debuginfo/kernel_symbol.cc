// SPDX-License-Identifier: GPL-2.0-or-later
// Symbols of the kernel by name: out of kallsyms in its image, or of the running kernel.
#include "debuginfo/kernel_symbol.h"

#include <fmt/core.h>

#include "base/files.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/find.h"
#include "debuginfo/kallsyms.h"

namespace {

std::vector<KernelSymbol> symbols_of(Session &s) {
  for (const std::string &image : find_kernel_images(s)) {
    const auto read = ElfImage::read(image);
    if (!read) continue;
    if (std::vector<KernelSymbol> symbols = read_kallsyms(**read); !symbols.empty()) return symbols;
  }
  const auto running = s.is_for_running_kernel() ? read_file("/proc/kallsyms") : Failure{""};
  return running ? parse_proc_kallsyms(*running) : std::vector<KernelSymbol>{};
}

std::string near_names(const std::vector<KernelSymbol> &symbols, const std::string &name) {
  std::vector<std::string> names;
  for (const KernelSymbol &symbol : symbols) names.push_back(symbol.name);
  const std::string near = nearest_name(name, names);
  return near.empty() ? "the kernel's symbol table (kallsyms) has no similar name either"
                      : fmt::format("did you mean '{}'?", near);
}

}  // namespace

Result<KernelSymbolPlace> find_kernel_symbol(Session &s, const std::string &name) {
  const Result<DebugModule *> btf = DebugInfoSet::of(s).btf();
  if (!btf) return btf.failure();
  const std::vector<KernelSymbol> symbols = symbols_of(s);
  uint64_t start = 0, address = 0;
  for (const KernelSymbol &symbol : symbols) {
    if (symbol.name == "_stext") start = symbol.address;
    if (symbol.name == name) address = symbol.address;
  }
  if (!start) return Failure{"the kernel's symbol table (kallsyms) can't be read"};
  if (!address) return Failure{near_names(symbols, name)};
  if (!(address >> 63)) return Failure{"it is a per-CPU variable, of which each CPU has one elsewhere"};
  DebugInfoSet::of(s).require(s, **btf);
  return KernelSymbolPlace{&(*btf)->binary(), address - start};
}
