// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel and module files on disk: finding the ELF file in them, and reading its sections, notes and symbols.
#include "debuginfo/elf_image.h"

#include <cstring>

#include "base/files.h"

namespace {

// The packed vmlinux in a bzImage, which its setup header points to (Documentation/arch/x86/boot.rst). Empty when the
// file is no bzImage.
std::string_view payload(std::string_view image) {
  constexpr size_t sectors_at = 0x1f1, magic_at = 0x202, version_at = 0x206, payload_at = 0x248, header_end = 0x250;
  if (image.size() < header_end || image.substr(magic_at, 4) != "HdrS") return {};
  uint16_t version;
  uint32_t offset, length;
  memcpy(&version, &image[version_at], sizeof version);
  memcpy(&offset, &image[payload_at], sizeof offset);
  memcpy(&length, &image[payload_at + 4], sizeof length);
  size_t sectors = uint8_t(image[sectors_at]);
  size_t start = ((sectors ? sectors : 4) + 1) * 512 + offset;
  if (version < 0x208 || start > image.size() || length > image.size() - start) return {};
  return image.substr(start, length);
}

bool is_elf(std::string_view bytes) {
  return bytes.starts_with(
      std::string_view("\x7f"
                       "ELF",
                       4));
}

}  // namespace

Result<std::unique_ptr<ElfImage>> ElfImage::read(const std::string &path) {
  std::unique_ptr<ElfImage> image(new ElfImage);
  Result<std::string> file = read_file(path);
  if (!file) return file.failure();
  if (!is_elf(*file)) {
    std::string_view packed = payload(*file);
    file = unpack(packed.empty() ? *file : packed);
    if (!file) return Failure{path + ": " + file.reason()};
  }
  image->bytes_ = std::move(*file);
  elf_version(EV_CURRENT);
  image->elf_ = elf_memory(image->bytes_.data(), image->bytes_.size());
  size_t strings;
  if (!is_elf(image->bytes_) || !image->elf_ || elf_getshdrstrndx(image->elf_, &strings) != 0)
    return Failure{path + ": it holds no ELF file"};
  for (Elf_Scn *s = nullptr; (s = elf_nextscn(image->elf_, s));) {
    GElf_Shdr header;
    if (!gelf_getshdr(s, &header)) continue;
    const char *name = elf_strptr(image->elf_, strings, header.sh_name);
    ElfSection section{name ? name : "", {}, header.sh_addr, elf_ndxscn(s)};
    if (header.sh_type != SHT_NOBITS && header.sh_offset <= image->bytes_.size() &&
        header.sh_size <= image->bytes_.size() - header.sh_offset)
      section.bytes = std::string_view(image->bytes_).substr(header.sh_offset, header.sh_size);
    image->sections_.push_back(section);
  }
  return image;
}

ElfImage::~ElfImage() {
  if (elf_) elf_end(elf_);
}

const ElfSection *ElfImage::section(std::string_view name) const {
  for (const ElfSection &s : sections_)
    if (s.name == name) return &s;
  return nullptr;
}

std::string_view ElfImage::memory(uint64_t address, uint64_t size) const {
  for (const ElfSection &s : sections_)
    if (s.address && address >= s.address && address - s.address <= s.bytes.size() &&
        size <= s.bytes.size() - (address - s.address))
      return s.bytes.substr(address - s.address, size);
  return {};
}

// The section of that name that has bytes in the file.
static Elf_Scn *find_section(Elf *elf, std::string_view wanted, GElf_Shdr *header) {
  size_t strings;
  if (elf_getshdrstrndx(elf, &strings)) return nullptr;
  for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf, section));) {
    if (!gelf_getshdr(section, header) || header->sh_type == SHT_NOBITS) continue;
    const char *name = elf_strptr(elf, strings, header->sh_name);
    if (name && name == wanted) return section;
  }
  return nullptr;
}

uint32_t compression_of(Elf *elf, std::string_view wanted) {
  GElf_Shdr header;
  Elf_Scn *section = find_section(elf, wanted, &header);
  Elf_Data *data = section && (header.sh_flags & SHF_COMPRESSED) ? elf_rawdata(section, nullptr) : nullptr;
  uint32_t type = 0;  // the first member of Elf64_Chdr
  if (data && data->d_buf && data->d_size >= sizeof type) memcpy(&type, data->d_buf, sizeof type);
  return type;
}

std::string_view section_bytes(Elf *elf, std::string_view wanted, bool unpack_it) {
  GElf_Shdr header;
  Elf_Scn *section = find_section(elf, wanted, &header);
  if (!section || ((header.sh_flags & SHF_COMPRESSED) && (!unpack_it || elf_compress(section, 0, 0) < 0))) return {};
  Elf_Data *data = elf_rawdata(section, nullptr);
  return data && data->d_buf ? std::string_view(static_cast<const char *>(data->d_buf), data->d_size)
                             : std::string_view{};
}

std::optional<BuildIdNote> find_build_id(std::string_view notes) {
  for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
    Elf64_Nhdr note;
    memcpy(&note, notes.data() + at, sizeof note);
    uint64_t name_at = at + sizeof note;
    uint64_t data_at = name_at + ((uint64_t(note.n_namesz) + 3) & ~3ull);
    uint64_t next = data_at + ((uint64_t(note.n_descsz) + 3) & ~3ull);
    if (next > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && notes.substr(name_at, 3) == "GNU")
      return BuildIdNote{{notes.begin() + data_at, notes.begin() + data_at + note.n_descsz}, at};
    at = next;
  }
  return std::nullopt;
}

std::vector<ElfImage::Symbol> ElfImage::symbols() const {
  std::vector<Symbol> list;
  for (Elf_Scn *s = nullptr; (s = elf_nextscn(elf_, s));) {
    GElf_Shdr header;
    if (!gelf_getshdr(s, &header) || header.sh_type != SHT_SYMTAB || !header.sh_entsize) continue;
    Elf_Data *data = elf_getdata(s, nullptr);
    for (size_t i = 1; data && i < header.sh_size / header.sh_entsize; i++) {
      GElf_Sym symbol;
      if (!gelf_getsym(data, int(i), &symbol) || symbol.st_shndx == SHN_UNDEF) continue;
      const char *name = elf_strptr(elf_, header.sh_link, symbol.st_name);
      if (!name || !*name) continue;
      list.push_back({name, symbol.st_value, symbol.st_shndx, GELF_ST_TYPE(symbol.st_info) == STT_FUNC,
                      GELF_ST_BIND(symbol.st_info) != STB_LOCAL});
    }
  }
  return list;
}

std::set<std::pair<uint32_t, uint64_t>> ElfImage::kprobe_blacklist() const {
  std::set<std::pair<uint32_t, uint64_t>> functions;
  if (const ElfSection *table = section("_kprobe_blacklist"))
    for (const Relocation &r : relocations(table->index)) functions.emplace(r.section, r.value);
  return functions;
}

std::vector<ElfImage::Relocation> ElfImage::relocations(size_t section) const {
  std::vector<Relocation> list;
  for (Elf_Scn *s = nullptr; (s = elf_nextscn(elf_, s));) {
    GElf_Shdr header;
    if (!gelf_getshdr(s, &header) || header.sh_type != SHT_RELA || header.sh_info != section) continue;
    Elf_Data *data = elf_getdata(s, nullptr), *symbols = elf_getdata(elf_getscn(elf_, header.sh_link), nullptr);
    for (size_t i = 0; data && symbols && header.sh_entsize && i < header.sh_size / header.sh_entsize; i++) {
      GElf_Rela relocation;
      GElf_Sym symbol;
      if (gelf_getrela(data, int(i), &relocation) &&
          gelf_getsym(symbols, int(GELF_R_SYM(relocation.r_info)), &symbol) && symbol.st_shndx != SHN_UNDEF)
        list.push_back({relocation.r_offset, symbol.st_shndx, symbol.st_value + uint64_t(relocation.r_addend)});
    }
  }
  return list;
}
