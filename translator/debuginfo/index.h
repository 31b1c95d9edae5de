// SPDX-License-Identifier: GPL-2.0-or-later
// The index of a file's DWARF: by name, where functions, inlined copies, types, variables and lines are. A file per
// build-id, mapped, shared.
//
//   header | tables, each sorted by name | strings | lines of files, packed | a checksum for every 64 KiB before it
//
// A look-up reads a few pages of a table and of the strings; the checksum of a
// block is verified when it is first read. What is damaged throws IndexDamaged,
// and the owner builds the index again.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"

struct IndexDamaged {};

// All names are offsets of strings; 0 is "".
struct IndexFunction {
  uint32_t name;  // "foo" of "foo.isra.0"
  uint32_t symbol, file, line;
  uint32_t refusal;  // why it can't be probed
  uint32_t flags;    // below
  uint64_t die;      // 0: not described
  uint64_t address;
};
constexpr uint32_t index_global = 1, index_exported = 2, index_partial = 4,
                   index_own_name = 8;  // own: the source's, not an alias
struct IndexInline {
  uint32_t name, file, line, unused;
  uint64_t die, address;
};
struct IndexType {
  uint32_t name, tag;
  uint64_t die;
};
struct IndexVariable {
  uint32_t name, file;  // the unit's
  uint64_t die;
};
struct IndexUnit {
  uint32_t name, unused;
  uint64_t die;
};
// A source file; its lines lie packed at `at`.
struct IndexFile {
  uint32_t name, unused;
  uint64_t at;
};
struct IndexRow {
  uint32_t line;
  uint64_t address;
};
struct IndexLines {
  std::vector<uint32_t> starts;  // where functions are declared, rising
  std::vector<IndexRow> rows;    // where a line's code begins, by line, then address
  // The last line with code of the function declared at `line`: no further than the next function.
  uint32_t last_line(uint32_t line) const;
};

// What of the ELF file itself is needed with every look-up.
struct IndexIdentity {
  uint64_t stext = 0, notes_offset = 0;
  uint64_t start = 0, end = 0;  // where libdwfl places the file: addresses of a relocatable one are from there
};

class DebugIndex {
 public:
  // Maps the index of a build-id; null when there is none or it is plainly not one.
  static std::unique_ptr<DebugIndex> open(const std::string &path, const std::vector<uint8_t> &build_id);
  ~DebugIndex();
  const IndexIdentity &identity() const;
  size_t functions() const { return count(0); }
  size_t types() const { return count(2); }
  size_t variables() const { return count(3); }
  const IndexFunction &function(size_t i) const { return record<IndexFunction>(0, i); }
  const IndexInline &inline_copy(size_t i) const { return record<IndexInline>(1, i); }
  const IndexType &type(size_t i) const { return record<IndexType>(2, i); }
  const IndexVariable &variable(size_t i) const { return record<IndexVariable>(3, i); }
  std::string_view text(uint32_t offset) const;
  // The lines of a source file; none when it has no code.
  IndexLines lines(const std::string &file) const;
  // The range of records whose name matches: a name, or a wildcard, whose beginning narrows the range; first == last:
  // none. The names in a wildcard's range still have to be compared.
  enum Table { Functions, Inlines, Types, Variables, Units, Files, table_count };
  std::pair<size_t, size_t> find(Table table, const std::string &pattern) const;

 private:
  struct Header;
  DebugIndex() = default;
  const Header &header() const;
  size_t count(int table) const;
  uint32_t name_at(Table table, size_t i) const;
  const char *bytes(uint64_t at, uint64_t size) const;  // verified
  template <class T> const T &record(int table, size_t i) const;

  const char *map_ = nullptr;
  size_t size_ = 0;
  mutable std::vector<bool> verified_;
  friend class IndexWriter;
};

class IndexWriter {
 public:
  IndexIdentity identity;
  std::vector<IndexFunction> functions;
  std::vector<IndexInline> inlines;
  std::vector<IndexType> types;
  std::vector<IndexVariable> variables;
  std::vector<IndexUnit> units;
  // Once for each file; the lines are sorted here.
  void add_file(uint32_t name, IndexLines &lines);
  // While records are added, names are numbers of strings; write() sorts and places them.
  uint32_t intern(std::string_view text);
  Result<void> write(const std::string &path, const std::vector<uint8_t> &build_id);

 private:
  template <class T> void sort(std::vector<T> &table);
  uint32_t place(uint32_t number);

  std::vector<std::string_view> strings_ = {""};
  std::unordered_map<std::string_view, uint32_t> numbers_ = {{"", 0}};
  std::vector<uint32_t> placed_;
  std::string pool_, packed_;
  std::vector<IndexFile> files_;
};
