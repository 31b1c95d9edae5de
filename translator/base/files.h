// SPDX-License-Identifier: GPL-2.0-or-later
// Small file helpers of the build: whole-file reads and writes, hashing, temporary directories, locks.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

// Where these functions fail, the reason is the file's name and the system's message: "/x: No space left on device".

// All of the file's bytes.
Result<std::string> read_file(const std::string &path);
// Writes a temporary file and renames it, so that no reader ever sees half of the file.
Result<void> write_file(const std::string &path, const std::string &bytes);
Result<void> copy_file(const std::string &from, const std::string &to);
Result<void> make_directories(const std::string &path);
void remove_tree(const std::string &path);
// All regular files below a directory, sorted, relative to it.
std::vector<std::string> list_files(const std::string &directory);

// Size and times of a file: differs when the file is replaced or written to, since nobody can set st_ctime. "" when it
// is not there. The inode's number would say nothing more, and is another one where the same file is seen through 9p.
std::string stat_stamp(const std::string &path);

// FNV-1a with 64 bits. It is good for finding changed and damaged files, but no defence against forged ones.
uint64_t hash_bytes(const std::string &bytes, uint64_t seed = 0xcbf29ce484222325ull);
std::string hex64(uint64_t value);

// A new directory below `parent`, or where $TMPDIR says, or in /tmp. It is removed with all that is in it, unless it is
// kept. Throws FatalError when it can't be made.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(const std::string &parent = "");
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;
  const std::string &path() const { return path_; }
  void keep() { keep_ = true; }

 private:
  std::string path_;
  bool keep_ = false;
};

// An exclusive lock on a file, waited for, released at the end of the scope (or of the process).
class FileLock {
 public:
  explicit FileLock(const std::string &path);
  ~FileLock();
  FileLock(const FileLock &) = delete;
  FileLock &operator=(const FileLock &) = delete;
  bool held() const { return fd_ >= 0; }

 private:
  int fd_;
};
