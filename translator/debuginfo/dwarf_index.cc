// SPDX-License-Identifier: GPL-2.0-or-later
// The DWARF source: its index, built when it is missing, and look-ups in it.
#include <algorithm>
#include <dwarf.h>
#include <fcntl.h>
#include <numeric>
#include <set>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "base/files.h"
#include "base/glob.h"
#include "base/paths.h"
#include "debuginfo/dwarf_module.h"
#include "debuginfo/dwarf_scan.h"
#include "debuginfo/elf_image.h"
#include "debuginfo/progress.h"

namespace {

// The least size of .debug_info for which an index is built: a smaller file is read as fast without one. In a
// relocatable file nothing can be found without walking all of its units, so the limit is lower there.
constexpr uint64_t least_info = 8 << 20, least_relocatable_info = 64 << 10;

// In a cache's directory.
std::string name_in_cache(const std::vector<uint8_t> &build_id) {
  std::string hex;
  for (uint8_t byte : build_id) {
    constexpr const char *digits = "0123456789abcdef";
    hex += digits[byte >> 4];
    hex += digits[byte & 15];
  }
  return "index/" + hex;
}

// Alternative debug files (dwz) hold names of their own, which the scanner does not read.
bool can_scan(Elf *elf, bool is_relocatable) {
  return section_bytes(elf, ".debug_info", true).size() >= (is_relocatable ? least_relocatable_info : least_info) &&
         section_bytes(elf, ".gnu_debugaltlink", true).empty();
}

}  // namespace

DwarfSections DwarfModule::sections() const {
  return {.info = section_bytes(debug_elf_, ".debug_info", true),
          .abbrev = section_bytes(debug_elf_, ".debug_abbrev", true),
          .str = section_bytes(debug_elf_, ".debug_str", true),
          .line = section_bytes(debug_elf_, ".debug_line", true),
          .line_str = section_bytes(debug_elf_, ".debug_line_str", true),
          .ranges = section_bytes(debug_elf_, ".debug_ranges", true),
          .rnglists = section_bytes(debug_elf_, ".debug_rnglists", true),
          .addr = section_bytes(debug_elf_, ".debug_addr", true),
          .str_offsets = section_bytes(debug_elf_, ".debug_str_offsets", true)};
}

// Opens the index, building it first when it is missing or damaged; without one everything still works, only slowly.
void DwarfModule::open_index(bool rebuild) {
  index_.reset();
  if (binary_.build_id.empty() || index_failed_) return;
  const std::string name = name_in_cache(binary_.build_id), directory = own_cache_directory(),
                    path = directory + "/" + name;
  if (rebuild && !directory.empty()) unlink(path.c_str());
  if (!directory.empty() && use_index(path)) return;
  if (const std::string shared = in_system_cache(name); !rebuild && !shared.empty() && use_index(shared)) return;
  if (directory.empty() || !can_scan(debug_elf_, relocatable_)) return;
  if (!make_directories(path.substr(0, path.rfind('/')))) return;
  // Another process may have built it while this one waited for the lock.
  FileLock lock(path + ".lock");
  if (lock.held() && use_index(path)) return;
  index_failed_ = !build_index(path) || !use_index(path);
}

// Opens what is there, if its addresses are those that libdwfl gives the file now.
bool DwarfModule::use_index(const std::string &path) {
  Dwarf_Addr start, end;
  dwfl_module_info(module_, nullptr, &start, &end, nullptr, nullptr, nullptr, nullptr);
  index_ = DebugIndex::open(path, binary_.build_id);
  if (index_ && (index_->identity().start != start || index_->identity().end != end)) index_.reset();
  if (index_) utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // in use: the last to be cleaned away
  return index_ != nullptr;
}

bool DwarfModule::build_index(const std::string &path) {
  Progress progress("Indexing debuginfo, once");
  // The names in `scan` point into the file, which is mapped for as long as this module lives.
  Result<DwarfScan> scanned = scan_dwarf(sections(), std::thread::hardware_concurrency(),
                                         [&](uint64_t done, uint64_t all) { progress.update(done, all); });
  if (!scanned) return false;
  DwarfScan &scan = *scanned;
  need_symbols();
  IndexWriter writer;
  writer.identity = {.stext = stext_, .notes_offset = binary_.notes_offset};
  dwfl_module_info(module_, nullptr, &writer.identity.start, &writer.identity.end, nullptr, nullptr, nullptr, nullptr);
  std::vector<uint32_t> files;
  for (const std::string &file : scan.files) files.push_back(writer.intern(file));
  index_functions(scan, files, writer);
  index_inlines(scan, files, writer);
  index_lines(scan, files, writer);
  std::stable_sort(scan.types.begin(), scan.types.end(), [](auto &a, auto &b) { return a.die < b.die; });
  std::set<std::pair<uint32_t, uint16_t>> known;
  for (const DwarfScanName &t : scan.types)
    if (uint32_t number = writer.intern(t.name); known.insert({number, t.tag}).second)
      writer.types.push_back({number, t.tag, t.die});
  for (const DwarfScanName &v : scan.variables)
    if (!v.name.empty())
      writer.variables.push_back({writer.intern(v.name), writer.intern(scan.units[v.unit].name), v.die});
  for (const DwarfScanName &u : scan.units) writer.units.push_back({writer.intern(u.name), 0, u.die});
  return bool(writer.write(path, binary_.build_id));
}

void DwarfModule::index_functions(const DwarfScan &scan, const std::vector<uint32_t> &files, IndexWriter &writer) {
  std::unordered_map<uint64_t, const ScannedFunction *> described;
  for (const ScannedFunction &f : scan.functions) {
    auto [it, is_new] = described.try_emplace(f.address + bias_, &f);
    if (!is_new && f.die < it->second->die) it->second = &f;
  }
  for (const SymbolEntry &symbol : symbols_) {
    bool partial;
    IndexFunction f = {};
    f.name = writer.intern(base_name(symbol.name, partial));
    f.symbol = writer.intern(symbol.name);
    f.address = symbol.address;
    f.flags = (symbol.is_global ? index_global : 0) | (exported_.count(symbol.name) ? index_exported : 0) |
              (partial ? index_partial : 0);
    f.area = uint32_t(area_of(symbol));
    if (auto it = described.find(symbol.address); it != described.end()) {
      f.die = it->second->die;
      if (it->second->name == base_name(symbol.name, partial)) f.flags |= index_own_name;
      f.file = files[it->second->file];
      f.line = it->second->line;
    }
    writer.functions.push_back(f);
  }
}

void DwarfModule::index_inlines(const DwarfScan &scan, const std::vector<uint32_t> &files, IndexWriter &writer) {
  for (const auto *list : {&scan.inlines, &scan.split_rests})
    for (const ScannedFunction &f : *list) {
      const uint64_t address = f.address + bias_;
      const std::optional<TextArea> area = area_inside(address);
      if (f.name.empty() || !area) continue;
      writer.inlines.push_back(
          {writer.intern(f.name), files[f.file], f.line, uint16_t(*area), list == &scan.split_rests, f.die, address});
    }
}

void DwarfModule::index_lines(const DwarfScan &scan, const std::vector<uint32_t> &files, IndexWriter &writer) {
  std::vector<IndexLines> lines(files.size());
  for (const LineRow &row : scan.rows) lines[row.file].rows.push_back({row.line, row.address + bias_});
  for (auto *list : {&scan.functions, &scan.inlines, &scan.split_rests})
    for (const ScannedFunction &f : *list)
      if (f.line) lines[f.file].starts.push_back(f.line);
  // Sorted by name, as the order in which the threads met the files changes from run to run.
  std::vector<size_t> order(files.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return scan.files[a] < scan.files[b]; });
  for (size_t i : order)
    if (!lines[i].rows.empty()) writer.add_file(files[i], lines[i]);
}

int DwarfModule::last_line_in(const DebugIndex &index, const FunctionSite &site) {
  if (lines_file_ != site.file) {  // one file's functions are mostly asked for together
    lines_ = index.lines(site.file);
    lines_file_ = site.file;
  }
  return int(lines_.last_line(uint32_t(site.line)));
}

// Does the function, declaration included, reach over the lines the pattern asks for? Its file matches already.
bool DwarfModule::fits_lines(const DebugIndex &index, const FunctionPattern &pattern, const FunctionSite &site) {
  return pattern.file.empty() || pattern.holds_line(site.line, [&] { return last_line_in(index, site); });
}

namespace {

// Compares a pattern with each of the index's source files only once: many functions are in one.
class FileMatcher {
 public:
  FileMatcher(const DebugIndex &index, const FunctionPattern &pattern) : index_(index), pattern_(pattern) {}
  bool operator()(uint32_t file) {
    if (pattern_.file.empty()) return true;
    auto [known, is_new] = known_.try_emplace(file);
    if (is_new) known->second = pattern_.matches_file(std::string(index_.text(file)));
    return known->second;
  }

 private:
  const DebugIndex &index_;
  const FunctionPattern &pattern_;
  std::unordered_map<uint32_t, bool> known_;
};

}  // namespace

void DwarfModule::indexed_calls(const DebugIndex &index, const FunctionPattern &pattern, bool with_parts,
                                std::vector<FunctionSite> &sites, Refusals &refused) {
  bool wild = has_wildcard(pattern.function), partial;
  auto [first, last] =
      index.find(DebugIndex::Functions, wild ? pattern.function : std::string(base_name(pattern.function, partial)));
  std::vector<const IndexFunction *> found;
  for (size_t i = first; i < last; i++) {
    const IndexFunction &f = index.function(i);
    std::string base(index.text(f.name));
    bool is_symbol = index.text(f.symbol) == pattern.function;
    bool matches = wild ? wildcard_match(pattern.function, base) : base == pattern.function || is_symbol;
    if (!matches || hidden_stub(pattern.function, base)) continue;
    if ((f.flags & index_partial) && !with_parts && !is_symbol) continue;
    if (wild && !f.die) continue;  // assembly; a wildcard does not mean thunks and the like
    found.push_back(&f);
  }
  // Of several names of the same code the one in the source comes first.
  std::stable_sort(found.begin(), found.end(), [](auto *a, auto *b) {
    if (a->address != b->address) return a->address < b->address;
    return (a->flags & index_own_name) && !(b->flags & index_own_name);
  });
  const IndexFunction *previous = nullptr;
  FileMatcher in_file(index, pattern);
  for (const IndexFunction *f : found) {
    if (previous && previous->address == f->address) continue;  // another name of the same code
    if (!in_file(f->file)) continue;
    FunctionSite site;
    site.module = this;
    site.name = index.text(f->name);
    site.symbol = index.text(f->symbol);
    site.file = index.text(f->file);
    site.line = int(f->line);
    site.address = f->address;
    site.handle = f->die;
    site.is_global = f->flags & index_global;
    site.is_exported = f->flags & index_exported;
    if (!pattern.file.empty() && (!f->die || !fits_lines(index, pattern, site))) continue;
    if (const char *reason = refused.of_area(binary_, TextArea(f->area))) {
      refused.add(site.symbol, reason);
      continue;
    }
    place_site(site);
    if (is_refused_by_module(site, refused)) continue;
    previous = f;
    sites.push_back(std::move(site));
  }
}

void DwarfModule::indexed_inlines(const DebugIndex &index, const FunctionPattern &pattern, unsigned kinds,
                                  std::vector<FunctionSite> &sites, const Refusals &refused) {
  auto [first, last] = index.find(DebugIndex::Inlines, pattern.function);
  std::vector<FunctionSite> found;
  FileMatcher in_file(index, pattern);
  uint32_t checked = 0;
  bool matches = false;
  std::vector<std::pair<uint32_t, uint32_t>> copied;  // files and lines that have a copy
  for (size_t i = first; i < last; i++) {
    const IndexInline &f = index.inline_copy(i);
    if (f.name != checked) {  // many copies have one name
      checked = f.name;
      matches = wildcard_match(pattern.function, std::string(index.text(f.name)));
      copied.clear();
    }
    if (!matches || !in_file(f.file) || refused.of_area(binary_, TextArea(f.area))) continue;
    if (f.is_split_rest && !(kinds & Parts)) continue;
    if (kinds & OneCopy) {
      std::pair<uint32_t, uint32_t> place(f.file, f.line);
      if (std::find(copied.begin(), copied.end(), place) != copied.end()) continue;
      copied.push_back(place);
    }
    FunctionSite site;
    site.module = this;
    site.is_inlined = true;
    site.name = index.text(f.name);
    site.file = index.text(f.file);
    site.line = int(f.line);
    site.address = f.address;
    site.handle = f.die;
    if (!fits_lines(index, pattern, site)) continue;
    place_site(site);
    found.push_back(std::move(site));
  }
  std::stable_sort(found.begin(), found.end(), [](auto &a, auto &b) { return a.handle < b.handle; });
  std::move(found.begin(), found.end(), std::back_inserter(sites));
}

bool DwarfModule::indexed_functions(const FunctionPattern &pattern, unsigned kinds, std::vector<FunctionSite> &sites,
                                    Refusals &refused) {
  const size_t known = refused.list.size();
  auto forget = [&] {
    sites.clear();
    refused.list.resize(known);
  };
  const bool done = with_index([&](const DebugIndex &index) {
    forget();
    if (kinds & Calls) indexed_calls(index, pattern, kinds & Parts, sites, refused);
    if (kinds & Inlines) indexed_inlines(index, pattern, kinds, sites, refused);
  });
  if (!done) forget();
  return done;
}

bool DwarfModule::indexed_names(std::vector<std::string> &names) {
  return with_index([&](const DebugIndex &index) {
    names.clear();
    for (size_t i = 0; i < index.functions(); i++) {
      std::string_view symbol = index.text(index.function(i).symbol);
      if (symbol.find('.') == symbol.npos && !symbol.starts_with("__pfx_")) names.emplace_back(symbol);
    }
  });
}

std::vector<std::string> DwarfModule::type_names() {
  std::vector<std::string> names;
  with_index([&](const DebugIndex &index) {
    names.clear();
    for (size_t i = 0; i < index.types(); i++) {
      const std::string_view name = index.text(index.type(i).name);
      if (names.empty() || names.back() != name) names.emplace_back(name);
    }
  });
  return names;
}

std::vector<std::string> DwarfModule::variable_names() {
  std::vector<std::string> names;
  with_index([&](const DebugIndex &index) {
    names.clear();
    for (size_t i = 0; i < index.variables(); i++) {
      const std::string_view name = index.text(index.variable(i).name);
      if (names.empty() || names.back() != name) names.emplace_back(name);
    }
  });
  return names;
}

bool DwarfModule::indexed_type(const std::string &wanted, int tag, uint64_t &die) {
  return with_index([&](const DebugIndex &index) {
    die = 0;
    auto [first, last] = index.find(DebugIndex::Types, wanted);
    for (size_t i = first; i < last; i++)
      if (const IndexType &t = index.type(i); (!tag || int(t.tag) == tag) && (!die || t.die < die)) die = t.die;
  });
}

bool DwarfModule::indexed_variables(const std::string &wanted, const FunctionPattern &file,
                                    std::vector<uint64_t> &dies) {
  return with_index([&](const DebugIndex &index) {
    dies.clear();
    auto [first, last] = index.find(DebugIndex::Variables, wanted);
    for (size_t i = first; i < last; i++)
      if (const IndexVariable &v = index.variable(i); file.matches_file(std::string(index.text(v.file))))
        dies.push_back(v.die);
  });
}
