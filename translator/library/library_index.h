// SPDX-License-Identifier: GPL-2.0-or-later
// Which tapset file defines which name, remembered from one run to the next.
//
// Each folder of the library has one list in CACHE/tapsets/, a file that is named by the hash of the folder's path. It
// has the folder's files with size, inode and time, and the names that they define, sorted. When a file is not as
// listed it is scanned again, and the list is replaced by a new one. A list that is damaged is treated as if there were
// none. The form of the list and what the scanner finds belong together: whoever changes one of them changes the list's
// magic.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "library/library_scan.h"

class LibraryIndex {
 public:
  // `files` are paths, those of one folder next to each other. Without a cache ("") all of them are read.
  LibraryIndex(std::vector<std::string> files, const std::string &cache);
  ~LibraryIndex();
  const std::vector<std::string> &files() const { return files_; }
  // Numbers of the files that define `name`, in the order of files().
  std::vector<size_t> defining(ScannedName::Kind kind, const std::string &name) const;
  // Numbers of the files that define an alias whose first component matches `pattern`.
  std::vector<size_t> aliases(const std::string &pattern) const;
  // All names of a kind, sorted, each once.
  std::vector<std::string> names(ScannedName::Kind kind) const;
  // How many files had to be read.
  size_t scanned() const { return scanned_; }

 private:
  struct Folder;
  void add_folder(size_t begin, size_t end, const std::string &cache);
  std::vector<std::string> files_;
  std::vector<std::unique_ptr<Folder>> folders_;
  size_t scanned_ = 0;
};
