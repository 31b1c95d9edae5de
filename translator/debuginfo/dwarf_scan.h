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

#include "debuginfo/dwarf_cursor.h"

struct ScannedFunction {
  uint64_t die = 0, address = 0;
  std::string_view name;
  uint32_t file = 0;  // in DwarfScan::files, 0: not known
  uint32_t line = 0;
};
struct DwarfScanName {
  uint64_t die = 0;
  std::string_view name;
  uint16_t tag = 0;
  uint32_t unit = 0;  // its number
};

// The first of the instructions that are one after another of one line.
struct LineRow {
  uint64_t address = 0;
  uint32_t file = 0, line = 0;
};

struct DwarfScan {
  std::vector<ScannedFunction> functions;  // with code
  std::vector<ScannedFunction> inlines;    // inlined copies, `die` the copy's
  std::vector<DwarfScanName> types;        // full definitions
  std::vector<DwarfScanName> variables;    // of file scope, that have a place
  std::vector<DwarfScanName> units;        // name is the source file's, `die` the unit's DIE
  std::vector<LineRow> rows;               // of statements; of one line only where it begins
  std::vector<std::string> files;  // as dwarf_decl_file() says, the compilation's directory taken off; [0] is ""
};

// Scans everything on `threads` threads; `progress` is called in this one, with bytes done and in all. False with
// `error` set when nothing can be made of the sections.
bool scan_dwarf(const DwarfSections &sections, unsigned threads,
                const std::function<void(uint64_t, uint64_t)> &progress, DwarfScan &result, std::string &error);

// The header of a unit's line program.
struct LineHeader {
  uint64_t program = 0, end = 0;  // in .debug_line
  uint8_t instruction_size = 1, line_range = 0;
  int8_t line_base = 0;
  bool is_statement = true;        // unless the program says otherwise
  std::vector<uint8_t> operands;   // of each standard operation, from 1
  std::vector<std::string> files;  // what DW_AT_decl_file's numbers mean
};
// False when there is none or it is damaged.
bool read_line_header(const DwarfSections &sections, const DwarfUnit &unit, LineHeader &header);
// Runs the program and calls row() for each row of a statement that begins another line; its `file` is the header's
// number.
void read_line_rows(const DwarfSections &sections, const LineHeader &header,
                    const std::function<void(const LineRow &)> &row);
