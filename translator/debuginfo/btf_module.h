// SPDX-License-Identifier: GPL-2.0-or-later
// The BTF source of debugging information: functions with their parameters, and types.
//
// BTF is in every kernel that is built with it, so no debuginfo package is needed.
// It has no places: no addresses, files, lines, locals or inlined copies. Where a
// function is, kallsyms in the kernel's image says, or the symbol table of the
// module's file; a name that is there twice, or only as a variant, is refused. Where a parameter is follows from the
// calling convention, at the function's first instruction.
#pragma once
#include <map>
#include <unordered_map>

#include "debuginfo/btf.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/elf_image.h"
#include "debuginfo/kernel_btf.h"

class BtfModule : public DebugModule {
 public:
  // The kernel's, shared by all modules' sources.
  static std::unique_ptr<BtfModule> open_kernel(std::shared_ptr<KernelBtf> kernel);
  // A module, of its own file.
  static Result<std::unique_ptr<BtfModule>> open_module(const TargetBinary &binary, std::shared_ptr<KernelBtf> kernel);

  bool has_places() const override { return false; }
  std::vector<FunctionSite> functions(const FunctionPattern &pattern, unsigned kinds, Refusals &refused) override;
  const std::vector<TraceEvent> &trace_events() override;
  void find_anchors() override {
    if (image_) binary_.anchors = image_->anchors();
  }
  std::vector<std::string> function_names() override;
  std::vector<std::string> type_names() override;
  std::vector<TargetVariable> variables(const FunctionSite &site) override;
  TargetLocation locate(Session &s, const FunctionSite &site, const TargetVariable &variable,
                        const Place &place) override;
  const TargetType *return_type(const FunctionSite &site) override;
  std::optional<TargetVariable> find_global(const std::string &variable, const std::string &file,
                                            const FunctionSite *site) override;
  std::optional<int64_t> find_enumerator(const std::string &name) override;

  const TargetType *type_at(uint64_t id) override;
  const TargetType *void_type() override { return type_at(0); }
  void load_members(const TargetType &type, std::vector<TargetMember> &members) override;
  void load_enumerators(const TargetType &type, std::vector<TargetEnumerator> &enumerators) override;
  const TargetType *find_type(const std::string &name) override;

 private:
  // Where a module's function is, by its symbol table.
  struct SymbolPlace {
    std::string section;
    uint64_t offset = 0;
    bool is_global = false;
    bool is_blacklisted = false;
    unsigned copies = 0;      // functions of that name
    bool is_variant = false;  // there is only a "name.isra.0" and the like
  };
  using DebugModule::DebugModule;
  void read_symbols();
  const char *place_in_kernel(FunctionSite &site, const Refusals &refused) const;
  const char *place_in_module(FunctionSite &site, const Refusals &refused) const;
  void explain_absence(const std::string &wanted, Refusals &refused) const;
  void add_function(uint32_t id, std::vector<FunctionSite> &sites, Refusals &refused);
  uint32_t prototype_of(const FunctionSite &site) const;
  uint32_t peel(uint32_t id) const;
  void make_type(uint32_t id, TargetType &type);
  void make_enum(const BtfType &t, TargetType &type);
  std::string spell(uint32_t id, int depth) const;
  std::string spell_prototype(const BtfType &t, int depth) const;

  std::shared_ptr<KernelBtf> kernel_;
  std::unique_ptr<ElfImage> image_;  // of a module
  std::string bytes_;                // of a module's BTF
  std::unique_ptr<Btf> own_;
  const Btf *btf_ = nullptr;
  std::map<std::string, SymbolPlace, std::less<>> places_;
  std::vector<std::string> exported_;
  std::unordered_map<uint64_t, std::unique_ptr<TargetType>> types_;
  std::optional<std::vector<TraceEvent>> trace_events_;  // once they were asked for
  mutable unsigned spelled_ = 0;
  std::unordered_map<std::string, const TargetType *> types_by_name_;
};
