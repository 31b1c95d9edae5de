// SPDX-License-Identifier: GPL-2.0-or-later
// Programs and libraries on disk, by their program headers: what the kernel and the loader go by too.
#include "debuginfo/program_file.h"

#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <sstream>

#include "debuginfo/elf_image.h"
#include "debuginfo/mangled.h"

namespace {

std::string directory_of(const std::string &path) { return path.substr(0, path.rfind('/')); }

void replace_all(std::string &text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
}

}  // namespace

Result<std::unique_ptr<ProgramFile>> ProgramFile::open(const std::string &path) {
  std::unique_ptr<ProgramFile> file(new ProgramFile(path));
  const Result<void> done = file->read();
  if (!done) return done.failure();
  return file;
}

ProgramFile::~ProgramFile() {
  if (elf_) elf_end(elf_);
  if (fd_ >= 0) close(fd_);
}

Result<void> ProgramFile::read() {
  struct stat status;
  // Reading a pipe would wait.
  if (stat(path_.c_str(), &status)) return Failure{strerror(errno)};
  if (!S_ISREG(status.st_mode)) return Failure{S_ISDIR(status.st_mode) ? "is a directory" : "is no regular file"};
  fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) return Failure{strerror(errno)};
  elf_version(EV_CURRENT);
  elf_ = elf_begin(fd_, ELF_C_READ_MMAP, nullptr);
  GElf_Ehdr header;
  if (!elf_ || elf_kind(elf_) != ELF_K_ELF || !gelf_getehdr(elf_, &header))
    return Failure{"is neither an ELF file nor a script"};
  if (header.e_machine != EM_X86_64 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return Failure{"is made for another processor than x86-64"};
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) return Failure{"is neither a program nor a library"};
  can_run_ = header.e_type == ET_EXEC;
  entry_ = header.e_entry;
  size_t count = 0;
  elf_getphdrnum(elf_, &count);
  for (size_t i = 0; i < count; i++) {
    GElf_Phdr segment;
    if (!gelf_getphdr(elf_, int(i), &segment)) continue;
    if (segment.p_type == PT_INTERP) read_loader(segment);
    segments_.push_back(segment);
  }
  read_dynamic();
  return {};
}

void ProgramFile::read_loader(const GElf_Phdr &segment) {
  can_run_ = true;
  std::string path(std::min<uint64_t>(segment.p_filesz, PATH_MAX), '\0');
  if (pread(fd_, path.data(), path.size(), off_t(segment.p_offset)) == ssize_t(path.size())) loader_ = path.c_str();
}

std::optional<uint64_t> ProgramFile::offset_of(uint64_t address) const {
  for (const GElf_Phdr &segment : segments_)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      return address - segment.p_vaddr + segment.p_offset;
  return std::nullopt;
}

std::optional<uint64_t> ProgramFile::address_of(uint64_t offset) const {
  for (const GElf_Phdr &segment : segments_)
    if (segment.p_type == PT_LOAD && offset >= segment.p_offset && offset - segment.p_offset < segment.p_filesz)
      return offset - segment.p_offset + segment.p_vaddr;
  return std::nullopt;
}

uint64_t ProgramFile::code_at(uint64_t offset) const {
  uint64_t code = 0;
  if (pread(fd_, &code, sizeof code, off_t(offset)) < 0) return 0;
  return code;
}

std::optional<uint64_t> ProgramFile::build_id_offset(std::vector<uint8_t> &build_id) const {
  for (const GElf_Phdr &segment : segments_) {
    if (segment.p_type != PT_NOTE || segment.p_filesz > 1 << 20) continue;
    std::string notes(segment.p_filesz, '\0');
    if (pread(fd_, notes.data(), notes.size(), off_t(segment.p_offset)) != ssize_t(notes.size())) continue;
    const auto note = find_build_id(notes);
    if (!note) continue;
    build_id = note->id;
    return segment.p_offset + note->offset;
  }
  return std::nullopt;
}

// Calls f(name, address) for each symbol of a type that the file defines, until it returns true.
template <class F> void ProgramFile::each_symbol(int type, F f) const {
  for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf_, section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || !header.sh_entsize) continue;
    if (header.sh_type != SHT_DYNSYM && header.sh_type != SHT_SYMTAB) continue;
    Elf_Data *data = elf_getdata(section, nullptr);
    for (size_t i = 1; data && i < header.sh_size / header.sh_entsize; i++) {
      GElf_Sym symbol;
      if (!gelf_getsym(data, int(i), &symbol) || symbol.st_shndx == SHN_UNDEF) continue;
      const char *text = elf_strptr(elf_, header.sh_link, symbol.st_name);
      if (text && GELF_ST_TYPE(symbol.st_info) == type && f(text, symbol.st_value)) return;
    }
  }
}

std::optional<uint64_t> ProgramFile::function_address(const std::string &name) const {
  std::optional<uint64_t> found;
  each_symbol(STT_FUNC, [&](const char *symbol, uint64_t address) {
    if (name == symbol) found = address;
    return found.has_value();
  });
  return found;
}

std::optional<uint64_t> ProgramFile::variable_address(const std::string &name) const {
  std::optional<uint64_t> found;
  each_symbol(STT_OBJECT, [&](const char *symbol, uint64_t address) {
    if (name == symbol || (is_mangled(symbol) && name == qualified_name(symbol))) found = address;
    return found.has_value();
  });
  return found;
}

std::vector<std::string> ProgramFile::variable_names() const {
  std::vector<std::string> names;
  each_symbol(STT_OBJECT, [&](const char *symbol, uint64_t) {
    names.push_back(is_mangled(symbol) ? qualified_name(symbol) : symbol);
    return false;
  });
  return names;
}

bool ProgramFile::has_landing_pads() const { return !section_bytes(elf_, ".gcc_except_table", false).empty(); }

void ProgramFile::read_dynamic() {
  for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf_, section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC || !header.sh_entsize) continue;
    Elf_Data *data = elf_getdata(section, nullptr);
    for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++) {
      GElf_Dyn entry;
      if (!gelf_getdyn(data, int(i), &entry)) break;
      if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_RPATH && entry.d_tag != DT_RUNPATH) continue;
      const char *text = elf_strptr(elf_, header.sh_link, entry.d_un.d_val);
      if (!text) continue;
      if (entry.d_tag == DT_NEEDED) {
        needed_.emplace_back(text);
        continue;
      }
      std::istringstream list(text);
      for (std::string directory; std::getline(list, directory, ':');) {
        replace_all(directory, "${ORIGIN}", "$ORIGIN");
        replace_all(directory, "$ORIGIN", directory_of(path_));
        if (!directory.empty()) run_path_.push_back(directory);
      }
    }
  }
}

namespace {

constexpr int max_included = 8;

// The directories of /etc/ld.so.conf, and those of the files that it includes.
void read_loader_directories(const std::string &file, int depth, std::vector<std::string> &directories) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    line.resize(std::min(line.find('#'), line.size()));
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (word != "include") {
        directories.push_back(word);
        continue;
      }
      glob_t found;
      if (words >> word && depth < max_included && glob(word.c_str(), 0, nullptr, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) read_loader_directories(found.gl_pathv[i], depth + 1, directories);
        globfree(&found);
      }
    }
  }
}

}  // namespace

std::vector<std::string> library_directories() {
  std::vector<std::string> directories;
  read_loader_directories("/etc/ld.so.conf", 0, directories);
  for (const char *usual : {"/lib64", "/usr/lib64", "/lib", "/usr/lib"}) directories.emplace_back(usual);
  return directories;
}

namespace {

// The first of the directories that has a library of this name for this processor; null when none has.
std::unique_ptr<ProgramFile> find_library(const std::string &name, const std::vector<std::string> &directories) {
  for (const std::string &directory : directories) {
    std::error_code error;
    const auto path = std::filesystem::canonical(directory + "/" + name, error);
    if (error) continue;
    if (auto library = ProgramFile::open(path.string())) return std::move(*library);
  }
  return nullptr;
}

struct LibrarySearch {
  const ProgramFile &program;
  const std::vector<std::string> usual = library_directories();
  std::vector<LoadedLibrary> found;

  // A library's own path serves for what it needs itself, and the program's for all.
  void add_needed_by(const ProgramFile &file) {
    for (const std::string &name : file.needed()) {
      std::vector<std::string> directories = file.run_path();
      directories.insert(directories.end(), program.run_path().begin(), program.run_path().end());
      directories.insert(directories.end(), usual.begin(), usual.end());
      if (name.find('/') != name.npos) directories = {"/"};
      const auto library = find_library(name, directories);
      auto is_it = [&](const LoadedLibrary &known) { return known.path == library->path(); };
      if (!library || std::any_of(found.begin(), found.end(), is_it)) continue;
      found.push_back({name, library->path()});
      add_needed_by(*library);
    }
  }
};

}  // namespace

std::vector<LoadedLibrary> libraries_of(const ProgramFile &program) {
  LibrarySearch search{.program = program, .found = {}};
  search.add_needed_by(program);
  return std::move(search.found);
}
