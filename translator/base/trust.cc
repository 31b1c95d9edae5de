// SPDX-License-Identifier: GPL-2.0-or-later
// Who can have written a file, told by the owners and permissions on the way to it.
#include "base/trust.h"

#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

static constexpr int max_links = 16;

// An access control list that lets others write shows as the group's permission.
static bool others_can_write(const struct stat &st) { return st.st_mode & (S_IWGRP | S_IWOTH); }

static bool is_of_root_or_user(const struct stat &st) { return st.st_uid == 0 || st.st_uid == geteuid(); }

static bool follow(const fs::path &path, int links) {
  if (links > max_links || !path.is_absolute()) return false;
  fs::path done;
  for (auto part = path.begin(); part != path.end(); ++part) {
    if (part->empty() || *part == ".") continue;
    done = *part == ".." ? done.parent_path() : done / *part;
    struct stat st;
    if (lstat(done.c_str(), &st) || !is_of_root_or_user(st)) return false;
    if (S_ISLNK(st.st_mode)) {
      std::error_code ec;
      fs::path rest = fs::read_symlink(done, ec);
      if (ec) return false;
      rest = done.parent_path() / rest;
      for (++part; part != path.end(); ++part) rest /= *part;
      return follow(rest, links + 1);
    }
    const bool is_last = std::next(part) == path.end();
    if (others_can_write(st) && (is_last || !S_ISDIR(st.st_mode) || !(st.st_mode & S_ISVTX))) return false;
  }
  return true;
}

bool is_trusted(const std::string &path) { return follow(path, 0); }

bool is_trusted_tree(const std::string &directory) {
  if (!is_trusted(directory)) return false;
  std::error_code ec;
  struct stat st;
  for (fs::recursive_directory_iterator it(directory + "/", ec), end; !ec && it != end; it.increment(ec))
    if (lstat(it->path().c_str(), &st) || !is_of_root_or_user(st) || (!S_ISLNK(st.st_mode) && others_can_write(st)))
      return false;
  return !ec;
}
