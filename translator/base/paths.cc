// SPDX-License-Identifier: GPL-2.0-or-later
// The build tree's files when stap runs from it, the installed ones else.
#include "base/paths.h"

#include "base/places.h"
#include "base/trust.h"

#include <climits>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

static bool runs_from_build_tree() {
  char self[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  const std::string top = std::string(ABS_TOP_BUILDDIR) + "/";
  return length > 0 && std::string(self, length).compare(0, top.size(), top) == 0;
}

static Paths find_paths() {
  if (runs_from_build_tree()) {
    const std::string source = ABS_TOP_SRCDIR, build = ABS_TOP_BUILDDIR;
    return {source + "/runtime",    source + "/tapsets",    source + "/examples", build + "/libstap_user_host.a",
            build + "/bin/staprun", source + "/vm/stap-vm", build + "/vm"};
  }
  const std::string data = PKGDATADIR, libraries = PKGLIBDIR;
  return {data + "/runtime", data + "/tapsets",        data + "/examples", libraries + "/libstap_user_host.a",
          BINDIR "/staprun", PKGLIBEXECDIR "/stap-vm", PKGLIBEXECDIR};
}

const Paths &paths() {
  static const Paths found = find_paths();
  return found;
}

std::string user_cache_directory() {
  if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/') return std::string(cache) + "/stap";
  if (const char *home = std::getenv("HOME"); home && *home == '/') return std::string(home) + "/.cache/stap";
  return "";
}

std::string cache_directory() {
  // SYSTEMTAP_DIR is documented in stap(1).
  for (const char *variable : {"STAP_DIR", "SYSTEMTAP_DIR"})
    if (const char *own = std::getenv(variable); own && *own == '/') return std::string(own) + "/cache";
  return user_cache_directory();
}

std::string own_cache_directory() {
  const std::string path = cache_directory();
  struct stat st;
  std::error_code ignored;
  if (path.empty()) return "";
  if (stat(path.c_str(), &st)) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    if (mkdir(path.c_str(), 0755) || stat(path.c_str(), &st)) return "";
  }
  const bool own = st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH));
  return own && !access(path.c_str(), W_OK) ? path : "";
}

std::string system_cache_directory() { return runs_from_build_tree() ? "" : SYSTEMCACHEDIR; }

std::string in_system_cache(const std::string &name) {
  const std::string directory = system_cache_directory(), path = directory + "/" + name;
  return !directory.empty() && is_trusted(path) ? path : "";
}

std::string system_kernel_directory(const std::string &release) {
  static std::map<std::string, std::string> known;  // a kernel and its headers are thousands of files
  const auto [place, is_new] = known.try_emplace(release);
  if (const std::string found = is_new ? in_system_cache("kernels/" + release) : ""; is_trusted_tree(found))
    place->second = found;
  return place->second;
}

std::vector<std::string> fetched_kernel_directories(const std::string &release) {
  std::vector<std::string> directories;
  if (const std::string cache = user_cache_directory(); !cache.empty())
    directories.push_back(cache + "/kernels/" + release);
  if (const std::string shared = system_kernel_directory(release); !shared.empty()) directories.push_back(shared);
  return directories;
}
