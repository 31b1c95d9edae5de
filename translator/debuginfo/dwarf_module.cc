// SPDX-License-Identifier: GPL-2.0-or-later
// The DWARF source: opening the file, its symbols and identity, and what of it can't be probed.
#include "debuginfo/dwarf_module.h"
#include "debuginfo/unprobeable.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace {

char *no_debuginfo_path = nullptr;

const Dwfl_Callbacks offline_callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = &no_debuginfo_path,
};

// Symbols that bound areas of vmlinux (include/asm-generic/sections.h and vmlinux.lds.h).
const char *const mark_names[] = {
    "_stext",
    "_etext",
    "_sinittext",
    "_einittext",
    "__start_notes",
    "__stop_notes",
    "__noinstr_text_start",
    "__noinstr_text_end",
    "__kprobes_text_start",
    "__kprobes_text_end",
    "__entry_text_start",
    "__entry_text_end",
    "__cpuidle_text_start",
    "__cpuidle_text_end",
    "__start_kprobe_blacklist",
    "__stop_kprobe_blacklist",
    "__init_begin",
    "__init_end",
};

}  // namespace

std::unique_ptr<DwarfModule> DwarfModule::open(const TargetBinary &binary, std::string &error) {
  std::unique_ptr<DwarfModule> m(new DwarfModule(binary));
  m->dwfl_ = dwfl_begin(&offline_callbacks);
  if (m->dwfl_)
    m->module_ =
        dwfl_report_offline(m->dwfl_, binary.is_kernel() ? "kernel" : binary.name.c_str(), binary.path.c_str(), -1);
  if (!m->module_ || dwfl_report_end(m->dwfl_, nullptr, nullptr) != 0) {
    error = dwfl_errmsg(-1);
    return nullptr;
  }
  m->elf_ = dwfl_module_getelf(m->module_, &m->bias_);
  GElf_Ehdr header;
  if (!m->elf_ || !gelf_getehdr(m->elf_, &header)) {
    error = dwfl_errmsg(-1);
    return nullptr;
  }
  m->relocatable_ = header.e_type == ET_REL;
  m->dwarf_ = dwfl_module_getdwarf(m->module_, &m->bias_);
  if (!m->dwarf_) {
    error = dwfl_errmsg(-1);
    return nullptr;
  }
  m->void_.kind = TypeKind::Void;
  m->void_.spelling = "void";
  const unsigned char *bits = nullptr;
  GElf_Addr note;
  int length = dwfl_module_build_id(m->module_, &bits, &note);
  if (length > 0 && bits) m->binary_.build_id.assign(bits, bits + length);
  m->open_index(false);
  if (m->index_) {
    m->stext_ = m->index_->identity().stext;
    m->binary_.notes_offset = m->index_->identity().notes_offset;
  } else {
    m->need_symbols();
  }
  return m;
}

DwarfModule::~DwarfModule() {
  if (dwfl_) dwfl_end(dwfl_);
}

// With an index they are hardly ever needed.
void DwarfModule::need_symbols() {
  if (has_symbols_) return;
  has_symbols_ = true;
  read_symbols();
  read_identity();
  read_regions();
}

void DwarfModule::read_symbols() {
  int count = dwfl_module_getsymtab(module_);
  for (int i = 1; i < count; i++) {
    GElf_Sym symbol;
    GElf_Addr address;
    GElf_Word section;
    const char *text = dwfl_module_getsym_info(module_, i, &symbol, &address, &section, nullptr, nullptr);
    if (!text || section == SHN_UNDEF) continue;
    std::string_view symbol_name(text);
    int type = GELF_ST_TYPE(symbol.st_info);
    if (binary_.is_kernel())
      for (const char *mark : mark_names)
        if (symbol_name == mark) marks_[symbol_name] = address;
    if (symbol_name.starts_with("__ksymtab_")) exported_.insert(symbol_name.substr(10));
    if (type == STT_FUNC && !symbol_name.empty())
      symbols_.push_back({symbol_name, address, symbol.st_size, section, GELF_ST_BIND(symbol.st_info) != STB_LOCAL});
  }
  std::sort(symbols_.begin(), symbols_.end(), [](const SymbolEntry &a, const SymbolEntry &b) {
    return a.address != b.address ? a.address < b.address : a.name < b.name;
  });
  stext_ = symbol_address("_stext");
}

uint64_t DwarfModule::symbol_address(std::string_view symbol) const {
  auto it = marks_.find(symbol);
  return it == marks_.end() ? 0 : it->second;
}

// Where the kernel's build-id note lies from _stext: the running kernel's is read there.
void DwarfModule::read_identity() {
  uint64_t start = symbol_address("__start_notes"), stop = symbol_address("__stop_notes");
  if (!binary_.is_kernel() || !start || stop <= start || stop - start > 1 << 20) return;
  std::vector<char> notes(stop - start);
  if (!read_memory(start, notes.data(), notes.size())) return;
  for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
    Elf64_Nhdr note;
    memcpy(&note, &notes[at], sizeof note);
    size_t name_at = at + sizeof note;
    uint64_t data_at = name_at + ((uint64_t(note.n_namesz) + 3) & ~3ull);
    uint64_t next = data_at + ((uint64_t(note.n_descsz) + 3) & ~3ull);
    if (next > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(&notes[name_at], "GNU", 4)) {
      binary_.build_id.assign(&notes[data_at], &notes[data_at] + note.n_descsz);
      binary_.notes_offset = start + at - stext_;
      return;
    }
    at = next;
  }
}

bool DwarfModule::read_memory(uint64_t address, void *to, size_t size) const {
  for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf_, section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) || header.sh_type == SHT_NOBITS) continue;
    if (address < header.sh_addr || address - header.sh_addr >= header.sh_size) continue;
    Elf_Data *data = elf_rawdata(section, nullptr);
    uint64_t at = address - header.sh_addr;
    if (!data || !data->d_buf || at > data->d_size || data->d_size - at < size) return false;
    memcpy(to, static_cast<const char *>(data->d_buf) + at, size);
    return true;
  }
  return false;
}

// Areas where the kernel refuses kprobes or whose code is gone after boot.
void DwarfModule::read_regions() {
  if (!binary_.is_kernel()) return;
  for (const UnprobeableArea &area : unprobeable_areas) {
    uint64_t start = symbol_address(area.start), end = symbol_address(area.end);
    if (start && end > start) regions_.push_back({start, end, area.reason});
  }
  read_blacklist();
}

// NOKPROBE_SYMBOL() leaves a table of addresses.
void DwarfModule::read_blacklist() {
  uint64_t start = symbol_address("__start_kprobe_blacklist"), stop = symbol_address("__stop_kprobe_blacklist");
  if (!start || stop <= start || stop - start > 1 << 20) return;
  std::vector<uint64_t> table((stop - start) / 8);
  if (read_memory(start, table.data(), table.size() * 8)) blacklist_.insert(table.begin(), table.end());
}

std::string DwarfModule::section_name(uint32_t section) const {
  size_t strings;
  GElf_Shdr header;
  Elf_Scn *scn = elf_getscn(elf_, section);
  if (!scn || elf_getshdrstrndx(elf_, &strings) || !gelf_getshdr(scn, &header)) return "";
  const char *text = elf_strptr(elf_, strings, header.sh_name);
  return text ? text : "";
}

const char *DwarfModule::refusal(const SymbolEntry &symbol) const {
  for (const Region &region : regions_)
    if (symbol.address >= region.start && symbol.address < region.end) return region.reason;
  if (blacklist_.count(symbol.address)) return on_blacklist;
  std::string section = section_name(symbol.section);
  if (section.starts_with(".init.")) return "is freed after initialisation (.init)";
  if (binary_.is_kernel() && section.starts_with(".exit.")) return "is not in the running kernel (.exit)";
  if (section == ".noinstr.text" || section == ".kprobes.text" || section == ".entry.text")
    return "may not be instrumented";
  return nullptr;
}

void DwarfModule::place_site(FunctionSite &site) const {
  switch (binary_.load_rule()) {
    case LoadRule::FromStext: site.offset = site.address - stext_; return;
    case LoadRule::FromLoadBias: site.offset = site.address - bias_; return;
    case LoadRule::FromSection: break;
  }
  Dwarf_Addr address = site.address;
  int index = dwfl_module_relocate_address(module_, &address);
  if (index >= 0)
    if (const char *section = dwfl_module_relocation_info(module_, index, nullptr)) site.section = section;
  site.offset = address;
}

std::vector<std::string> DwarfModule::function_names() {
  std::vector<std::string> names;
  if (indexed_names(names)) return names;
  need_symbols();
  for (const SymbolEntry &symbol : symbols_)
    if (symbol.name.find('.') == symbol.name.npos && !symbol.name.starts_with("__pfx_"))
      names.emplace_back(symbol.name);
  return names;
}
