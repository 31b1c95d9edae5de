// SPDX-License-Identifier: GPL-2.0-or-later
// Small file helpers of the build: whole-file reads and writes, hashing, temporary directories, locks.
#include "base/files.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"

namespace fs = std::filesystem;

static Failure failure(const std::string &path, int number) { return {path + ": " + strerror(number)}; }

Result<std::string> read_file(const std::string &path) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return failure(path, errno);
  std::string bytes;
  struct stat st;
  if (!fstat(fd, &st) && st.st_size > 0) bytes.reserve(st.st_size);
  char buffer[65536];
  ssize_t n;
  while ((n = read(fd, buffer, sizeof(buffer))) != 0) {
    if (n > 0) bytes.append(buffer, n);
    else if (errno != EINTR) break;
  }
  const int failed = n < 0 ? errno : 0;
  close(fd);
  if (failed) return failure(path, failed);
  return bytes;
}

Result<void> write_file(const std::string &path, const std::string &bytes) {
  std::string temporary = fmt::format("{}.tmp.{}", path, getpid());
  int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return failure(path, errno);
  size_t done = 0;
  int failed = 0;
  while (done < bytes.size() && !failed) {
    ssize_t n = write(fd, bytes.data() + done, bytes.size() - done);
    if (n >= 0) done += n;
    else if (errno != EINTR) failed = errno;
  }
  if (close(fd) && !failed) failed = errno;
  if (!failed && rename(temporary.c_str(), path.c_str())) failed = errno;
  if (!failed) return {};
  unlink(temporary.c_str());
  return failure(path, failed);
}

Result<void> copy_file(const std::string &from, const std::string &to) {
  const Result<std::string> bytes = read_file(from);
  if (!bytes) return bytes.failure();
  return write_file(to, *bytes);
}

Result<void> make_directories(const std::string &path) {
  std::error_code ec;
  fs::create_directories(path, ec);
  if (ec) return Failure{path + ": " + ec.message()};
  return {};
}

TemporaryDirectory::TemporaryDirectory(const std::string &parent) {
  const char *tmp = getenv("TMPDIR");
  path_ = (!parent.empty() ? parent : tmp && *tmp ? std::string(tmp) : "/tmp") + "/stap-XXXXXX";
  if (!mkdtemp(path_.data()))
    throw FatalError{"no-tmpdir",
                     fmt::format("{} cannot be made: {}", path_, std::strerror(errno)),
                     {"set TMPDIR, or use --tmpdir"}};
}

TemporaryDirectory::~TemporaryDirectory() {
  if (!keep_) remove_tree(path_);
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

std::string stat_stamp(const std::string &path) {
  struct stat st;
  if (stat(path.c_str(), &st)) return "";
  return fmt::format("{} {}.{} {}.{}", st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec, st.st_ctim.tv_sec,
                     st.st_ctim.tv_nsec);
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
