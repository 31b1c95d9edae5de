// SPDX-License-Identifier: GPL-2.0-or-later
// A scanner of .debug_info that finds, in one pass over all units and on all CPUs, what an index needs.
//
// libdw's tree walk takes ten times as long and needs a handle for each thread.
// This scanner knows only the few attributes that matter and jumps over the rest.
// It gives up a damaged unit where the damage begins and goes on with the next.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
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
  uint32_t unit = 0;  // in DwarfScan::units
};

// Where the instructions of a line begin. Of a run of instructions of the same line this is the first.
struct LineRow {
  uint64_t address = 0;
  uint32_t file = 0, line = 0;
};

struct DwarfScan {
  std::vector<ScannedFunction> functions;    // those that have code
  std::vector<ScannedFunction> inlines;      // inlined copies; `die` is the copy's
  std::vector<ScannedFunction> split_rests;  // those that is_split_rest() tells from copies
  std::vector<DwarfScanName> types;          // full definitions, no declarations
  std::vector<DwarfScanName> variables;      // of file scope, with a location or a constant value
  std::vector<DwarfScanName> units;          // `name` is the source file's, `die` the unit's own DIE
  std::vector<LineRow> rows;                 // only those that begin a statement
  std::vector<std::string> files;            // relative to the directory of the compilation; the first one is ""
};

// Scans everything on `threads` threads. Calls progress(bytes done, bytes in all) from the calling one.
Result<DwarfScan> scan_dwarf(const DwarfSections &sections, unsigned threads,
                             const std::function<void(uint64_t, uint64_t)> &progress);

// The header of a unit's line program.
struct LineHeader {
  uint64_t program = 0, end = 0;  // in .debug_line
  uint8_t instruction_size = 1, line_range = 0;
  int8_t line_base = 0;
  bool is_statement = true;        // unless the program says otherwise
  std::vector<uint8_t> operands;   // of each standard operation, from 1
  std::vector<std::string> files;  // what DW_AT_decl_file's numbers mean
};
// Nothing when the unit has none or it is damaged.
std::optional<LineHeader> read_line_header(const DwarfSections &sections, const DwarfUnit &unit);
// Runs the program and calls row() for each row of a statement that begins another line. The row's `file` is a number
// in the header's table.
void read_line_rows(const DwarfSections &sections, const LineHeader &header,
                    const std::function<void(const LineRow &)> &row);
