// SPDX-License-Identifier: GPL-2.0-or-later
// Reads, checks and renews the lists of names of the tapset library's folders.
#include "library/library_index.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <unordered_map>

#include "base/files.h"
#include "base/glob.h"
#include "library/syscall_table.h"

namespace {

constexpr std::string_view magic = "stap tapset index 2\n";  // raised when the form changes
constexpr size_t checksum_length = 16;

// Sorted by kind and name; `row` is the file's place in Folder::rows.
struct Name {
  char kind;
  std::string_view text;
  uint32_t row;
  bool operator<(const Name &o) const {
    return kind != o.kind ? kind < o.kind : text != o.text ? text < o.text : row < o.row;
  }
};

char letter(ScannedName::Kind kind) { return "fgam"[kind]; }

std::string_view take_line(std::string_view &text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

// The list of one folder. In its file the magic and a checksum of the rest come first, then lines: the folder's path,
// "=FILE\tSTAMP" for each file, and "KIND ROW NAME" for each name.
struct LibraryIndex::Folder {
  struct Row {
    std::string file, stamp;
    size_t number = SIZE_MAX;  // the index in files_; SIZE_MAX when the file is not in this run's library
  };
  std::string path, text;  // the names are slices of `text`, or of `scanned_names` when they were not in the list
  std::vector<Row> rows;
  std::vector<Name> names;
  std::vector<std::unique_ptr<std::string>> scanned_names;

  bool read(const std::string &list);
  std::string write() const;
  void scan(const std::string &text, const std::string &file, uint32_t row);
  std::pair<std::vector<Name>::const_iterator, std::vector<Name>::const_iterator> range(char kind,
                                                                                        std::string_view first) const;
};

bool LibraryIndex::Folder::read(const std::string &list) {
  text = read_file(list).value_or("");
  if (!text.starts_with(magic) || text.size() < magic.size() + checksum_length + 1) return false;
  std::string_view rest = std::string_view(text).substr(magic.size());
  const std::string_view checksum = take_line(rest);
  if (hex64(hash_bytes(std::string(rest))) != checksum || take_line(rest) != path) return false;
  while (rest.starts_with('=')) {
    const std::string_view line = take_line(rest).substr(1);
    const size_t tab = line.find('\t');
    if (tab == line.npos) return false;
    rows.push_back({std::string(line.substr(0, tab)), std::string(line.substr(tab + 1))});
  }
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    Name name = {line.empty() ? '?' : line[0], {}, 0};
    const char *end = line.data() + line.size();
    const auto [after, failed] = std::from_chars(line.data() + std::min<size_t>(2, line.size()), end, name.row);
    if (failed != std::errc() || after == end || name.row >= rows.size()) return false;
    name.text = std::string_view(after + 1, end - after - 1);
    names.push_back(name);
  }
  return true;
}

std::string LibraryIndex::Folder::write() const {
  std::string body = path + "\n";
  for (const Row &row : rows) body += fmt::format("={}\t{}\n", row.file, row.stamp);
  for (const Name &name : names) body += fmt::format("{} {} {}\n", std::string(1, name.kind), name.row, name.text);
  return std::string(magic) + hex64(hash_bytes(body)) + "\n" + body;
}

void LibraryIndex::Folder::scan(const std::string &source, const std::string &file, uint32_t row) {
  for (const ScannedName &found : file.ends_with(".stpm")  ? scan_macros(source)
                                  : is_syscall_table(file) ? scan_syscall_table(source)
                                                           : scan_names(source)) {
    if (found.is_private) continue;
    scanned_names.push_back(std::make_unique<std::string>(found.name));
    names.push_back({letter(found.kind), *scanned_names.back(), row});
  }
}

// The names of a kind from `first` on, in alphabetical order.
std::pair<std::vector<Name>::const_iterator, std::vector<Name>::const_iterator> LibraryIndex::Folder::range(
    char kind, std::string_view first) const {
  return {std::lower_bound(names.begin(), names.end(), Name{kind, first, 0}),
          std::lower_bound(names.begin(), names.end(), Name{static_cast<char>(kind + 1), {}, 0})};
}

LibraryIndex::LibraryIndex(std::vector<std::string> files, const std::string &cache) : files_(std::move(files)) {
  auto folder = [this](size_t i) { return std::string_view(files_[i]).substr(0, files_[i].rfind('/')); };
  for (size_t begin = 0, end; begin < files_.size(); begin = end) {
    for (end = begin + 1; end < files_.size() && folder(end) == folder(begin);) end++;
    add_folder(begin, end, cache);
  }
}

LibraryIndex::~LibraryIndex() = default;

void LibraryIndex::add_folder(size_t begin, size_t end, const std::string &cache) {
  auto folder = std::make_unique<Folder>();
  // A relative path of -I means different folders in different working directories, so the list has the real path.
  char *real = realpath(files_[begin].substr(0, files_[begin].rfind('/')).c_str(), nullptr);
  if (real) folder->path = real;
  free(real);
  const std::string list = cache.empty() ? "" : cache + "/tapsets/" + hex64(hash_bytes(folder->path));
  if (list.empty() || !folder->read(list)) {
    const std::string path = folder->path;
    *folder = Folder();
    folder->path = path;
  }
  std::unordered_map<std::string, uint32_t> rows;
  for (uint32_t row = 0; row < folder->rows.size(); row++) rows[folder->rows[row].file] = row;
  std::vector<uint32_t> stale;
  for (size_t i = begin; i < end; i++) {
    const std::string file = files_[i].substr(files_[i].rfind('/') + 1), stamp = stat_stamp(files_[i]);
    const auto [at, added] = rows.emplace(file, folder->rows.size());
    if (added) folder->rows.push_back({file, ""});
    Folder::Row &row = folder->rows[at->second];
    row.number = i;
    if (row.stamp == stamp && !stamp.empty()) continue;
    row.stamp = stamp;
    stale.push_back(at->second);
  }
  if (!stale.empty()) {
    std::erase_if(folder->names,
                  [&](const Name &n) { return std::find(stale.begin(), stale.end(), n.row) != stale.end(); });
    for (uint32_t row : stale) {
      const std::string &path = files_[folder->rows[row].number];
      folder->scan(read_file(path).value_or(""), path, row);
      scanned_++;
    }
    std::sort(folder->names.begin(), folder->names.end());
    // If it can't be written the next run scans the files again, and no other harm is done.
    if (!list.empty() && make_directories(cache + "/tapsets")) static_cast<void>(write_file(list, folder->write()));
  }
  folders_.push_back(std::move(folder));
}

static void sort_once(std::vector<size_t> &numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

std::vector<size_t> LibraryIndex::defining(ScannedName::Kind kind, const std::string &name) const {
  std::vector<size_t> found;
  for (const auto &folder : folders_)
    for (auto [at, end] = folder->range(letter(kind), name); at != end && at->text == name; ++at)
      if (const size_t number = folder->rows[at->row].number; number != SIZE_MAX) found.push_back(number);
  sort_once(found);
  return found;
}

std::vector<size_t> LibraryIndex::aliases(const std::string &pattern) const {
  const std::string literal = pattern.substr(0, pattern.find_first_of("*?["));
  std::vector<size_t> found;
  for (const auto &folder : folders_)
    for (auto [at, end] = folder->range(letter(ScannedName::Alias), literal);
         at != end && at->text.starts_with(literal); ++at) {
      const size_t number = folder->rows[at->row].number;
      if (number != SIZE_MAX && wildcard_match(pattern, std::string(at->text.substr(0, at->text.find('.')))))
        found.push_back(number);
    }
  sort_once(found);
  return found;
}

std::vector<std::string> LibraryIndex::names(ScannedName::Kind kind) const {
  std::vector<std::string> all;
  for (const auto &folder : folders_)
    for (auto [at, end] = folder->range(letter(kind), ""); at != end; ++at)
      if (folder->rows[at->row].number != SIZE_MAX) all.emplace_back(at->text);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}
