// SPDX-License-Identifier: GPL-2.0-or-later
// The set of debugging information a run uses: opened once, with an error that names the package when it is missing.
#include "debuginfo/debuginfo.h"

#include <algorithm>
#include <filesystem>

#include "base/glob.h"
#include "debuginfo/btf_module.h"
#include "debuginfo/debuginfod.h"
#include "debuginfo/dwarf_module.h"
#include "debuginfo/find.h"

DebugInfoSet::DebugInfoSet(Session &s) : session_(s) {}
DebugInfoSet::~DebugInfoSet() = default;

DebugInfoSet &DebugInfoSet::of(Session &s) {
  if (!s.debuginfo) s.debuginfo = std::make_shared<DebugInfoSet>(s);
  return *s.debuginfo;
}

std::vector<std::string> debuginfo_hints(Session &s) {
  std::vector<std::string> hints = {"Debian: install linux-image-" + s.kernel_release +
                                        "-dbg; Fedora: debuginfo-install kernel-" + s.kernel_release +
                                        " (kernel-debuginfo)",
                                    "or name its directory in SYSTEMTAP_DEBUGINFO_PATH"};
  const std::string &fetch_error = DebugInfoSet::of(s).fetch_error();
  if (!fetch_error.empty()) hints.push_back(fetch_error);
  else if (!has_debuginfod()) hints.push_back("or name a debuginfo server in DEBUGINFOD_URLS");
  return hints;
}

std::shared_ptr<KernelBtf> DebugInfoSet::kernel_btf(std::string &reason) {
  if (!kernel_btf_ && no_kernel_btf_.empty()) {
    if (auto read = read_kernel_btf(session_)) kernel_btf_ = std::move(*read);
    else no_kernel_btf_ = read.reason();
  }
  if (!kernel_btf_) reason = no_kernel_btf_;
  return kernel_btf_;
}

namespace {

// Of a kernel's image or a module's file; empty when it has none.
std::vector<uint8_t> build_id_of(const std::string &path) {
  const auto image = ElfImage::read(path);
  uint64_t at;
  for (const char *name : {".notes", ".note.gnu.build-id"})
    if (const ElfSection *notes = image ? (*image)->section(name) : nullptr)
      if (auto id = ElfImage::build_id(*notes, at); !id.empty()) return id;
  return {};
}

}  // namespace

// DWARF if there is any here, else BTF, else what the servers in DEBUGINFOD_URLS have.
std::unique_ptr<DebugModule> DebugInfoSet::open(const std::string &wanted, const std::string &name,
                                                std::string &reason) {
  bool is_path = wanted.find('/') != wanted.npos;
  std::string path = is_path        ? wanted
                     : name.empty() ? find_kernel_debuginfo(session_)
                                    : find_module_debuginfo(session_, name);
  std::string no_dwarf;
  if (!path.empty()) session_.looked_at.insert(path);
  if (!path.empty()) {
    NoDebuginfod only_local;  // servers are asked when only DWARF will do
    if (auto module = DwarfModule::open(path, name, no_dwarf)) return module;
  }
  if (!path.empty()) reason = path + ": " + no_dwarf;
  std::string no_btf, image = is_path ? wanted : name.empty() ? "" : find_module_image(session_, name);
  if (!image.empty()) session_.looked_at.insert(image);
  if (!name.empty() && image.empty()) return nullptr;
  for (const std::string &kernel_image : find_kernel_images(session_)) session_.looked_at.insert(kernel_image);
  std::shared_ptr<KernelBtf> kernel = kernel_btf(no_btf);
  std::unique_ptr<DebugModule> module;
  if (kernel) {
    if (name.empty()) module = BtfModule::open_kernel(kernel);
    else module = BtfModule::open_module(image, name, kernel, no_btf);
  }
  if (module) return module;
  reason += (reason.empty() ? "" : "; ") + no_btf;
  if (!has_debuginfod()) return nullptr;
  std::vector<std::string> images = find_kernel_images(session_);
  if (name.empty() && !images.empty()) image = images[0];
  const Result<std::string> fetched = fetch_debuginfo(build_id_of(image));
  if (fetched) return DwarfModule::open(*fetched, name, reason);
  fetch_error_ = fetched.reason();
  return nullptr;
}

DebugModule *DebugInfoSet::btf(const Place &place) {
  auto opened = modules_.find("");
  if (opened != modules_.end() && opened->second && !opened->second->has_places()) return opened->second.get();
  std::string reason;
  if (!btf_)
    if (std::shared_ptr<KernelBtf> kernel = kernel_btf(reason)) {
      for (const std::string &image : find_kernel_images(session_)) session_.looked_at.insert(image);
      btf_ = BtfModule::open_kernel(kernel);
    }
  if (!btf_ && place) {
    Diagnostic &d = session_.diag.error(
        "no-btf", place,
        "semantic error: kernel " + session_.kernel_release + " has no BTF, which describes what tracepoints pass");
    if (!reason.empty()) d.note(reason);
  }
  return btf_.get();
}

DebugModule *DebugInfoSet::module(const std::string &wanted, const Place &place) {
  bool is_path = wanted.find('/') != wanted.npos;
  std::string name = wanted == "kernel" ? "" : is_path ? module_name_of_file(wanted) : wanted;
  std::replace(name.begin(), name.end(), '-', '_');
  auto [it, is_new] = modules_.try_emplace(is_path ? wanted : name);
  std::string reason;
  if (is_new) it->second = open(wanted, name, reason);
  if (!it->second && place && !name.empty() && report_no_module(is_path ? wanted : name, place)) return nullptr;
  if (!it->second && place) {
    const std::string &release = session_.kernel_release;
    std::string what = name.empty() ? "kernel " + release : "module '" + name + "' of kernel " + release;
    Diagnostic &d = session_.diag.error("no-debuginfo", place, "semantic error: no debuginfo for " + what);
    if (!reason.empty()) d.note(reason);
    for (const std::string &hint : debuginfo_hints(session_)) d.hint(hint);
  }
  return it->second.get();
}

bool DebugInfoSet::report_no_module(const std::string &pattern, const Place &place) {
  const std::string kernel = "kernel " + session_.kernel_release;
  if (pattern.find('/') != pattern.npos) {
    if (std::filesystem::exists(pattern)) return false;
    session_.diag.error("no-such-module", place, "semantic error: there is no module file '" + pattern + "'");
    return true;
  }
  const std::vector<std::string> names = list_modules(session_);
  if (names.empty() ||
      std::any_of(names.begin(), names.end(), [&](const std::string &n) { return wildcard_match(pattern, n); }))
    return false;
  Diagnostic &d = session_.diag.error("no-such-module", place,
                                      "semantic error: " + kernel + " has no module " +
                                          (has_wildcard(pattern) ? "matching '" : "named '") + pattern + "'");
  const std::string near = nearest_name(pattern, names);
  if (is_built_in(session_, pattern)) d.hint("it is built into the kernel: kernel.function(...)");
  else if (!near.empty()) d.hint("did you mean '" + near + "'?");
  return true;
}

DebugModule *DebugInfoSet::with_places(DebugModule &module) {
  if (module.has_places()) return &module;
  if (!has_debuginfod()) return nullptr;
  auto [it, is_new] = fetched_.try_emplace(module.name);
  if (!is_new) return it->second.get();
  const Result<std::string> fetched = fetch_debuginfo(module.build_id);
  if (fetched) it->second = DwarfModule::open(*fetched, module.name, fetch_error_);
  else fetch_error_ = fetched.reason();
  return it->second.get();
}

std::vector<std::string> DebugInfoSet::module_names(const std::string &pattern) {
  std::vector<std::string> names;
  for (const std::string &name : list_modules(session_))
    if (wildcard_match(pattern, name)) names.push_back(name);
  return names;
}

void DebugInfoSet::require(Session &s, const DebugModule &module) {
  if (module.build_id.empty()) return;
  Program::ModuleId id{module.name, module.build_id, module.notes_offset};
  auto &list = s.program.modules;
  if (std::find(list.begin(), list.end(), id) == list.end()) list.push_back(std::move(id));
}

uint32_t symbol_reference(Session &s, const std::string &module, const std::string &section, uint64_t offset) {
  Program::SymbolRef reference{module, section, offset};
  auto &list = s.program.symbols;
  auto it = std::find(list.begin(), list.end(), reference);
  if (it == list.end()) it = list.insert(list.end(), reference);
  return uint32_t(it - list.begin());
}
