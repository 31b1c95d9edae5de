// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel and module files as they lie on disk: unpacked when they are compressed, and opened as ELF.
#pragma once
#include <gelf.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "debuginfo/anchors.h"

struct ElfSection {
  std::string_view name, bytes;  // no bytes in .bss and the like
  uint64_t address = 0;
  size_t index = 0;
};

class ElfImage {
 public:
  // Reads vmlinux, a bzImage, or a module (.ko, .ko.xz, .ko.zst, .ko.gz).
  static Result<std::unique_ptr<ElfImage>> read(const std::string &path);
  ~ElfImage();
  // Null when there is none.
  const ElfSection *section(std::string_view name) const;
  const std::vector<ElfSection> &sections() const { return sections_; }
  // The bytes of the file at an address; none when no section holds all of them.
  std::string_view memory(uint64_t address, uint64_t size) const;
  struct Symbol {
    std::string_view name;
    uint64_t value = 0;
    uint32_t section = 0;
    bool is_function = false, is_global = false;
  };
  std::vector<Symbol> symbols() const;
  std::vector<SectionAnchor> anchors() const { return section_anchors(elf_); }
  // What a relocatable file's relocations will write into a section: at `offset` the address `value` of another one.
  struct Relocation {
    uint64_t offset = 0;
    uint32_t section = 0;
    uint64_t value = 0;
  };
  std::vector<Relocation> relocations(size_t section) const;
  // The functions that a module marks as ones that can't be probed (NOKPROBE_SYMBOL): section and offset of each.
  std::set<std::pair<uint32_t, uint64_t>> kprobe_blacklist() const;

 private:
  ElfImage() = default;
  std::string bytes_;
  Elf *elf_ = nullptr;
  std::vector<ElfSection> sections_;
};

// A GNU build-id, and where its note begins among the ELF notes that it stands in.
struct BuildIdNote {
  std::vector<uint8_t> id;
  uint64_t offset = 0;
};
std::optional<BuildIdNote> find_build_id(std::string_view notes);

// The bytes of a section of an opened file; empty when it has none of that name. A compressed section is unpacked in
// place if `unpack_it`, and empty otherwise.
std::string_view section_bytes(Elf *elf, std::string_view wanted, bool unpack_it);
// How a section's bytes are compressed (ch_type of its header); 0: they are not, or there is no such section.
uint32_t compression_of(Elf *elf, std::string_view wanted);

// Unpacks what gzip, xz, zstd or lz4 (in the form that the kernel's build uses) made. Bytes after its end are ignored.
Result<std::string> unpack(std::string_view packed);
