// SPDX-License-Identifier: GPL-2.0-or-later
// Finding and unpacking kallsyms in a kernel image (what scripts/kallsyms.c of the kernel writes), and /proc/kallsyms.
//
// A name is a length and so many bytes, each standing for a token; the first
// character of the whole is the symbol's type. The tables, in the image's data:
//
//   names         length (one byte, or two with the top bit set), bytes; again and again
//   markers       where in names each 256th symbol begins
//   token_table   256 strings; a character that occurs in names stands for itself
//   token_index   where in token_table each begins
//   num_syms      before names
//   offsets       a word a symbol: before num_syms, or after token_index (since 6.4); from relative_base, or each from
//                 its own place (7.2 has no relative_base)
//   relative_base after offsets
//
// The digits, one after another in the token table, are what is looked for first.
#include "debuginfo/kallsyms.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <set>

#include "base/glob.h"

namespace {

constexpr size_t symbols_per_marker = 256;
constexpr size_t max_symbols = 1 << 22;

template <class T> T load(std::string_view bytes, size_t at) {
  T value;
  memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// Tables begin at multiples of 8, in newer kernels of 4.
constexpr size_t alignments[] = {8, 4};
size_t align(size_t n, size_t to) { return (n + to - 1) / to * to; }

class Finder {
 public:
  Finder(std::string_view bytes, uint64_t address, uint64_t text) : data_(bytes), address_(address), text_(text) {}
  std::vector<KernelSymbol> read();

 private:
  bool find_tokens();
  bool tokens_at(size_t zero);
  bool index_at(size_t zero, size_t index);
  bool find_names();
  size_t skip_name(size_t at) const;
  bool names_at(size_t names, size_t num_syms);
  bool expand();
  bool addresses();
  size_t after_padding(size_t at) const;
  bool try_addresses(size_t offsets, size_t base, bool with_base);

  std::string_view data_;
  uint64_t address_, text_;  // of data_ and of .text
  std::vector<std::string_view> tokens_;
  size_t table_ = 0, table_end_ = 0;
  size_t num_syms_ = 0, names_ = 0, names_end_ = 0;
  std::vector<uint32_t> markers_;
  size_t markers_at_ = 0;
  std::vector<KernelSymbol> symbols_;
};

// Does the token "0" begin here? Then the tokens after it, and behind them the index, are where they should be.
bool Finder::tokens_at(size_t zero) {
  size_t at = zero;
  for (int i = '0'; i < 256; i++) {
    at = data_.find('\0', at);
    if (at == data_.npos) return false;
    at++;
  }
  return index_at(zero, align(at, 8)) || index_at(zero, align(at, 4));
}

// Does the token index begin here? Then the tokens are where it says. Keeps them.
bool Finder::index_at(size_t zero, size_t index) {
  if (index + 512 > data_.size()) return false;
  size_t first = load<uint16_t>(data_, index + 2 * '0');
  if (first > zero || load<uint16_t>(data_, index) != 0) return false;
  size_t table = zero - first;
  tokens_.clear();
  size_t expected = 0;
  for (int i = 0; i < 256; i++) {
    if (load<uint16_t>(data_, index + 2 * i) != expected) return false;
    size_t end = data_.find('\0', table + expected);
    if (end == data_.npos) return false;
    tokens_.push_back(data_.substr(table + expected, end - table - expected));
    expected = end + 1 - table;
  }
  table_ = table;
  table_end_ = index + 512;
  return true;
}

bool Finder::find_tokens() {
  std::string_view digits(
      "0\0"
      "1\0"
      "2\0"
      "3\0"
      "4\0"
      "5\0"
      "6\0"
      "7\0"
      "8\0"
      "9\0",
      20);
  for (size_t at = data_.find(digits); at != data_.npos; at = data_.find(digits, at + 1))
    if (tokens_at(at)) return true;
  return false;
}

size_t Finder::skip_name(size_t at) const {
  size_t length = uint8_t(data_[at++]);
  if (length & 0x80) length = (length & 0x7f) | size_t(uint8_t(data_[at++])) << 7;
  return at + length;
}

// Do the names begin here, and is their number at `num_syms`? Then every 256th is where the markers say. Keeps both.
bool Finder::names_at(size_t names, size_t num_syms) {
  size_t count = load<uint32_t>(data_, num_syms);
  size_t markers = (count + symbols_per_marker - 1) / symbols_per_marker;
  if (!count || count > max_symbols || markers > markers_.size()) return false;
  size_t at = names;
  for (size_t i = 0; i < count; i++) {
    if (i % symbols_per_marker == 0 && at - names != markers_[i / symbols_per_marker]) return false;
    if (at + 2 >= markers_at_) return false;
    at = skip_name(at);
  }
  if (markers_at_ - at >= 8) return false;
  num_syms_ = num_syms;
  names_ = names;
  names_end_ = at;
  symbols_.resize(count);
  return true;
}

// The markers lie before the token table: a zero, then ever larger numbers, 256 names apart.
bool Finder::find_names() {
  constexpr size_t least = 2 * symbols_per_marker, most = 600 * symbols_per_marker, few = 16;
  for (size_t at = table_ & ~size_t(3); at >= 8;) {
    at -= 4;
    if (load<uint32_t>(data_, at) != 0) continue;
    markers_.assign(1, 0);
    for (size_t next = at + 4; next + 4 <= table_; next += 4) {
      uint32_t value = load<uint32_t>(data_, next);
      if (value < markers_.back() + least || value > markers_.back() + most) break;
      markers_.push_back(value);
    }
    if (markers_.size() < few) continue;
    markers_at_ = at;
    // The names are as long as the last marker says, and up to 256 more names.
    for (size_t back = markers_.back(); back <= size_t(markers_.back()) + most + 16 && back + 8 <= at; back++)
      if ((at - back) % 4 == 0 && (names_at(at - back, at - back - 8) || names_at(at - back, at - back - 4)))
        return true;
  }
  return false;
}

bool Finder::expand() {
  size_t at = names_;
  for (KernelSymbol &symbol : symbols_) {
    size_t end = skip_name(at);
    at += data_[at] & 0x80 ? 2 : 1;
    for (; at < end; at++) symbol.name += tokens_[uint8_t(data_[at])];
    if (symbol.name.empty()) return false;
    symbol.type = symbol.name[0];
    symbol.name.erase(0, 1);
  }
  return true;
}

// Computes the addresses as if the offsets were there and had that meaning. It is right when the symbol _stext or _text
// comes out where .text begins.
bool Finder::try_addresses(size_t offsets, size_t base_at, bool with_base) {
  size_t count = symbols_.size();
  if (offsets % 4 || offsets > data_.size() || count * 4 > data_.size() - offsets || base_at + 8 > data_.size())
    return false;
  uint64_t base = load<uint64_t>(data_, base_at);
  bool has_negative = false, is_right = false;
  if (with_base)
    for (size_t i = 0; i < count; i++) has_negative |= load<int32_t>(data_, offsets + 4 * i) < 0;
  for (size_t i = 0; i < count; i++) {
    int32_t offset = load<int32_t>(data_, offsets + 4 * i);
    uint64_t &address = symbols_[i].address;
    if (!with_base) address = address_ + offsets + 4 * i + int64_t(offset);  // from its own place
    else if (!has_negative) address = base + uint32_t(offset);
    else
      address = offset < 0 ? base - 1 - int64_t(offset) : uint64_t(offset);  // a per-CPU symbol is an absolute number
    is_right |= address == text_ && (symbols_[i].name == "_stext" || symbols_[i].name == "_text");
  }
  return is_right;
}

// An offset from its own place is never zero, so a zero word behind the token index is padding to a multiple of 8.
// The check for _stext would not notice a table that is read from one word off: each symbol then gets the next one's
// address, and the first symbols share theirs.
size_t Finder::after_padding(size_t at) const {
  at = align(at, 4);
  return at % 8 && at + 4 <= data_.size() && load<uint32_t>(data_, at) == 0 ? at + 4 : at;
}

bool Finder::addresses() {
  for (size_t to : alignments) {
    size_t words = align(symbols_.size() * 4, to), after = align(table_end_, to);
    if (num_syms_ >= words + 8 && try_addresses(num_syms_ - 8 - words, num_syms_ - 8, true)) return true;
    if (num_syms_ >= words && try_addresses(num_syms_ - words, 0, false)) return true;
    if (try_addresses(after, after + words, true)) return true;
  }
  return try_addresses(after_padding(table_end_), 0, false);
}

std::vector<KernelSymbol> Finder::read() {
  if (!find_tokens() || !find_names() || !expand() || !addresses()) return {};
  return std::move(symbols_);
}

}  // namespace

std::vector<KernelSymbol> read_kallsyms(const ElfImage &kernel) {
  const ElfSection *text = kernel.section(".text");
  for (const ElfSection &section : kernel.sections())
    if (text && (section.name == ".rodata" || section.name == ".init.rodata"))
      if (auto symbols = Finder(section.bytes, section.address, text->address).read(); !symbols.empty()) return symbols;
  return {};
}

// "ffffffff81000000 T _stext", a tab and "[module]" after those of modules.
std::vector<KernelSymbol> parse_proc_kallsyms(std::string_view text) {
  std::vector<KernelSymbol> symbols;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    KernelSymbol symbol{"", '?', 0};
    auto [end, failed] = std::from_chars(line.data(), line.data() + line.size(), symbol.address, 16);
    size_t at = end - line.data();
    if (failed != std::errc() || at + 3 >= line.size() || line.find('\t') != line.npos) continue;
    symbol.type = line[at + 1];
    symbol.name = line.substr(at + 3);
    symbols.push_back(std::move(symbol));
  }
  return symbols;
}

std::vector<std::string> modules_in_proc_kallsyms(std::string_view text, const std::string &symbol) {
  std::set<std::string> modules;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const size_t tab = line.find('\t'), space = line.find(' ');
    if (tab == line.npos || space == line.npos || tab < space + 3 || !line.ends_with(']')) continue;
    const std::string name(line.substr(space + 3, tab - space - 3));
    if (wildcard_match(symbol, name)) modules.emplace(line.substr(tab + 2, line.size() - tab - 3));
  }
  return {modules.begin(), modules.end()};
}
