// SPDX-License-Identifier: GPL-2.0-or-later
// The BTF source: opening it, functions that match, their parameters and where those are.
#include "debuginfo/btf_module.h"

#include <algorithm>

#include "base/glob.h"
#include "debuginfo/convention.h"
#include "debuginfo/trace_events.h"
#include "syntax/make.h"

std::unique_ptr<BtfModule> BtfModule::open_kernel(std::shared_ptr<KernelBtf> kernel) {
  TargetBinary binary;
  binary.path = kernel->path;
  binary.build_id = kernel->build_id;
  binary.notes_offset = kernel->notes_offset;
  std::unique_ptr<BtfModule> m(new BtfModule(std::move(binary)));
  m->btf_ = kernel->btf.get();
  m->kernel_ = std::move(kernel);
  return m;
}

Result<std::unique_ptr<BtfModule>> BtfModule::open_module(const TargetBinary &binary,
                                                          std::shared_ptr<KernelBtf> kernel) {
  std::unique_ptr<BtfModule> m(new BtfModule(binary));
  const std::string &path = binary.path;
  m->kernel_ = std::move(kernel);
  auto image = ElfImage::read(path);
  if (!image) return image.failure();
  m->image_ = std::move(*image);
  const ElfSection *btf = m->image_->section(".BTF");
  if (!btf || btf->bytes.empty()) return Failure{path + ": it has no BTF (CONFIG_DEBUG_INFO_BTF_MODULES)"};
  // Types made since kernel 6.12 may continue a base of their own; its numbers would mean other types.
  if (m->image_->section(".BTF.base")) return Failure{path + ": its BTF does not continue the kernel's (.BTF.base)"};
  m->bytes_ = btf->bytes;
  auto own = Btf::parse(m->bytes_, m->kernel_->btf.get());
  if (!own) return Failure{path + ": " + own.reason()};
  m->own_ = std::move(*own);
  m->btf_ = m->own_.get();
  if (const ElfSection *notes = m->image_->section(".note.gnu.build-id"))
    if (auto note = find_build_id(notes->bytes)) m->binary_.build_id = std::move(note->id);
  m->read_symbols();
  return m;
}

const std::vector<TraceEvent> &BtfModule::trace_events() {
  if (!trace_events_)
    trace_events_ = parse_trace_events(image_ ? read_module_trace_events(*image_, trace_field_size(*kernel_->btf))
                                              : kernel_->trace_events);
  return *trace_events_;
}

void BtfModule::read_symbols() {
  const std::vector<ElfSection> &sections = image_->sections();
  const auto blacklist = image_->kprobe_blacklist();
  for (const ElfImage::Symbol &symbol : image_->symbols()) {
    if (symbol.name.starts_with("__ksymtab_")) exported_.emplace_back(symbol.name.substr(10));
    if (!symbol.is_function) continue;
    size_t dot = symbol.name.find('.');
    std::string_view base = symbol.name.substr(0, dot);
    SymbolPlace &place = places_.try_emplace(std::string(base)).first->second;
    if (dot != symbol.name.npos) {
      place.is_variant |= symbol.name.find(".cold") == symbol.name.npos;
      continue;
    }
    place.copies++;
    place.offset = symbol.value;
    place.is_global = symbol.is_global;
    place.is_blacklisted = blacklist.count({symbol.section, symbol.value});
    for (const ElfSection &section : sections)
      if (section.index == symbol.section) place.section = section.name;
  }
  std::sort(exported_.begin(), exported_.end());
}

const char *const variant_only =
    "is there only as a variant (.isra, .constprop, .part) whose parameters are not those of its prototype";
const char *const many_copies = "is the name of several functions, and BTF does not tell them apart";
const char *const inlined_only = "has no code of its own: it is inlined wherever it is called";

// Places a function of the kernel; null, or why it can't be had.
const char *BtfModule::place_in_kernel(FunctionSite &site, const Refusals &refused) const {
  const FunctionTable &table = kernel_->functions;
  site.by_name = true;
  if (!table.size()) return nullptr;
  auto [first, last] = table.find(site.name);
  if (first == last) {
    auto [variant, variants_end] = table.find(site.name + ".");
    for (; variant != variants_end; variant++)
      if (table.name(*variant).find(".cold") == std::string_view::npos) return variant_only;
    return inlined_only;
  }
  if (last - first > 1) return many_copies;
  if (const char *reason = refused.of_area(binary_, first->area)) return reason;
  site.is_global = first->is_global;
  site.is_exported = first->is_exported;
  site.by_name = first->offset == FunctionTable::no_offset;
  if (!site.by_name) site.offset = first->offset;
  return nullptr;
}

// The same of a module.
const char *BtfModule::place_in_module(FunctionSite &site, const Refusals &refused) const {
  auto it = places_.find(site.name);
  if (it == places_.end()) return inlined_only;
  const SymbolPlace &place = it->second;
  if (!place.copies) return place.is_variant ? variant_only : inlined_only;
  if (place.copies > 1) return many_copies;
  const TextArea area = place.is_blacklisted ? TextArea::Blacklisted : area_of_section(place.section);
  if (const char *reason = refused.of_area(binary_, area)) return reason;
  site.section = place.section;
  site.offset = place.offset;
  site.is_global = place.is_global;
  site.is_exported = std::binary_search(exported_.begin(), exported_.end(), site.name);
  return nullptr;
}

// Adds the function of a BTF number, or says why it can't be had; nothing for what is no function.
void BtfModule::add_function(uint32_t id, std::vector<FunctionSite> &sites, Refusals &refused) {
  constexpr uint32_t external = 2;  // BTF_FUNC_EXTERN: only declared
  const BtfType &t = btf_->type(id);
  if (t.kind() != BtfKind::Function || t.count() == external) return;
  if (btf_->type(t.size_or_type).kind() != BtfKind::Prototype) return;
  FunctionSite site;
  site.module = this;
  site.name = site.symbol = btf_->name(t);
  site.handle = id;
  const char *reason = binary_.is_kernel() ? place_in_kernel(site, refused) : place_in_module(site, refused);
  if (reason) refused.add(site.name, reason);
  else sites.push_back(std::move(site));
}

// A function that BTF leaves out: says why, if it is there at all.
void BtfModule::explain_absence(const std::string &wanted, Refusals &refused) const {
  bool is_there = binary_.is_kernel() ? kernel_->functions.find(wanted).first != kernel_->functions.find(wanted).second
                                      : places_.count(wanted) && places_.find(wanted)->second.copies;
  bool has_variant = binary_.is_kernel()
                         ? kernel_->functions.find(wanted + ".").first != kernel_->functions.find(wanted + ".").second
                         : places_.count(wanted) && places_.find(wanted)->second.is_variant;
  if (wanted.find('.') != wanted.npos)
    refused.add(wanted, "is a variant the compiler made, whose parameters BTF does not tell");
  else if (is_there)
    refused.add(wanted, "is not described by BTF: it is assembly, or the compiler changed its parameters");
  else if (has_variant) refused.add(wanted, variant_only);
}

std::vector<FunctionSite> BtfModule::functions(const FunctionPattern &pattern, unsigned kinds, Refusals &refused) {
  std::vector<FunctionSite> sites;
  if (!(kinds & Calls) || !pattern.file.empty()) return sites;
  if (!has_wildcard(pattern.function)) {
    uint32_t id = btf_->find(pattern.function, [](const BtfType &t) { return t.kind() == BtfKind::Function; });
    if (id && id >= btf_->first_id()) add_function(id, sites, refused);
    else explain_absence(pattern.function, refused);
    return sites;
  }
  for (uint32_t id = btf_->first_id(); id < btf_->end_id(); id++) {
    const BtfType &t = btf_->type(id);
    if (t.kind() == BtfKind::Function && wildcard_match(pattern.function, btf_->name(t)))
      add_function(id, sites, refused);
  }
  // A name that BTF describes twice is two functions.
  std::sort(sites.begin(), sites.end(), [](const FunctionSite &a, const FunctionSite &b) { return a.name < b.name; });
  sites.erase(std::unique(sites.begin(), sites.end(),
                          [](const FunctionSite &a, const FunctionSite &b) { return a.name == b.name; }),
              sites.end());
  return sites;
}

std::vector<std::string> BtfModule::function_names() {
  std::vector<std::string> names;
  for (uint32_t id = btf_->first_id(); id < btf_->end_id(); id++)
    if (const BtfType &t = btf_->type(id); t.kind() == BtfKind::Function) names.emplace_back(btf_->name(t));
  return names;
}

std::vector<std::string> BtfModule::type_names() {
  std::vector<std::string> names;
  for (uint32_t id = btf_->first_id(); id < btf_->end_id(); id++) {
    const BtfType &t = btf_->type(id);
    const BtfKind kind = t.kind();
    if (kind == BtfKind::Struct || kind == BtfKind::Union || kind == BtfKind::Typedef || kind == BtfKind::Enum)
      names.emplace_back(btf_->name(t));
  }
  return names;
}

uint32_t BtfModule::prototype_of(const FunctionSite &site) const {
  return btf_->type(uint32_t(site.handle)).size_or_type;
}

std::vector<TargetVariable> BtfModule::variables(const FunctionSite &site) {
  std::vector<TargetVariable> list;
  const BtfType &prototype = btf_->type(prototype_of(site));
  const BtfParameter *parameters = prototype.items<BtfParameter>();
  for (uint32_t i = 0; i < prototype.count(); i++) {
    const char *text = btf_->string(parameters[i].name);
    if (!*text) continue;  // the three dots, or not named
    list.push_back({text, type_at(parameters[i].type), true, false, i, i});
  }
  return list;
}

const TargetType *BtfModule::return_type(const FunctionSite &site) {
  const TargetType *type = type_at(btf_->type(prototype_of(site)).size_or_type);
  return type->kind == TypeKind::Void ? nullptr : type;
}

TargetLocation BtfModule::locate(Session &s, const FunctionSite &site, const TargetVariable &variable,
                                 const Place &place) {
  if (variable.is_global) {
    const auto anchor = find_global("this_cpu_off", "", nullptr);
    if (!anchor) return {nullptr, false, "the kernel's BTF lacks the variable that per-CPU ones are found by"};
    return {per_cpu_pointer(NodeFactory(s, place), variable.handle - anchor->handle), true, "", true};
  }
  const BtfType &prototype = btf_->type(prototype_of(site));
  const BtfParameter *parameters = prototype.items<BtfParameter>();
  Prototype known{return_type(site), {}};
  for (uint32_t i = 0; i < prototype.count(); i++) known.parameters.push_back(type_at(parameters[i].type));
  return argument_at_entry(s, place, known, variable.handle);
}

// Of variables BTF has the per-CPU ones, without the files they are from: a name that several have is refused.
std::optional<TargetVariable> BtfModule::find_global(const std::string &wanted, const std::string &,
                                                     const FunctionSite *) {
  std::optional<TargetVariable> found;
  if (!binary_.is_kernel()) return found;
  const BtfType &section =
      btf_->type(btf_->find(".data..percpu", [](const BtfType &t) { return t.kind() == BtfKind::DataSection; }));
  for (uint32_t i = 0; section.kind() == BtfKind::DataSection && i < section.count(); i++) {
    const BtfPlaced &placed = section.items<BtfPlaced>()[i];
    const BtfType &variable = btf_->type(placed.variable);
    if (variable.kind() != BtfKind::Variable || wanted != btf_->name(variable)) continue;
    if (found) return std::nullopt;
    found = TargetVariable{wanted, type_at(variable.size_or_type), false, true, placed.offset, 0};
  }
  return found;
}
