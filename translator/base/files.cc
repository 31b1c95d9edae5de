// SPDX-License-Identifier: GPL-2.0-or-later
// Small file helpers of the build: whole-file reads and writes, hashing, temporary directories, locks.
#include "base/files.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

static void set_error(std::string *error, const std::string &path, int number) {
  if (error) *error = path + ": " + strerror(number);
}

bool read_file(const std::string &path, std::string &bytes, std::string *error) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    set_error(error, path, errno);
    return false;
  }
  bytes.clear();
  struct stat st;
  if (!fstat(fd, &st) && st.st_size > 0) bytes.reserve(st.st_size);
  char buffer[65536];
  ssize_t n;
  while ((n = read(fd, buffer, sizeof(buffer))) != 0) {
    if (n > 0) bytes.append(buffer, n);
    else if (errno != EINTR) break;
  }
  if (n < 0) set_error(error, path, errno);
  close(fd);
  return n == 0;
}

bool write_file(const std::string &path, const std::string &bytes, std::string *error) {
  std::string temporary = path + ".tmp." + std::to_string(getpid());
  int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) {
    set_error(error, path, errno);
    return false;
  }
  size_t done = 0;
  int failed = 0;
  while (done < bytes.size() && !failed) {
    ssize_t n = write(fd, bytes.data() + done, bytes.size() - done);
    if (n >= 0) done += n;
    else if (errno != EINTR) failed = errno;
  }
  if (close(fd) && !failed) failed = errno;
  if (!failed && rename(temporary.c_str(), path.c_str())) failed = errno;
  if (failed) {
    unlink(temporary.c_str());
    set_error(error, path, failed);
  }
  return !failed;
}

bool make_directories(const std::string &path, std::string *error) {
  std::error_code ec;
  fs::create_directories(path, ec);
  if (ec && error) *error = path + ": " + ec.message();
  return !ec;
}

std::string make_temporary_directory(const std::string &parent, std::string *error) {
  const char *tmp = getenv("TMPDIR");
  std::string path = (!parent.empty() ? parent : tmp && *tmp ? std::string(tmp) : "/tmp") + "/stap-XXXXXX";
  if (!mkdtemp(path.data())) {
    set_error(error, path, errno);
    return "";
  }
  return path;
}

void remove_tree(const std::string &path) {
  std::error_code ec;
  fs::remove_all(path, ec);
}

std::vector<std::string> list_files(const std::string &directory) {
  std::vector<std::string> files;
  std::error_code ec;
  for (fs::recursive_directory_iterator it(directory, ec), end; !ec && it != end; it.increment(ec))
    if (it->is_regular_file(ec)) files.push_back(fs::path(it->path()).lexically_relative(directory).string());
  std::sort(files.begin(), files.end());
  return files;
}

uint64_t hash_bytes(const std::string &bytes, uint64_t hash) {
  for (unsigned char c : bytes) hash = (hash ^ c) * 0x100000001b3ull;
  return hash;
}

std::string hex64(uint64_t value) {
  char text[17];
  snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(value));
  return text;
}

FileLock::FileLock(const std::string &path) : fd_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  while (fd_ >= 0 && flock(fd_, LOCK_EX)) {
    if (errno == EINTR) continue;
    close(fd_);
    fd_ = -1;
  }
}

FileLock::~FileLock() {
  if (fd_ >= 0) close(fd_);
}
