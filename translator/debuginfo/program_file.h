// SPDX-License-Identifier: GPL-2.0-or-later
// A program or library as it lies on disk: where in the file an address is, what it loads, and its build-id.
#pragma once
#include <gelf.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

class ProgramFile {
 public:
  // Fails with a reason that follows the file's name: "is neither an ELF file nor a script".
  static Result<std::unique_ptr<ProgramFile>> open(const std::string &path);
  ~ProgramFile();

  const std::string &path() const { return path_; }
  Elf *elf() const { return elf_; }
  // A library can't be run by itself; some libraries can.
  bool can_run() const { return can_run_; }
  // The address at which the program itself begins, and the loader's path, which begins before it; "" without one.
  uint64_t entry() const { return entry_; }
  const std::string &loader() const { return loader_; }
  // The place in the file of what is at an address, as the file itself counts addresses; none when nothing of the file
  // is there.
  std::optional<uint64_t> offset_of(uint64_t address) const;
  std::optional<uint64_t> address_of(uint64_t offset) const;  // the other way round
  // The 8 bytes from a place on, the first one lowest; zeros behind the end.
  uint64_t code_at(uint64_t offset) const;
  // Where the note with the build-id begins; none when there is no build-id.
  std::optional<uint64_t> build_id_offset(std::vector<uint8_t> &build_id) const;
  // The address of a function by its symbol's exact name.
  std::optional<uint64_t> function_address(const std::string &name) const;
  // That of a variable, by a symbol's exact name or by the name that the symbol stands for.
  std::optional<uint64_t> variable_address(const std::string &name) const;
  // The names of all variables that have symbols, as their language has them.
  std::vector<std::string> variable_names() const;
  // Has it code that catches exceptions, or cleans up when one passes?
  bool has_landing_pads() const;
  // DT_NEEDED, and where DT_RPATH or DT_RUNPATH sends the loader first ($ORIGIN is written out).
  const std::vector<std::string> &needed() const { return needed_; }
  const std::vector<std::string> &run_path() const { return run_path_; }

 private:
  explicit ProgramFile(std::string path) : path_(std::move(path)) {}
  Result<void> read();
  void read_loader(const GElf_Phdr &segment);
  void read_dynamic();
  template <class F> void each_symbol(int type, F f) const;

  std::string path_;
  int fd_ = -1;
  Elf *elf_ = nullptr;
  bool can_run_ = false;
  uint64_t entry_ = 0;
  std::string loader_;
  std::vector<GElf_Phdr> segments_;
  std::vector<std::string> needed_, run_path_;
};

// A library by the name that a program asks for it, and where the loader finds it.
struct LoadedLibrary {
  std::string name, path;
};
// Every library that the loader would load for a program, by the rules of ld.so(8) without the environment.
std::vector<LoadedLibrary> libraries_of(const ProgramFile &program);
// Where it looks for libraries whose users don't say where.
std::vector<std::string> library_directories();
