// SPDX-License-Identifier: GPL-2.0-or-later
// The set of debugging information a run uses: opened once, with an error that names the package when it is missing.
#include "debuginfo/debuginfo.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>

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

std::vector<std::string> debuginfo_hints(Session &s, const TargetBinary &binary) {
  std::vector<std::string> hints;
  if (const std::string package = binary.is_file() ? package_of(binary.path) : ""; !package.empty())
    hints = {fmt::format(
        "compile it with -g, or install its package's debug symbols (Debian: {}-dbgsym; Fedora: debuginfo-install)",
        package)};
  else if (binary.is_file()) hints = {"compile it with -g"};
  else
    hints = {fmt::format("Debian: install linux-image-{0}-dbg; Fedora: debuginfo-install kernel-{0} (kernel-debuginfo)",
                         s.kernel_release),
             "or name its directory in SYSTEMTAP_DEBUGINFO_PATH"};
  const std::string &fetch_error = DebugInfoSet::of(s).fetch_error();
  if (!fetch_error.empty()) hints.push_back(fetch_error);
  else if (!has_debuginfod()) hints.push_back("or name a debuginfo server in DEBUGINFOD_URLS");
  return hints;
}

std::optional<bool> DebugInfoSet::kernel_has_function(const std::string &name) {
  const auto &kernel = kernel_btf();
  if (!kernel || (*kernel)->functions.size() == 0) return {};
  const auto [begin, end] = (*kernel)->functions.find(name);
  return begin != end;
}

const Result<std::shared_ptr<KernelBtf>> &DebugInfoSet::kernel_btf() {
  if (!kernel_btf_) {
    auto read = read_kernel_btf(session_);
    if (read) kernel_btf_.emplace(std::move(*read));
    else kernel_btf_.emplace(read.failure());
  }
  return *kernel_btf_;
}

namespace {

// Of a kernel's image or a module's file; empty when it has none.
std::vector<uint8_t> build_id_of(const std::string &path) {
  const auto image = ElfImage::read(path);
  for (const char *name : {".notes", ".note.gnu.build-id"})
    if (const ElfSection *notes = image ? (*image)->section(name) : nullptr)
      if (auto note = find_build_id(notes->bytes)) return note->id;
  return {};
}

}  // namespace

// A program or library: the file's own DWARF, or what libdwfl finds for its build-id here and at the servers.
Result<std::unique_ptr<DebugModule>> DebugInfoSet::open_file(const TargetBinary &wanted) {
  session_.looked_at.insert(wanted.path);
  std::error_code error;
  if (!std::filesystem::is_regular_file(wanted.path, error))  // reading a pipe would wait
    return Failure{wanted.path + ": there is no such file"};
  auto module = DwarfModule::open(wanted);
  if (!module) return Failure{wanted.path + ": " + module.reason()};
  return std::move(*module);
}

// The binary's path is that of a module's file.
Result<std::unique_ptr<DebugModule>> DebugInfoSet::open_btf(const TargetBinary &binary) {
  for (const std::string &image : find_kernel_images(session_)) session_.looked_at.insert(image);
  const auto &kernel = kernel_btf();
  if (!kernel) return kernel.failure();
  if (binary.is_kernel()) return BtfModule::open_kernel(*kernel);
  auto module = BtfModule::open_module(binary, *kernel);
  if (!module) return module.failure();
  return std::move(*module);
}

// DWARF if there is any here, else BTF, else what the servers in DEBUGINFOD_URLS have.
Result<std::unique_ptr<DebugModule>> DebugInfoSet::open(const TargetBinary &wanted) {
  if (wanted.is_file()) return open_file(wanted);
  TargetBinary binary = wanted;
  std::string reason;
  if (wanted.path.empty())
    binary.path = wanted.is_kernel() ? find_kernel_debuginfo(session_) : find_module_debuginfo(session_, wanted.name);
  if (!binary.path.empty()) {
    session_.looked_at.insert(binary.path);
    NoDebuginfod only_local;  // servers are asked when only DWARF will do
    auto module = DwarfModule::open(binary);
    if (module) return std::move(*module);
    reason = binary.path + ": " + module.reason();
  }
  std::string image = wanted.path;
  if (image.empty() && wanted.is_module()) image = find_module_image(session_, wanted.name);
  if (!image.empty()) session_.looked_at.insert(image);
  if (wanted.is_module() && image.empty()) return Failure{reason};
  if (wanted.is_module()) binary.path = image;
  auto btf = open_btf(binary);
  if (btf) return btf;
  reason += (reason.empty() ? "" : "; ") + btf.reason();
  if (!has_debuginfod()) return Failure{reason};
  std::vector<std::string> images = find_kernel_images(session_);
  if (wanted.is_kernel() && !images.empty()) image = images[0];
  const Result<std::string> fetched = fetch_debuginfo(build_id_of(image));
  if (!fetched) {
    fetch_error_ = fetched.reason();
    return Failure{reason};
  }
  binary.path = *fetched;
  auto module = DwarfModule::open(binary);
  if (!module) return module.failure();
  return std::move(*module);
}

Result<DebugModule *> DebugInfoSet::btf(const std::string &module) {
  auto opened = modules_.find(module);
  if (opened != modules_.end() && opened->second && !(*opened->second)->has_places()) return opened->second->get();
  auto known = btf_.find(module);
  if (known == btf_.end()) {
    TargetBinary binary = TargetBinary::named(module);
    if (binary.path.empty() && binary.is_module()) binary.path = find_module_image(session_, binary.name);
    if (binary.is_module() && binary.path.empty()) return Failure{"there is no file of module '" + module + "'"};
    if (binary.is_module()) session_.looked_at.insert(binary.path);
    known = btf_.emplace(module, open_btf(binary)).first;
  }
  if (!known->second) return known->second.failure();
  return known->second->get();
}

DebugModule *DebugInfoSet::module(const std::string &wanted, const Place &place) {
  const TargetBinary binary = TargetBinary::named(wanted);
  const std::string &key = binary.path.empty() ? binary.name : binary.path;
  auto known = modules_.find(key);
  if (known == modules_.end()) known = modules_.emplace(key, open(binary)).first;
  const auto &module = known->second;
  if (module) return module->get();
  if (!place || (!binary.is_kernel() && report_no_module(key, place))) return nullptr;
  Diagnostic &d = session_.diag.error("no-debuginfo", place,
                                      "semantic error: no debuginfo for " + binary.describe(session_.kernel_release));
  if (!module.reason().empty()) d.note(module.reason());
  for (const std::string &hint : debuginfo_hints(session_, binary)) d.hint(hint);
  return nullptr;
}

DebugModule *DebugInfoSet::program(const std::string &path, const Place &place) {
  if (DebugModule *described = module(path, Place{})) return described;
  auto [it, is_new] = stripped_.try_emplace(path);
  if (is_new) {
    auto opened = DwarfModule::open(TargetBinary::named(path), DwarfModule::SymbolsWillDo);
    if (opened && !(*opened)->function_names().empty()) it->second = std::move(*opened);
  }
  if (!it->second && place) module(path, place);
  return it->second.get();
}

bool DebugInfoSet::report_no_module(const std::string &pattern, const Place &place) {
  const std::string kernel = "kernel " + session_.kernel_release;
  if (!TargetBinary::named(pattern).path.empty()) {
    if (std::filesystem::exists(pattern)) return false;
    session_.diag.error("no-such-module", place, "semantic error: there is no module file '{}'", pattern);
    return true;
  }
  const std::vector<std::string> names = list_modules(session_);
  if (names.empty() ||
      std::any_of(names.begin(), names.end(), [&](const std::string &n) { return wildcard_match(pattern, n); }))
    return false;
  Diagnostic &d = session_.diag.error("no-such-module", place, "semantic error: {} has no module {} '{}'", kernel,
                                      has_wildcard(pattern) ? "matching" : "named", pattern);
  const std::string near = nearest_name(pattern, names);
  if (is_built_in(session_, pattern)) d.hint("it is built into the kernel: kernel.function(...)");
  else if (!near.empty()) d.hint("did you mean '{}'?", near);
  else
    d.hint("one of a package that is not installed is found below /lib/modules/{} when it is", session_.kernel_release);
  return true;
}

DebugModule *DebugInfoSet::with_places(DebugModule &module) {
  if (module.has_places()) return &module;
  if (module.binary().is_file()) return nullptr;  // the servers were asked when it was opened
  if (!has_debuginfod()) return nullptr;
  auto [it, is_new] = fetched_.try_emplace(module.binary().name);
  if (!is_new) return it->second.get();
  TargetBinary binary = module.binary();
  if (const Result<std::string> fetched = fetch_debuginfo(binary.build_id)) {
    binary.path = *fetched;
    auto opened = DwarfModule::open(binary);
    if (opened) it->second = std::move(*opened);
    else fetch_error_ = opened.reason();
  } else {
    fetch_error_ = fetched.reason();
  }
  return it->second.get();
}

std::vector<std::string> DebugInfoSet::module_names(const std::string &pattern) {
  std::vector<std::string> names;
  for (const std::string &name : list_modules(session_))
    if (wildcard_match(pattern, name)) names.push_back(name);
  return names;
}

const std::vector<TraceEvent> &DebugModule::trace_events() {
  static const std::vector<TraceEvent> none;
  return none;
}

Expr *per_cpu_pointer(const NodeFactory &make, uint64_t distance) {
  return make.embedded(fmt::format(" /* pure */ /* abi */ stap_per_cpu_pointer({})", int64_t(distance)));
}

void DebugInfoSet::require(Session &s, DebugModule &module) {
  const TargetBinary &binary = module.binary();
  if (!binary.is_module() && (binary.build_id.empty() || (binary.is_file() && !binary.notes_offset))) return;
  auto &list = s.program.required;
  auto is_known = [&](const TargetBinary *known) { return known->is_same_as(binary); };
  if (std::any_of(list.begin(), list.end(), is_known)) return;
  if (binary.is_module()) module.find_anchors();
  list.push_back(&binary);
}

uint32_t symbol_reference(Session &s, const TargetBinary &binary, const std::string &section, uint64_t offset) {
  auto &list = s.program.symbols;
  auto it = std::find_if(list.begin(), list.end(), [&](const Program::SymbolRef &known) {
    return known.binary->is_same_as(binary) && known.section == section && known.offset == offset;
  });
  if (it == list.end()) it = list.insert(list.end(), {&binary, section, offset});
  return uint32_t(it - list.begin());
}
