// SPDX-License-Identifier: GPL-2.0-or-later
// Running a line program (DWARF 5, section 6.2): which line each instruction belongs to.
#include "debuginfo/dwarf_scan.h"

namespace {

// The registers of the line program's machine, as far as they are needed here.
struct State {
  uint64_t address = 0, file = 1, line = 1;
  bool is_statement = false;
};

class LineProgram {
 public:
  LineProgram(const DwarfSections &s, const LineHeader &h, const std::function<void(const LineRow &)> &row)
      : header_(h), cursor_(s.line.substr(0, h.end), h.program), row_(row) {}
  void run();

 private:
  void restart() {
    state_ = State();
    state_.is_statement = header_.is_statement;
    last_ = LineRow();
  }
  void advance(uint64_t operations) { state_.address += operations * header_.instruction_size; }
  void add_row();
  void special(uint8_t opcode);
  void standard(uint8_t opcode);
  void extended();

  const LineHeader &header_;
  DwarfCursor cursor_;
  const std::function<void(const LineRow &)> &row_;
  State state_;
  LineRow last_;
};

// Of a run of instructions of the same line only the first is reported.
void LineProgram::add_row() {
  if (!state_.is_statement || !state_.line || (state_.file == last_.file && state_.line == last_.line)) return;
  last_ = {state_.address, uint32_t(state_.file), uint32_t(state_.line)};
  row_(last_);
}

void LineProgram::special(uint8_t opcode) {
  uint8_t n = uint8_t(opcode - header_.operands.size() - 1);
  advance(n / header_.line_range);
  state_.line += uint64_t(int64_t(header_.line_base) + n % header_.line_range);
  add_row();
}

void LineProgram::standard(uint8_t opcode) {
  switch (opcode) {
    case DW_LNS_copy: add_row(); break;
    case DW_LNS_advance_pc: advance(cursor_.uleb()); break;
    case DW_LNS_advance_line: state_.line += uint64_t(cursor_.sleb()); break;
    case DW_LNS_set_file: state_.file = cursor_.uleb(); break;
    case DW_LNS_negate_stmt: state_.is_statement = !state_.is_statement; break;
    case DW_LNS_const_add_pc: advance((255 - header_.operands.size() - 1) / header_.line_range); break;
    case DW_LNS_fixed_advance_pc: state_.address += cursor_.fixed<uint16_t>(); break;
    default:  // the header says how many operands are to be passed
      for (int i = header_.operands[opcode - 1]; i > 0; i--) cursor_.uleb();
  }
}

void LineProgram::extended() {
  uint64_t length = cursor_.uleb(), start = cursor_.at();
  if (!length) return;
  uint8_t opcode = cursor_.fixed<uint8_t>();
  if (opcode == DW_LNE_end_sequence) restart();
  if (opcode == DW_LNE_set_address) state_.address = cursor_.sized(unsigned(length - 1));
  if (length > header_.end - start) cursor_.fail();
  else cursor_.seek(start + length);
}

void LineProgram::run() {
  if (!header_.line_range) return;
  restart();
  while (!cursor_.failed() && cursor_.at() < header_.end) {
    uint8_t opcode = cursor_.fixed<uint8_t>();
    if (opcode > header_.operands.size()) special(opcode);
    else if (opcode) standard(opcode);
    else extended();
  }
}

}  // namespace

void read_line_rows(const DwarfSections &sections, const LineHeader &header,
                    const std::function<void(const LineRow &)> &row) {
  LineProgram(sections, header, row).run();
}
