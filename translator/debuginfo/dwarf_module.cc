// SPDX-License-Identifier: GPL-2.0-or-later
// The DWARF source: opening the file, its symbols, identity, and the areas of its text.
#include "debuginfo/dwarf_module.h"
#include "debuginfo/elf_image.h"
#include "debuginfo/program_file.h"

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

// Symbols of vmlinux that say where it begins, where its notes and its per-CPU variables are (vmlinux.lds.h), and the
// variable that those are found by.
bool is_mark(std::string_view symbol) {
  return symbol == "_stext" || symbol == "__start_notes" || symbol == "__stop_notes" || symbol == "__per_cpu_start" ||
         symbol == "__per_cpu_end" || symbol == "this_cpu_off" || KernelAreas::needs_symbol(symbol);
}

}  // namespace

Result<std::unique_ptr<DwarfModule>> DwarfModule::open(const TargetBinary &binary, Needs needs) {
  std::unique_ptr<DwarfModule> m(new DwarfModule(binary));
  m->dwfl_ = dwfl_begin(&offline_callbacks);
  if (m->dwfl_)
    m->module_ =
        dwfl_report_offline(m->dwfl_, binary.is_kernel() ? "kernel" : binary.name.c_str(), binary.path.c_str(), -1);
  if (!m->module_ || dwfl_report_end(m->dwfl_, nullptr, nullptr) != 0) return Failure{dwfl_errmsg(-1)};
  m->elf_ = dwfl_module_getelf(m->module_, &m->file_bias_);
  GElf_Ehdr header;
  if (!m->elf_ || !gelf_getehdr(m->elf_, &header)) return Failure{dwfl_errmsg(-1)};
  m->relocatable_ = header.e_type == ET_REL;
  m->dwarf_ = dwfl_module_getdwarf(m->module_, &m->bias_);
  if (!m->dwarf_ && needs == NeedsDwarf) return Failure{dwfl_errmsg(-1)};
  m->debug_elf_ = m->dwarf_ ? dwarf_getelf(m->dwarf_) : m->elf_;
  m->void_.kind = TypeKind::Void;
  m->void_.spelling = "void";
  const unsigned char *bits = nullptr;
  GElf_Addr note;
  int length = dwfl_module_build_id(m->module_, &bits, &note);
  if (length > 0 && bits) m->binary_.build_id.assign(bits, bits + length);
  if (binary.is_file())
    if (auto file = ProgramFile::open(binary.path))
      m->binary_.notes_offset = (*file)->build_id_offset(m->binary_.build_id).value_or(0);
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
  if (binary_.is_kernel())
    areas_.read([&](std::string_view symbol) { return symbol_address(symbol); },
                [&](uint64_t address, uint64_t size) { return memory(address, size); });
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
    if (binary_.is_kernel() && is_mark(symbol_name)) marks_[symbol_name] = address;
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
  const auto note = find_build_id(memory(start, stop - start));
  if (!note) return;
  binary_.build_id = note->id;
  binary_.notes_offset = start + note->offset - stext_;
}

std::string_view DwarfModule::memory(uint64_t address, uint64_t size) const {
  for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf_, section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) || header.sh_type == SHT_NOBITS) continue;
    if (address < header.sh_addr || address - header.sh_addr >= header.sh_size) continue;
    Elf_Data *data = elf_rawdata(section, nullptr);
    uint64_t at = address - header.sh_addr;
    if (!data || !data->d_buf || at > data->d_size || data->d_size - at < size) return {};
    return {static_cast<const char *>(data->d_buf) + at, size};
  }
  return {};
}

std::string DwarfModule::section_name(uint32_t section) const {
  size_t strings;
  GElf_Shdr header;
  Elf_Scn *scn = elf_getscn(elf_, section);
  if (!scn || elf_getshdrstrndx(elf_, &strings) || !gelf_getshdr(scn, &header)) return "";
  const char *text = elf_strptr(elf_, strings, header.sh_name);
  return text ? text : "";
}

TextArea DwarfModule::area_of(const SymbolEntry &symbol) const {
  const TextArea area = areas_.at(symbol.address);
  return area == TextArea::Ordinary ? area_of_section(section_name(symbol.section)) : area;
}

void DwarfModule::place_site(FunctionSite &site) const {
  switch (binary_.load_rule()) {
    case LoadRule::FromStext: site.offset = site.address - stext_; return;
    case LoadRule::FromLoadBias: site.offset = site.address - file_bias_; return;
    case LoadRule::FromSection: break;
  }
  Dwarf_Addr address = site.address;
  int index = dwfl_module_relocate_address(module_, &address);
  if (index >= 0)
    if (const char *section = dwfl_module_relocation_info(module_, index, nullptr)) site.section = section;
  site.offset = address;
}

bool DwarfModule::is_refused_by_module(const FunctionSite &site, Refusals &refused) {
  if (!binary_.is_module()) return false;
  if (!blacklist_) {
    blacklist_.emplace();
    if (const auto image = ElfImage::read(binary_.path))
      for (const auto &[section, offset] : (*image)->kprobe_blacklist())
        blacklist_->emplace(section_name(section), offset);
  }
  if (!blacklist_->count({site.section, site.offset})) return false;
  const char *reason = refused.of_area(binary_, TextArea::Blacklisted);
  if (reason) refused.add(site.symbol, reason);
  return reason;
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
