// SPDX-License-Identifier: GPL-2.0-or-later
// Unit headers, forms, and range lists of DWARF 4 and 5.
#include "debuginfo/dwarf_cursor.h"

std::optional<DwarfUnit> read_unit_header(DwarfCursor &c, uint64_t section_size) {
  DwarfUnit unit;
  unit.offset = c.at();
  uint64_t length = c.fixed<uint32_t>();
  if (length == 0xffffffff) {
    length = c.fixed<uint64_t>();
    unit.offset_size = 8;
  }
  if (c.failed() || length > section_size - c.at()) return std::nullopt;
  unit.end = c.at() + length;
  unit.version = uint8_t(c.fixed<uint16_t>());
  if (unit.version < 3 || unit.version > 5) return std::nullopt;
  if (unit.version == 5) {
    uint8_t type = c.fixed<uint8_t>();
    unit.address_size = c.fixed<uint8_t>();
    unit.abbrev = c.sized(unit.offset_size);
    unit.is_type = type == DW_UT_type || type == DW_UT_split_type;
    if (type == DW_UT_skeleton || type == DW_UT_split_compile) c.skip(8);
    if (unit.is_type) c.skip(8 + unit.offset_size);
  } else {
    unit.abbrev = c.sized(unit.offset_size);
    unit.address_size = c.fixed<uint8_t>();
  }
  unit.first_die = c.at();
  if (c.failed() || unit.address_size != 8 || unit.first_die > unit.end) return std::nullopt;
  return unit;
}

DwarfValue read_form(DwarfCursor &c, const DwarfUnit &unit, uint16_t form, int64_t implicit) {
  DwarfValue v{form, 0, {}};
  switch (form) {
    case DW_FORM_addr: v.number = c.sized(unit.address_size); break;
    case DW_FORM_data1:
    case DW_FORM_flag:
    case DW_FORM_ref1:
    case DW_FORM_strx1:
    case DW_FORM_addrx1: v.number = c.fixed<uint8_t>(); break;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2: v.number = c.fixed<uint16_t>(); break;
    case DW_FORM_strx3:
    case DW_FORM_addrx3: v.number = c.sized(3); break;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_strx4:
    case DW_FORM_ref_sup4:
    case DW_FORM_addrx4: v.number = c.fixed<uint32_t>(); break;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sup8:
    case DW_FORM_ref_sig8: v.number = c.fixed<uint64_t>(); break;
    case DW_FORM_data16: c.skip(16); break;
    case DW_FORM_sec_offset:
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_strp_alt:
    case DW_FORM_GNU_ref_alt: v.number = c.sized(unit.offset_size); break;
    case DW_FORM_ref_addr: v.number = c.sized(unit.version < 3 ? unit.address_size : unit.offset_size); break;
    case DW_FORM_sdata: v.number = uint64_t(c.sleb()); break;
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index: v.number = c.uleb(); break;
    case DW_FORM_string: v.text = c.text(); break;
    case DW_FORM_flag_present: v.number = 1; break;
    case DW_FORM_implicit_const: v.number = uint64_t(implicit); break;
    case DW_FORM_block1: c.skip(c.fixed<uint8_t>()); break;
    case DW_FORM_block2: c.skip(c.fixed<uint16_t>()); break;
    case DW_FORM_block4: c.skip(c.fixed<uint32_t>()); break;
    case DW_FORM_block:
    case DW_FORM_exprloc: c.skip(c.uleb()); break;
    case DW_FORM_indirect: {
      uint64_t real = c.uleb();
      if (real == DW_FORM_indirect || real == DW_FORM_implicit_const || real > UINT16_MAX) c.fail();
      else return read_form(c, unit, uint16_t(real), 0);
      break;
    }
    default: c.fail();  // its length is not known
  }
  return v;
}

// What has been read from the cursor; nothing when that went past the end. (The value is read before the call.)
static std::optional<uint64_t> unless_failed(const DwarfCursor &c, uint64_t value) {
  return c.failed() ? std::nullopt : std::optional(value);
}

std::string_view text_of(const DwarfSections &s, const DwarfUnit &unit, const DwarfValue &v) {
  switch (v.form) {
    case DW_FORM_string: return v.text;
    case DW_FORM_strp: return DwarfCursor(s.str, v.number).text();
    case DW_FORM_line_strp: return DwarfCursor(s.line_str, v.number).text();
    case DW_FORM_strx:
    case DW_FORM_strx1:
    case DW_FORM_strx2:
    case DW_FORM_strx3:
    case DW_FORM_strx4: {
      if (v.number > s.str_offsets.size()) return {};
      DwarfCursor c(s.str_offsets, unit.string_base + v.number * unit.offset_size);
      uint64_t offset = c.sized(unit.offset_size);
      return c.failed() ? std::string_view() : DwarfCursor(s.str, offset).text();
    }
    default: return {};
  }
}

std::optional<uint64_t> address_of(const DwarfSections &s, const DwarfUnit &unit, const DwarfValue &v) {
  switch (v.form) {
    case DW_FORM_addr: return v.number;
    case DW_FORM_addrx:
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4: {
      if (v.number > s.addr.size()) return std::nullopt;
      DwarfCursor c(s.addr, unit.address_base + v.number * unit.address_size);
      return unless_failed(c, c.sized(unit.address_size));
    }
    default: return std::nullopt;
  }
}

uint64_t die_of(const DwarfUnit &unit, const DwarfValue &v) {
  switch (v.form) {
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata: return v.number < unit.end - unit.offset ? unit.offset + v.number : 0;
    case DW_FORM_ref_addr: return v.number;
    default: return 0;
  }
}

namespace {

// .debug_ranges of DWARF 4: pairs of words, from the unit's base; a pair that begins with all ones sets the base.
std::optional<uint64_t> first_old_range(DwarfCursor c, uint64_t base) {
  while (!c.failed()) {
    uint64_t start = c.fixed<uint64_t>(), end = c.fixed<uint64_t>();
    if (!start && !end) return std::nullopt;
    if (start == UINT64_MAX) {
      base = end;
      continue;
    }
    return unless_failed(c, base + start);
  }
  return std::nullopt;
}

// .debug_rnglists of DWARF 5: entries that begin with their kind.
std::optional<uint64_t> first_new_range(const DwarfSections &s, const DwarfUnit &unit, DwarfCursor c) {
  uint64_t base = unit.low_pc;
  while (!c.failed()) {
    uint8_t kind = c.fixed<uint8_t>();
    DwarfValue index{DW_FORM_addrx, 0, {}};
    switch (kind) {
      case DW_RLE_base_addressx:
        index.number = c.uleb();
        if (const auto address = address_of(s, unit, index)) base = *address;
        else return std::nullopt;
        break;
      case DW_RLE_base_address: base = c.fixed<uint64_t>(); break;
      case DW_RLE_startx_endx:
      case DW_RLE_startx_length: index.number = c.uleb(); return address_of(s, unit, index);
      case DW_RLE_offset_pair: return unless_failed(c, base + c.uleb());
      case DW_RLE_start_end:
      case DW_RLE_start_length: return unless_failed(c, c.fixed<uint64_t>());
      default: return std::nullopt;  // the end of the list
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<uint64_t> first_range(const DwarfSections &s, const DwarfUnit &unit, const DwarfValue &v) {
  if (unit.version < 5) return first_old_range(DwarfCursor(s.ranges, v.number), unit.low_pc);
  uint64_t at = v.number;
  if (v.form == DW_FORM_rnglistx) {
    if (v.number > s.rnglists.size()) return std::nullopt;
    DwarfCursor c(s.rnglists, unit.range_base + v.number * unit.offset_size);
    at = unit.range_base + c.sized(unit.offset_size);
    if (c.failed()) return std::nullopt;
  }
  return first_new_range(s, unit, DwarfCursor(s.rnglists, at));
}
