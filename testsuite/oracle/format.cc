// SPDX-License-Identifier: GPL-2.0-or-later
// The oracle's own formatting of numbers and strings, after the manual page and C's printf.
#include <algorithm>
#include <string_view>

#include "syntax/format_spec.h"
#include "value.h"

std::string cut_text(const std::string &text, size_t max) {
  if (text.size() <= max) return text;
  auto continues = [&](size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80; };
  for (size_t cut = max, back = 0; back <= 3; back++, cut--) {
    if (!continues(cut)) return text.substr(0, cut);
    if (cut == 0) break;
  }
  return text.substr(0, max);
}

namespace {

constexpr int64_t widest = 8192;

std::string digits_of(uint64_t value, unsigned base, bool capital) {
  std::string text;
  const std::string_view digits = capital ? "0123456789ABCDEF" : "0123456789abcdef";
  for (; value; value /= base) text += digits[value % base];
  std::reverse(text.begin(), text.end());
  return text;
}

std::string padded(const FormatDirective &d, const std::string &text) {
  const size_t width = d.width > 0 ? static_cast<size_t>(d.width) : 0;
  if (text.size() >= width) return text;
  const std::string pad(width - text.size(), ' ');
  return d.minus ? text + pad : pad + text;
}

std::string number_text(const FormatDirective &d, int64_t n) {
  std::string prefix, digits;
  const uint64_t bits = static_cast<uint64_t>(n);
  switch (d.conversion) {
    case 'd':
    case 'i':
      prefix = n < 0 ? "-" : d.plus ? "+" : d.space ? " " : "";
      digits = digits_of(n < 0 ? 0 - bits : bits, 10, false);
      break;
    case 'u': digits = digits_of(bits, 10, false); break;
    case 'o':
      digits = digits_of(bits, 8, false);
      prefix = d.alternate && n ? "0" : "";
      break;
    default:
      digits = digits_of(bits, 16, d.conversion == 'X');
      prefix = d.conversion == 'p' ? "0x" : !d.alternate ? "" : d.conversion == 'X' ? "0X" : "0x";
  }
  const size_t least = d.precision >= 0 ? static_cast<size_t>(d.precision) : 1;
  if (digits.size() < least) digits.insert(0, least - digits.size(), '0');
  const size_t width = d.width > 0 ? static_cast<size_t>(d.width) : 0;
  if (d.zero && !d.minus && d.precision < 0 && prefix.size() + digits.size() < width)
    digits.insert(0, width - prefix.size() - digits.size(), '0');
  return padded(d, prefix + digits);
}

std::string character(const FormatDirective &d, int64_t n) {
  const unsigned char ch = static_cast<unsigned char>(n);
  if (!d.alternate || (ch >= ' ' && ch < 127 && ch != '\\' && ch != '\'')) return std::string(1, static_cast<char>(ch));
  static const std::string named = "\a\b\f\n\r\t\v\\'", letters = "abfnrtv\\'";
  if (size_t at = named.find(static_cast<char>(ch)); at != std::string::npos) return std::string("\\") + letters[at];
  return {'\\', static_cast<char>('0' + ch / 64), static_cast<char>('0' + ch / 8 % 8), static_cast<char>('0' + ch % 8)};
}

std::string convert(const FormatDirective &d, const Value &v) {
  switch (d.conversion) {
    case 's': return padded(d, d.precision >= 0 ? v.text.substr(0, static_cast<size_t>(d.precision)) : v.text);
    case 'c': return padded(d, character(d, v.number));
    case 'b': {
      std::string bytes;
      const int64_t count = d.width == 1 || d.width == 2 || d.width == 4 ? d.width : 8;
      for (int64_t i = 0; i < count; i++) bytes += static_cast<char>(static_cast<uint64_t>(v.number) >> (8 * i));
      return bytes;
    }
    default: return number_text(d, v.number);
  }
}

}  // namespace

std::string format_text(const std::string &format, const std::vector<Value> &values) {
  std::string text;
  size_t next = 0;
  for (FormatDirective d : format_directives(format)) {
    text += d.literal;
    if (!d.conversion) continue;
    if (d.width_star) {
      d.width = std::clamp(values.at(next++).number, -widest, widest);
      if (d.width < 0) d.minus = true, d.width = -d.width;
    }
    if (d.precision_star) d.precision = std::max<int64_t>(std::min(values.at(next++).number, widest), -1);
    text += convert(d, values.at(next++));
  }
  return text;
}
