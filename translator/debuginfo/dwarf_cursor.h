// SPDX-License-Identifier: GPL-2.0-or-later
// Reading DWARF's bytes: a cursor that never leaves them, and what is known of a unit and its attributes' forms.
#pragma once
#include <dwarf.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

// The sections the scanner reads; empty when the file has none.
struct DwarfSections {
  std::string_view info, abbrev, str, line, line_str, ranges, rnglists, addr, str_offsets;
};

// A position in some bytes. A read past their end gives zeros, and failed() is true from then on.
class DwarfCursor {
 public:
  DwarfCursor(std::string_view bytes, uint64_t at) : bytes_(bytes), at_(at), failed_(at > bytes.size()) {}
  uint64_t at() const { return at_; }
  bool failed() const { return failed_; }
  void fail() { failed_ = true; }
  void skip(uint64_t n) {
    if (failed_ || n > bytes_.size() - at_) failed_ = true;
    else at_ += n;
  }
  void seek(uint64_t at) {
    if (at > bytes_.size()) failed_ = true;
    else at_ = at;
  }
  template <class T> T fixed() {
    T value{};
    if (failed_ || sizeof value > bytes_.size() - at_) {
      failed_ = true;
      return value;
    }
    memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  uint64_t sized(unsigned size) {
    switch (size) {
      case 1: return fixed<uint8_t>();
      case 2: return fixed<uint16_t>();
      case 3: {
        uint64_t low = fixed<uint16_t>();
        return low | uint64_t(fixed<uint8_t>()) << 16;
      }
      case 4: return fixed<uint32_t>();
      case 8: return fixed<uint64_t>();
    }
    failed_ = true;
    return 0;
  }
  uint64_t uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      uint8_t byte = fixed<uint8_t>();
      value |= uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
    }
    failed_ = true;
    return 0;
  }
  int64_t sleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64;) {
      uint8_t byte = fixed<uint8_t>();
      value |= uint64_t(byte & 0x7f) << shift;
      shift += 7;
      if (byte & 0x80) continue;
      if ((byte & 0x40) && shift < 64) value |= ~uint64_t(0) << shift;
      return int64_t(value);
    }
    failed_ = true;
    return 0;
  }
  std::string_view text() {
    if (failed_) return {};
    size_t end = bytes_.find('\0', at_);
    if (end == bytes_.npos) {
      failed_ = true;
      return {};
    }
    std::string_view value = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return value;
  }

 private:
  std::string_view bytes_;
  uint64_t at_;
  bool failed_;
};

struct DwarfUnit {
  uint64_t offset = 0, end = 0;  // of the header, and after the last DIE
  uint64_t first_die = 0;
  uint64_t abbrev = 0;
  uint8_t version = 0, address_size = 8, offset_size = 4;
  bool is_type = false;  // it holds one type and no code
  // Attributes of the unit's DIE that others need.
  uint64_t low_pc = 0, address_base = 0, string_base = 0, range_base = 0, line = UINT64_MAX;
  std::string_view name, directory;
};

// An attribute's value as it was read. text_of(), address_of() and die_of() tell what it stands for.
struct DwarfValue {
  uint16_t form = 0;      // 0: not there
  uint64_t number = 0;    // address, constant, offset or index
  std::string_view text;  // DW_FORM_string
  explicit operator bool() const { return form; }
};

// Reads the unit's header at the cursor; nothing when it is damaged.
std::optional<DwarfUnit> read_unit_header(DwarfCursor &c, uint64_t section_size);
// Reads a value of that form. The cursor then stands behind it, also when the value is a block, which is not read.
DwarfValue read_form(DwarfCursor &c, const DwarfUnit &unit, uint16_t form, int64_t implicit);
// What a value of the string, address or reference class stands for: "", nothing, or 0 when it is of another class.
std::string_view text_of(const DwarfSections &s, const DwarfUnit &unit, const DwarfValue &v);
std::optional<uint64_t> address_of(const DwarfSections &s, const DwarfUnit &unit, const DwarfValue &v);
uint64_t die_of(const DwarfUnit &unit, const DwarfValue &v);  // in .debug_info
// The start of the first range in a DW_AT_ranges list.
std::optional<uint64_t> first_range(const DwarfSections &s, const DwarfUnit &unit, const DwarfValue &v);
