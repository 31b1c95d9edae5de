// SPDX-License-Identifier: GPL-2.0-or-later
// The index of a file's DWARF: by name, where functions, inlined copies, types, variables and lines are. There is one
// index file for each build-id; every process that needs it maps it.
//
//   header | tables, each sorted by name | strings | lines of files, packed | a checksum for every 64 KiB before it
//
// A look-up reads a few pages of a table and of the strings. The checksum of a
// block is verified when the block is first read. A damaged block throws
// IndexDamaged, and the owner then builds the index again.
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

// All names and files are offsets in the strings; 0 stands for "".
struct IndexFunction {
  uint32_t name;  // "foo" of "foo.isra.0"
  uint32_t symbol, file, line;
  uint32_t area;   // a TextArea
  uint32_t flags;  // index_global and so on
  uint64_t die;    // 0 when DWARF does not describe it
  uint64_t address;
};
constexpr uint32_t index_global = 1, index_exported = 2, index_partial = 4;
constexpr uint32_t index_own_name = 8;  // the name is the one in the source, not an alias of it
struct IndexInline {
  uint32_t name, file, line;
  uint16_t area;  // a TextArea
  uint16_t is_split_rest;
  uint64_t die, address;
};
struct IndexType {
  uint32_t name, tag;
  uint64_t die;
};
struct IndexVariable {
  uint32_t name, file;  // the file is the unit's, which need not be the declaration's
  uint64_t die;
};
struct IndexUnit {
  uint32_t name, unused;
  uint64_t die;
};
// A source file. Its lines begin at `at` of the packed lines.
struct IndexFile {
  uint32_t name, unused;
  uint64_t at;
};
struct IndexRow {
  uint32_t line;
  uint64_t address;
};
struct IndexLines {
  std::vector<uint32_t> starts;  // lines on which functions are declared, in rising order
  std::vector<IndexRow> rows;    // where the code of a line begins, sorted by line, then by address
  // The last line with code of the function declared at `line`. It stands before the next function's declaration.
  uint32_t last_line(uint32_t line) const;
};

// Facts of the ELF file that every look-up needs. They are kept here so that the file's symbols need not be read.
struct IndexIdentity {
  uint64_t stext = 0, notes_offset = 0;
  uint64_t start = 0, end = 0;  // where libdwfl places the file; the addresses of a relocatable one depend on it
};

class DebugIndex {
 public:
  // Maps the index of a build-id. Null when there is none, or the header says that it can't be used.
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
  // The records from `first` up to, but without, `last` that have a name. For a wildcard these are all whose names
  // begin like it, and the caller still has to compare each.
  enum Table { Functions, Inlines, Types, Variables, Units, Files, table_count };
  std::pair<size_t, size_t> find(Table table, const std::string &pattern) const;

 private:
  struct Header;
  DebugIndex() = default;
  const Header &header() const;
  size_t count(int table) const;
  uint32_t name_at(Table table, size_t i) const;
  const char *bytes(uint64_t at, uint64_t size) const;  // after verifying their checksums
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
  // To be called once for each file. Sorts the lines.
  void add_file(uint32_t name, IndexLines &lines);
  // The number of a string. A record that is added has such numbers for names; write() replaces them with offsets.
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
