// SPDX-License-Identifier: GPL-2.0-or-later
// Small file helpers of the build: whole-file reads and writes, hashing, temporary directories, locks.
#ifndef STAP_BUILD_FILES_H
#define STAP_BUILD_FILES_H

#include <cstdint>
#include <string>
#include <vector>

// Whole file; false with a message naming it.
bool read_file(const std::string &path, std::string &bytes, std::string *error);
// By a temporary file and rename: nobody sees half of it. False with a message ("...: No space left on device").
bool write_file(const std::string &path, const std::string &bytes, std::string *error);
bool make_directories(const std::string &path, std::string *error);
// Below $TMPDIR or /tmp, or below `parent`; "" with a message.
std::string make_temporary_directory(const std::string &parent, std::string *error);
void remove_tree(const std::string &path);
// All regular files below a directory, sorted, relative to it.
std::vector<std::string> list_files(const std::string &directory);

// FNV-1a, 64 bits: finds changed and damaged files; no defence against forgery.
uint64_t hash_bytes(const std::string &bytes, uint64_t seed = 0xcbf29ce484222325ull);
std::string hex64(uint64_t value);

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

#endif
