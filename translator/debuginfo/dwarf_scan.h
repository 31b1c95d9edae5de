// SPDX-License-Identifier: GPL-2.0-or-later
// A scanner of .debug_info that finds, in one pass over all units and on all CPUs, what an index needs.
//
// libdw's tree walk needs a handle per thread and ten times as long; this one
// knows only the few attributes that matter and jumps over the rest. Damaged
// input ends the unit it is in, never the program.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "dwarf_cursor.h"

struct ScannedFunction {
  uint64_t die = 0, address = 0;
  std::string_view name;
  uint32_t file = 0;         // in DwarfScan::files, 0: not known
  uint32_t line = 0;
};
struct ScannedName {
  uint64_t die = 0;
  std::string_view name;
  uint16_t tag = 0;
  uint32_t unit = 0;         // its number
};

struct DwarfScan {
  std::vector<ScannedFunction> functions;  // with code
  std::vector<ScannedFunction> inlines;    // inlined copies, `die` the copy's
  std::vector<ScannedName> types;          // full definitions
  std::vector<ScannedName> variables;      // of file scope, that have a place
  std::vector<ScannedName> units;          // name is the source file's, `die` the unit's DIE
  std::vector<std::string> files;          // as dwarf_decl_file() says, the compilation's directory taken off; [0] is ""
};

// Scans everything on `threads` threads; `progress` is called in this one, with bytes done and in all. False with `error` set
// when nothing can be made of the sections.
bool scan_dwarf(const DwarfSections &sections, unsigned threads,
                const std::function<void(uint64_t, uint64_t)> &progress, DwarfScan &result, std::string &error);

// The files that DW_AT_decl_file numbers of a unit mean, from the header of its line table.
std::vector<std::string> read_line_files(const DwarfSections &sections, const DwarfUnit &unit);
