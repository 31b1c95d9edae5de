// SPDX-License-Identifier: GPL-2.0-or-later
// The DWARF source of debugging information, over libdw and libdwfl.
//
// vmlinux's DWARF is 170 MB of DIEs; reading all of it takes seconds. What keeps
// look-ups short:
//  - a large file's functions, types, variables and lines are in an index by name
//    (index.h), built once per build-id. Without one:
//  - a function that has code is in the symbol table, and .debug_aranges leads
//    from its address to its compilation unit;
//  - anything else is found by name: the name's offsets in .debug_str are few, and
//    a sweep over the raw bytes of .debug_info for those offsets says which
//    units can mention it. Only those are walked, and only their outermost DIEs.
#pragma once
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "debuginfo/anchors.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/dwarf_scan.h"
#include "debuginfo/index.h"
#include "debuginfo/thread_local.h"

class DwarfModule : public DebugModule {
 public:
  // Without DWARF a program's symbols tell where its functions are, and nothing else.
  enum Needs : uint8_t { NeedsDwarf, SymbolsWillDo };
  // Opens the binary's file, of ELF with DWARF.
  static Result<std::unique_ptr<DwarfModule>> open(const TargetBinary &binary, Needs needs = NeedsDwarf);
  ~DwarfModule() override;

  bool has_places() const override { return dwarf_ != nullptr; }
  std::string why_undescribed(const FunctionSite &site) override;
  std::vector<FunctionSite> functions(const FunctionPattern &pattern, unsigned kinds, Refusals &refused) override;
  std::vector<FunctionSite> statements(const FunctionPattern &pattern, unsigned kinds, Refusals &refused) override;
  Result<FunctionSite> statement_at(uint64_t address, Refusals &refused) override;
  std::vector<FunctionSite> labels(const FunctionSite &function, const std::string &pattern) override;
  std::vector<Callee> callees(const FunctionSite &caller, const std::string &pattern, unsigned kinds,
                              Refusals &refused) override;
  std::optional<FrameRule> frame_at(uint64_t address) override;
  void find_anchors() override { binary_.anchors = section_anchors(elf_); }
  std::vector<std::string> function_names() override;
  std::vector<std::string> type_names() override;
  std::vector<std::string> variable_names() override;
  std::vector<TargetVariable> variables(const FunctionSite &site) override;
  TargetLocation locate(Session &s, const FunctionSite &site, const TargetVariable &variable,
                        const Place &place) override;
  const TargetType *return_type(const FunctionSite &site) override;
  std::optional<TargetVariable> find_global(const std::string &variable, const std::string &file,
                                            const FunctionSite *site) override;
  std::optional<int64_t> find_enumerator(const std::string &name) override;

  const TargetType *type_at(uint64_t id) override;
  const TargetType *void_type() override;
  void load_members(const TargetType &type, std::vector<TargetMember> &members) override;
  void load_enumerators(const TargetType &type, std::vector<TargetEnumerator> &enumerators) override;
  const TargetType *find_type(const std::string &name) override;

 private:
  struct SymbolEntry {
    std::string_view name;  // in the ELF string table
    uint64_t address;
    uint64_t size;
    uint32_t section;  // ELF section number
    bool is_global;
  };
  struct Unit {
    Dwarf_Off offset;  // of the header
    uint64_t die;      // handle of the unit's DIE
  };
  // What one walk over a unit's outermost DIEs finds.
  struct UnitFunctions {
    std::unordered_map<uint64_t, Dwarf_Off> by_address;  // concrete functions
    std::vector<Dwarf_Off> inlined;                      // abstract ones, with DW_AT_inline
    std::unordered_map<uint64_t, size_t> scope_of;       // of each that is in one, a position in:
    std::vector<std::string> scopes;                     // "shape::Rect::"
  };

  using DebugModule::DebugModule;
  void need_symbols();
  void read_symbols();
  void read_identity();
  // The bytes of the file at an address; none when it does not hold all of them.
  std::string_view memory(uint64_t address, uint64_t size) const;
  uint64_t symbol_address(std::string_view symbol) const;  // 0: none
  std::string section_name(uint32_t section) const;
  TextArea area_of(const SymbolEntry &symbol) const;
  // Does the module forbid to probe the function, whose place is known? Then `refused` says so.
  bool is_refused_by_module(const FunctionSite &site, Refusals &refused);
  void place_site(FunctionSite &site) const;  // section and offset from the address
  TargetLocation locate_die(Session &s, const FunctionSite &site, Dwarf_Die *die, const Place &place, int depth);
  bool is_in_per_cpu_area(const FunctionSite &target);

  const std::vector<Unit> &units();
  // Units that may hold a DIE with this name (a superset), as positions in units().
  std::vector<size_t> units_mentioning(const std::string &name);
  bool sweep_for(const std::string &name, std::vector<size_t> &found);
  const UnitFunctions &functions_of_unit(Dwarf_Off unit_die);
  void add_unit_functions(Dwarf_Die *scope, const std::string &scope_name, int depth, UnitFunctions &functions);
  // scoped_name() of a function of a unit that was read, without a search of the unit.
  std::string name_in_unit(Dwarf_Die *function, const UnitFunctions &unit);
  bool unit_of_address(uint64_t address, Dwarf_Die *unit);
  bool die_of_function(uint64_t address, Dwarf_Die *die);
  // DIEs are known by handles: the offset in .debug_info, or that in another file (of dwz or of -gsplit-dwarf) or in
  // .debug_types with the number of that file above it.
  static constexpr unsigned handle_offset_bits = 40;
  static constexpr uint64_t handle_in_types = 0x8000;
  uint64_t number_of(Dwarf *file);
  uint64_t handle_of(Dwarf_Die *die);
  bool die_at(uint64_t handle, Dwarf_Die *die);
  bool unit_at(uint64_t handle, Dwarf_Die *unit);  // a unit's DIE, which may be in a file of its own
  void use_split_unit(Dwarf_Die *unit);
  bool refers_to_other_units();
  void read_unit_ranges();
  std::string source_file(Dwarf_Die *function);
  // Statements (statements.cc).
  struct AddressRange {
    uint64_t low = 0, high = 0;
  };
  const std::vector<IndexRow> &rows_of(const std::string &file);
  void read_rows();
  int last_line_of(const FunctionSite &site);
  std::vector<AddressRange> own_code(const FunctionSite &site);
  void add_ranges(Dwarf_Die *die, std::vector<AddressRange> &ranges) const;
  void add_repeats(Dwarf_Die *scope, uint64_t origin, int depth, std::vector<AddressRange> &ranges);
  void add_labels(Dwarf_Die *scope, const FunctionSite &function, const std::string &pattern, int depth,
                  std::vector<FunctionSite> &sites);
  struct CalleeSearch;  // callees.cc
  void add_callees(Dwarf_Die *scope, int depth, CalleeSearch &search);
  void add_inlined_callee(Dwarf_Die *copy, CalleeSearch &search);
  void add_call(Dwarf_Die *call, CalleeSearch &search);
  std::vector<FunctionSite> definitions_of(Dwarf_Die *function, Refusals &refused);
  CodeAddress code_address(uint64_t address) const;
  bool begins_statement(uint64_t address, int &line);
  bool function_around(uint64_t address, FunctionSite &site);

  void add_calls(const FunctionPattern &pattern, bool with_parts, std::vector<FunctionSite> &sites, Refusals &refused);
  void add_inlines(const FunctionPattern &pattern, bool with_parts, std::vector<FunctionSite> &sites,
                   const Refusals &refused);
  void add_instances(const FunctionPattern &pattern, Dwarf_Die *abstract, bool with_parts,
                     std::vector<FunctionSite> &sites, const Refusals &refused);
  void describe(FunctionSite &site, Dwarf_Die *function);
  bool has_mangled_names();
  // Unoptimised code puts a function's parameters into its frame first, where DWARF says that they are all along.
  bool keeps_parameters_in_frame(const FunctionSite &site);
  void skip_prologue(FunctionSite &site);
  TargetLocation locate_argument(Session &s, const FunctionSite &site, const TargetVariable &variable,
                                 const Place &place);
  int last_line(Dwarf_Die *function, int line);

  // The index (dwarf_index.cc). The functions that use it return false when there is none.
  DwarfSections sections() const;
  void open_index(bool rebuild);
  bool use_index(const std::string &path);
  bool build_index(const std::string &path);
  void index_functions(const DwarfScan &scan, const std::vector<uint32_t> &files, IndexWriter &writer);
  void index_inlines(const DwarfScan &scan, const std::vector<uint32_t> &files, IndexWriter &writer);
  void index_lines(const DwarfScan &scan, const std::vector<uint32_t> &files, IndexWriter &writer);
  // Calls f() with the index; when that turns out damaged, once more with a new one. False: there is none.
  template <class F> bool with_index(F f) {
    for (bool again : {false, true}) {
      if (!index_) return false;
      try {
        f(*index_);
        return true;
      } catch (IndexDamaged &) {
        open_index(!again);
      }
    }
    return false;
  }
  int last_line_in(const DebugIndex &index, const FunctionSite &site);
  bool fits_lines(const DebugIndex &index, const FunctionPattern &pattern, const FunctionSite &site);
  void indexed_calls(const DebugIndex &index, const FunctionPattern &pattern, bool with_parts,
                     std::vector<FunctionSite> &sites, Refusals &refused);
  void indexed_inlines(const DebugIndex &index, const FunctionPattern &pattern, unsigned kinds,
                       std::vector<FunctionSite> &sites, const Refusals &refused);
  bool indexed_functions(const FunctionPattern &pattern, unsigned kinds, std::vector<FunctionSite> &sites,
                         Refusals &refused);
  bool indexed_names(std::vector<std::string> &names);
  bool indexed_type(const std::string &wanted, int tag, uint64_t &die);
  bool indexed_variables(const std::string &wanted, const FunctionPattern &file, std::vector<uint64_t> &dies);
  std::optional<TextArea> area_inside(uint64_t address) const;  // of an inlined copy; none outside of every function

  void add_variables(Dwarf_Die *scope, uint64_t address, int depth, std::vector<TargetVariable> &out);
  void make_type(Dwarf_Die *die, TargetType &type, int depth);
  void set_target(Dwarf_Die *die, TargetType &type);
  std::string spell(Dwarf_Die *die, int depth);
  std::string spell_target(Dwarf_Die *die, int depth);
  bool find_definition(const std::string &name, int tag, Dwarf_Die *found);
  bool find_in_scope(Dwarf_Die *scope, const std::string &wanted, int tag, int depth, Dwarf_Die *found);

  Dwfl *dwfl_ = nullptr;
  Dwfl_Module *module_ = nullptr;
  Dwarf *dwarf_ = nullptr;
  Elf *elf_ = nullptr, *debug_elf_ = nullptr;  // the file itself, and that with the DWARF
  Dwarf_Addr bias_ = 0;                        // what libdwfl adds to the addresses of the DWARF,
  Dwarf_Addr file_bias_ = 0;                   // and to those of the file itself: another one when it was prelinked
  bool relocatable_ = false;
  std::optional<bool> mangled_;  // has_mangled_names(), once it is known
  bool has_symbols_ = false, index_failed_ = false;
  std::unique_ptr<DebugIndex> index_;
  std::string lines_file_;  // whose lines_ these are
  IndexLines lines_;
  std::map<std::string, std::vector<IndexRow>> rows_;  // of files, by address, as far as they were asked for
  bool has_all_rows_ = false;                          // those of every file: there is no index
  uint64_t stext_ = 0;
  std::vector<SymbolEntry> symbols_;            // functions, by address
  std::map<std::string_view, uint64_t> marks_;  // symbols of the kernel that bound its areas and its notes
  std::unordered_set<std::string_view> exported_;
  KernelAreas areas_;
  std::optional<std::set<std::pair<std::string, uint64_t>>> blacklist_;  // a module's own: sections and offsets
  std::vector<Unit> units_;
  std::optional<bool> refers_elsewhere_;  // refers_to_other_units(), once it is known
  std::vector<Dwarf *> other_files_;      // that handles lead to
  std::unordered_map<Dwarf *, uint64_t> numbers_;
  struct UnitRange {
    uint64_t high, unit;
  };
  std::map<uint64_t, UnitRange> unit_ranges_;  // by where each begins; empty as long as nobody asked
  std::unordered_map<Dwarf_Off, UnitFunctions> unit_functions_;
  std::unordered_map<uint64_t, std::unique_ptr<TargetType>> types_;
  unsigned spelled_ = 0;
  std::unordered_map<std::string, const TargetType *> types_by_name_;
  TargetType void_;
};

// "foo" of "foo.isra.0" and of "foo@@VERSION"; sets `partial` for pieces of a function that are not its entry.
std::string_view base_name(std::string_view symbol, bool &partial);
// Linker stubs take part only when the pattern speaks of them.
bool hidden_stub(const std::string &pattern, std::string_view name);
// The file that a DIE says it is declared in; null when it does not.
const char *declared_file(Dwarf_Die *die);
// A path as the kernel's sources have it: without the directory that the unit's compiler ran in.
std::string below_source_tree(std::string file, Dwarf_Die *unit);
// Does the language of the unit that the DIE is in have namespaces and functions in types, and does the DIE hold such?
bool has_scopes(Dwarf_Die *die);
bool opens_scope(Dwarf_Die *die);
// "shape::area" of the function's DIE, from the DIEs around it.
std::string scoped_name(Dwarf_Die *function);
// The first instruction of a function or inlined copy; false when it has no code.
bool entry_address(Dwarf_Die *die, Dwarf_Addr *entry);
// The DIE that describes a function for all copies of it, or the function's own.
Dwarf_Die abstract_instance(Dwarf_Die *function);
// Is what looks like an inlined copy of a function within itself no call, but a part that was split off and put back?
bool is_split_rest(Dwarf_Die *copy);

// Turns a location expression into syntax-tree nodes (location.cc).
struct LocationContext {
  Session &session;
  Place place;
  AddressSpace space;             // of what the location reads
  Dwarf_Attribute *attribute;     // of the location, for the operations that need it
  Dwarf_Die *function = nullptr;  // whose frame base is meant, or null
  Dwarf_CFI *cfi = nullptr;
  uint64_t address = 0;                                   // of the probe, in the file
  bool at_entry = false;                                  // the probe is at the function's first instruction
  std::function<Expr *(uint64_t address)> address_of;     // run-time address of an address in the file
  std::function<TargetLocation(Dwarf_Die *)> locate_die;  // where another variable is at the same place
  std::function<ThreadBlock()> thread_block = nullptr;    // where the file's thread-local variables are
};
TargetLocation lower_location(LocationContext &context, const Dwarf_Op *ops, size_t count);
