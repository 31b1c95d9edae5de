// SPDX-License-Identifier: GPL-2.0-or-later
// Reads damaged DWARF and BTF: nothing may crash, hang, or be found where it can't be.
//
//   damage dwarf FILE ROUNDS      an ELF file with DWARF, some bytes changed in each round
//   damage btf RELEASE ROUNDS     the same with a kernel's BTF
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "debuginfo/btf_module.h"
#include "debuginfo/dwarf_scan.h"
#include "debuginfo/elf_image.h"

namespace {

// Changes up to 32 bytes; in some rounds the end is missing too.
void damage(std::string &bytes, std::mt19937 &random) {
  if (bytes.empty()) return;
  for (unsigned n = 1 + random() % 32; n; n--) bytes[random() % bytes.size()] = char(random());
  if (random() % 4 == 0) bytes.resize(random() % bytes.size());
}

int damage_dwarf(const char *path, int rounds) {
  const auto image = ElfImage::read(path);
  if (!image) return printf("%s\n", image.reason().c_str()), 1;
  const char *const names[] = {".debug_info",     ".debug_abbrev",   ".debug_str",
                               ".debug_line",     ".debug_line_str", ".debug_ranges",
                               ".debug_rnglists", ".debug_addr",     ".debug_str_offsets"};
  std::vector<std::string> original;
  for (const char *name : names) {
    const ElfSection *section = (*image)->section(name);
    original.emplace_back(section ? section->bytes : std::string_view());
  }
  std::mt19937 random(1);
  for (int round = 0; round <= rounds; round++) {  // the first is whole
    std::vector<std::string> s = original;
    if (round)
      for (std::string &bytes : s)
        if (random() % 3 == 0 || &bytes == &s[0]) damage(bytes, random);
    DwarfSections sections{s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]};
    Result<DwarfScan> scanned = scan_dwarf(sections, 2, [](uint64_t, uint64_t) {});
    const bool good = bool(scanned);
    const DwarfScan scan = good ? std::move(*scanned) : DwarfScan();
    for (auto *list : {&scan.functions, &scan.inlines})
      for (const ScannedFunction &f : *list)
        if (f.die >= s[0].size() || f.file >= scan.files.size())
          return printf("round %d: a function outside\n", round), 1;
    if (!round)
      printf("whole: %d, %zu functions, %zu copies, %zu types\n", good, scan.functions.size(), scan.inlines.size(),
             scan.types.size());
  }
  return 0;
}

int damage_btf(const char *release, int rounds) {
  Session session;
  session.kernel_release = release;
  const auto whole = read_kernel_btf(session);
  if (!whole) return printf("no BTF: %s\n", whole.reason().c_str()), 77;
  std::mt19937 random(1);
  size_t read = 0;
  for (int round = 0; round < rounds; round++) {
    auto kernel = std::make_shared<KernelBtf>();
    kernel->bytes = (*whole)->bytes;
    // Bytes are changed one at a time; those that the reader refuses at once are put back.
    for (int i = 0; i < 25; i++) {
      size_t at = random() % (kernel->bytes.size() / 2);
      char before = kernel->bytes[at];
      kernel->bytes[at] = char(random());
      if (!Btf::parse(kernel->bytes, nullptr)) kernel->bytes[at] = before;
    }
    std::string cut = kernel->bytes;
    damage(cut, random);
    static_cast<void>(Btf::parse(cut, nullptr));
    auto btf = Btf::parse(kernel->bytes, nullptr);
    if (!btf) return printf("round %d: refused\n", round), 1;
    kernel->btf = std::move(*btf);
    read++;
    uint32_t end = kernel->btf->end_id();
    std::unique_ptr<BtfModule> module = BtfModule::open_kernel(kernel);
    for (uint32_t id = 0; id < end + 10; id++) {
      const TargetType *type = module->type_at(id);
      if (type->object_size() == 1 && type->members().size() > 1 << 16) return 1;
    }
    FunctionPattern all;
    all.function = "*";
    Refusals refused;
    for (const FunctionSite &site : module->functions(all, DebugModule::Calls, refused))
      for (const TargetVariable &v : module->variables(site)) module->locate(session, site, v, Place{});
  }
  printf("rounds: %zu\n", read);
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  return !strcmp(argv[1], "btf") ? damage_btf(argv[2], atoi(argv[3])) : damage_dwarf(argv[2], atoi(argv[3]));
}
