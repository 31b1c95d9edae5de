// SPDX-License-Identifier: GPL-2.0-or-later
// The file of code that debuginfo describes: the kernel, a module of it, or a program or library.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

// Whose addresses a program's addresses are.
enum class AddressSpace : uint8_t { Kernel, User };

// What the offset of a place in a file is counted from; the run-time address is the offset from where that lies.
enum class LoadRule : uint8_t {
  FromStext,     // the kernel's symbol _stext
  FromSection,   // the start of the place's section: a module's sections are loaded one by one
  FromLoadBias,  // address 0 of the file, which lies elsewhere in each process that has the file mapped
};

// A symbol of a module whose name no other of its symbols has, and how far into its section it lies: by that the
// section is found in a module that is being loaded.
struct SectionAnchor {
  std::string section, symbol;
  uint64_t offset = 0;
};

struct TargetBinary {
  enum class Kind : uint8_t { Kernel, Module, File };
  Kind kind = Kind::Kernel;
  std::string name;  // of a module, with underscores; of a file, its path; "" for the kernel
  std::string path;  // of the file to read, "" as long as it is not known
  std::vector<uint8_t> build_id;
  uint64_t notes_offset = 0;  // of the kernel's build-id note, from _stext; of a file's, in the file, 0: none

  std::vector<SectionAnchor>
      anchors;  // of a module, one for each section that has such a symbol, when they were asked for

  bool is_kernel() const { return kind == Kind::Kernel; }
  bool is_module() const { return kind == Kind::Module; }
  bool is_file() const { return kind == Kind::File; }
  AddressSpace address_space() const { return is_file() ? AddressSpace::User : AddressSpace::Kernel; }
  LoadRule load_rule() const;
  // Is it the same code, wherever its description was read?
  bool is_same_as(const TargetBinary &other) const;
  // For messages: "kernel 6.1.0", "module 'veth' of kernel 6.1.0", "'/bin/ls'".
  std::string describe(const std::string &kernel_release) const;

  // What a script's name means: "kernel" (or ""), a module's name, or a path, whose last component tells a module's and
  // the kernel's file from a program.
  static TargetBinary named(const std::string &name);
};
