// SPDX-License-Identifier: GPL-2.0-or-later
// The index file: writing it whole and under another name, reading it with every access checked.
#include "debuginfo/index.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "base/files.h"
#include "base/glob.h"
#include "debuginfo/dwarf_cursor.h"

namespace {

constexpr uint32_t index_version = 5;
constexpr uint64_t block_size = 1 << 16;
constexpr size_t max_build_id = 32;
constexpr size_t record_sizes[] = {sizeof(IndexFunction), sizeof(IndexInline), sizeof(IndexType),
                                   sizeof(IndexVariable), sizeof(IndexUnit),   sizeof(IndexFile)};

uint32_t checksum(const void *bytes, size_t size) {
  return uint32_t(crc32_z(0, static_cast<const Bytef *>(bytes), size));
}

void put_uleb(std::string &to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) to += char(value | 0x80);
  to += char(value);
}
// Moves the sign to the lowest bit, so that small negative numbers are as short as small positive ones.
void put_signed(std::string &to, int64_t value) { put_uleb(to, uint64_t(value) << 1 ^ uint64_t(value >> 63)); }
int64_t get_signed(DwarfCursor &c) {
  uint64_t value = c.uleb();
  return int64_t(value >> 1 ^ -(value & 1));
}

}  // namespace

struct DebugIndex::Header {
  char magic[8];
  uint32_t version, checksum;  // of this header, with 0 here
  uint32_t sums_checksum, build_id_size;
  uint8_t build_id[max_build_id];
  IndexIdentity identity;
  struct {
    uint64_t at, count;
  } tables[table_count];
  uint64_t strings_at, strings_size;
  uint64_t packed_at, packed_size;
  uint64_t sums_at, size;  // of the file
};

std::unique_ptr<DebugIndex> DebugIndex::open(const std::string &path, const std::vector<uint8_t> &build_id) {
  std::unique_ptr<DebugIndex> index(new DebugIndex);
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat st;
  if (fd < 0) return nullptr;
  bool good = fstat(fd, &st) == 0 && size_t(st.st_size) > sizeof(Header);
  void *map = good ? mmap(nullptr, size_t(st.st_size), PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
  close(fd);
  if (map == MAP_FAILED) return nullptr;
  index->map_ = static_cast<const char *>(map);
  index->size_ = size_t(st.st_size);
  Header h = index->header();
  uint32_t sum = h.checksum;
  h.checksum = 0;
  if (memcmp(h.magic, "stapidx", 8) || h.version != index_version || sum != checksum(&h, sizeof h)) return nullptr;
  if (h.size != index->size_ || h.build_id_size != build_id.size() || h.build_id_size > max_build_id ||
      memcmp(h.build_id, build_id.data(), build_id.size()))
    return nullptr;
  // The header's checksum is right, so its offsets can be trusted. The checksums of the blocks have one of their own.
  size_t blocks = (h.sums_at + block_size - 1) / block_size;
  if (checksum(index->map_ + h.sums_at, blocks * 4) != h.sums_checksum) return nullptr;
  index->verified_.resize(blocks);
  return index;
}

DebugIndex::~DebugIndex() {
  if (map_) munmap(const_cast<char *>(map_), size_);
}

const DebugIndex::Header &DebugIndex::header() const { return *reinterpret_cast<const Header *>(map_); }
const IndexIdentity &DebugIndex::identity() const { return header().identity; }
size_t DebugIndex::count(int table) const { return header().tables[table].count; }

const char *DebugIndex::bytes(uint64_t at, uint64_t size) const {
  uint64_t end = header().sums_at;
  if (at > end || size > end - at) throw IndexDamaged();
  for (uint64_t block = at / block_size; block * block_size < at + size; block++) {
    if (verified_[block]) continue;
    uint64_t start = block ? block * block_size : sizeof(Header);  // the header has its own sum
    uint64_t stop = std::min((block + 1) * block_size, end);
    uint32_t sum;
    memcpy(&sum, map_ + end + block * 4, sizeof sum);
    if (checksum(map_ + start, stop - start) != sum) throw IndexDamaged();
    verified_[block] = true;
  }
  return map_ + at;
}

template <class T> const T &DebugIndex::record(int table, size_t i) const {
  const auto &t = header().tables[table];
  if (i >= t.count) throw IndexDamaged();
  return *reinterpret_cast<const T *>(bytes(t.at + i * sizeof(T), sizeof(T)));
}
template const IndexFunction &DebugIndex::record<IndexFunction>(int, size_t) const;
template const IndexInline &DebugIndex::record<IndexInline>(int, size_t) const;
template const IndexType &DebugIndex::record<IndexType>(int, size_t) const;
template const IndexVariable &DebugIndex::record<IndexVariable>(int, size_t) const;
template const IndexFile &DebugIndex::record<IndexFile>(int, size_t) const;

// The name is every record's first word.
uint32_t DebugIndex::name_at(Table table, size_t i) const {
  uint32_t name;
  memcpy(&name, bytes(header().tables[table].at + i * record_sizes[table], sizeof name), sizeof name);
  return name;
}

std::string_view DebugIndex::text(uint32_t offset) const {
  const Header &h = header();
  if (offset >= h.strings_size) throw IndexDamaged();
  const char *start = bytes(h.strings_at + offset, 1);
  for (uint64_t at = h.strings_at + offset;;) {  // a string may go on in the next block, though most do not
    uint64_t stop = std::min((at / block_size + 1) * block_size, h.strings_at + h.strings_size);
    if (const void *end = memchr(bytes(at, stop - at), '\0', stop - at))
      return {start, size_t(static_cast<const char *>(end) - start)};
    if ((at = stop) >= h.strings_at + h.strings_size) throw IndexDamaged();
  }
}

std::pair<size_t, size_t> DebugIndex::find(Table table, const std::string &pattern) const {
  std::string prefix = pattern.substr(0, pattern.find_first_of("*?["));
  bool is_whole = !has_wildcard(pattern);
  // The first record whose name begins like the pattern, or, with `after`, the first one behind all of those.
  auto bound = [&](bool after) {
    size_t low = 0, high = count(table);
    while (low < high) {
      size_t middle = low + (high - low) / 2;
      std::string_view name = text(name_at(table, middle));
      if (!is_whole) name = name.substr(0, prefix.size());
      if (after ? name <= prefix : name < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {bound(false), bound(true)};
}

// Three words come first: the number of bytes that follow them, of starts and of rows. Then each number is stored as
// its difference from the one before.
IndexLines DebugIndex::lines(const std::string &file) const {
  constexpr size_t length_size = 12;
  IndexLines lines;
  const Header &h = header();
  auto [first, last] = find(Files, file);
  if (first == last) return lines;
  uint64_t at = record<IndexFile>(Files, first).at;
  if (at > h.packed_size || length_size > h.packed_size - at) throw IndexDamaged();
  uint32_t counts[3];
  memcpy(counts, bytes(h.packed_at + at, length_size), length_size);
  DwarfCursor c(std::string_view(bytes(h.packed_at + at + length_size, counts[0]), counts[0]), 0);
  uint32_t line = 0;
  uint64_t address = 0;
  for (uint32_t i = 0; i < counts[1] && !c.failed(); i++) lines.starts.push_back(line += uint32_t(c.uleb()));
  line = 0;
  for (uint32_t i = 0; i < counts[2] && !c.failed(); i++) {
    line += uint32_t(c.uleb());
    lines.rows.push_back({line, address += uint64_t(get_signed(c))});
  }
  if (c.failed()) throw IndexDamaged();
  return lines;
}

uint32_t IndexLines::last_line(uint32_t line) const {
  auto next = std::upper_bound(starts.begin(), starts.end(), line);
  auto after = next == starts.end()
                   ? rows.end()
                   : std::lower_bound(rows.begin(), rows.end(), *next,
                                      [](const IndexRow &row, uint32_t value) { return row.line < value; });
  return after == rows.begin() ? line : std::max(line, std::prev(after)->line);
}

void IndexWriter::add_file(uint32_t name, IndexLines &lines) {
  std::sort(lines.starts.begin(), lines.starts.end());
  lines.starts.erase(std::unique(lines.starts.begin(), lines.starts.end()), lines.starts.end());
  std::sort(lines.rows.begin(), lines.rows.end(), [](const IndexRow &a, const IndexRow &b) {
    return a.line != b.line ? a.line < b.line : a.address < b.address;
  });
  std::string text;
  uint32_t last = 0;
  uint64_t address = 0;
  for (uint32_t line : lines.starts) {
    put_uleb(text, line - last);
    last = line;
  }
  last = 0;
  for (const IndexRow &row : lines.rows) {
    put_uleb(text, row.line - last);
    put_signed(text, int64_t(row.address - address));
    last = row.line;
    address = row.address;
  }
  uint32_t counts[] = {uint32_t(text.size()), uint32_t(lines.starts.size()), uint32_t(lines.rows.size())};
  files_.push_back({name, 0, packed_.size()});
  packed_.append(reinterpret_cast<char *>(counts), sizeof counts).append(text);
}

uint32_t IndexWriter::intern(std::string_view text) {
  auto [it, is_new] = numbers_.try_emplace(text, uint32_t(strings_.size()));
  if (is_new) strings_.push_back(text);
  return it->second;
}

// Strings are stored in the order of their first use, so that the names of neighbouring records lie side by side.
uint32_t IndexWriter::place(uint32_t number) {
  uint32_t &at = placed_[number];
  if (at == UINT32_MAX) {
    at = uint32_t(pool_.size());
    pool_.append(strings_[number]).push_back('\0');
  }
  return at;
}

static uint64_t place_of(const IndexFile &file) { return file.at; }
template <class T> static uint64_t place_of(const T &record) { return record.die; }

template <class T> void IndexWriter::sort(std::vector<T> &table) {
  std::stable_sort(table.begin(), table.end(), [&](const T &a, const T &b) {
    int order = a.name == b.name ? 0 : strings_[a.name].compare(strings_[b.name]);
    return order ? order < 0 : place_of(a) < place_of(b);
  });
  for (T &t : table) t.name = place(t.name);
}

Result<void> IndexWriter::write(const std::string &path, const std::vector<uint8_t> &build_id) {
  DebugIndex::Header h = {};
  placed_.assign(strings_.size(), UINT32_MAX);
  place(0);
  sort(functions);
  sort(inlines);
  sort(types);
  sort(variables);
  sort(units);
  sort(files_);
  for (IndexFunction &f : functions) {
    f.symbol = place(f.symbol);
    f.file = place(f.file);
  }
  for (IndexInline &f : inlines) f.file = place(f.file);
  for (IndexVariable &v : variables) v.file = place(v.file);
  std::string file(sizeof h, '\0');
  auto add = [&](int number, auto &table) {
    h.tables[number] = {file.size(), table.size()};
    file.append(reinterpret_cast<const char *>(table.data()), table.size() * sizeof table[0]);
  };
  add(DebugIndex::Functions, functions);
  add(DebugIndex::Inlines, inlines);
  add(DebugIndex::Types, types);
  add(DebugIndex::Variables, variables);
  add(DebugIndex::Units, units);
  add(DebugIndex::Files, files_);
  h.strings_at = file.size();
  h.strings_size = pool_.size();
  file += pool_;
  h.packed_at = file.size();
  h.packed_size = packed_.size();
  file += packed_;
  memcpy(h.magic, "stapidx", 8);
  h.version = index_version;
  h.build_id_size = uint32_t(std::min(build_id.size(), max_build_id));
  memcpy(h.build_id, build_id.data(), h.build_id_size);
  h.identity = identity;
  h.sums_at = file.size();
  size_t blocks = (file.size() + block_size - 1) / block_size;
  h.size = file.size() + blocks * 4;
  std::string sums;
  for (size_t i = 0; i < blocks; i++) {
    size_t start = i ? i * block_size : sizeof h, stop = std::min((i + 1) * block_size, file.size());
    uint32_t sum = checksum(file.data() + start, stop - start);
    sums.append(reinterpret_cast<char *>(&sum), sizeof sum);
  }
  h.sums_checksum = checksum(sums.data(), sums.size());
  h.checksum = checksum(&h, sizeof h);
  memcpy(file.data(), &h, sizeof h);
  return write_file(path, file + sums);
}
