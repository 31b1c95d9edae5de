// SPDX-License-Identifier: GPL-2.0-or-later
// Where debugging information lies on disk: SYSTEMTAP_DEBUGINFO_PATH, the distribution's packages, the user's cache,
// the build tree.
#include "debuginfo/find.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/paths.h"
#include "base/trust.h"

namespace fs = std::filesystem;

namespace {

constexpr const char *path_variable = "SYSTEMTAP_DEBUGINFO_PATH";

// Directories laid out like /usr/lib/debug, the most specific first.
std::vector<std::string> debug_roots() {
  std::vector<std::string> roots;
  // The variable replaces the places that are looked at otherwise.
  if (const char *paths = std::getenv(path_variable)) {
    std::istringstream stream(paths);
    for (std::string path; std::getline(stream, path, ':');) {
      // A "+" or "-" before a path asks for checksums to be compared or not. Here build-ids are compared instead.
      if (!path.empty() && (path[0] == '+' || path[0] == '-')) path.erase(0, 1);
      if (!path.empty() && path[0] == '/') roots.push_back(path);
    }
    return roots;
  }
  roots.push_back("/usr/lib/debug");
  if (std::string cache = user_cache_directory(); !cache.empty()) roots.push_back(cache + "/debug/usr/lib/debug");
  if (std::string shared = in_system_cache("debug/usr/lib/debug"); !shared.empty()) roots.push_back(shared);
  return roots;
}

// What is in the system's cache must have been put there by root.
bool may_use(const std::string &path) {
  const std::string shared = system_cache_directory();
  return shared.empty() || !path.starts_with(shared + "/") || is_trusted(path);
}

bool readable(const std::string &path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && may_use(path);
}

// Directories that may hold the release's modules' debug files.
std::vector<std::string> module_directories(const Session &s) {
  std::vector<std::string> directories;
  for (const std::string &root : debug_roots()) {
    directories.push_back(root + "/lib/modules/" + s.kernel_release);
    directories.push_back(root + "/usr/lib/modules/" + s.kernel_release);
  }
  directories.push_back("/lib/modules/" + s.kernel_release);
  return directories;
}

// Root directories under which the files of the kernel's package lie: "" if it is installed, and the directories it was
// unpacked to if it was fetched for guests.
std::vector<std::string> image_roots(const Session &s) {
  std::vector<std::string> roots = {""};
  for (const std::string &kernel : fetched_kernel_directories(s.kernel_release)) roots.push_back(kernel);
  return roots;
}

std::vector<std::string> image_directories(const Session &s) {
  std::vector<std::string> directories;
  for (const std::string &root : image_roots(s))
    for (const char *below : {"/lib/modules/", "/usr/lib/modules/"})
      directories.push_back(root + below + s.kernel_release);
  return directories;
}

// Calls f(path, module name) on each module file of a directory, until it returns false.
template <class F> void each_module_file(const std::string &directory, F f) {
  std::error_code error;
  fs::recursive_directory_iterator it(directory, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && it != end; it.increment(error)) {
    std::string name = module_name_of_file(it->path().string());
    if (!name.empty() && !f(it->path().string(), name)) return;
  }
}

}  // namespace

std::string module_name_of_file(const std::string &path) {
  std::string name = fs::path(path).filename().string();
  for (const char *suffix : {".ko.debug", ".ko.xz", ".ko.zst", ".ko.gz", ".ko"}) {
    std::string_view s(suffix);
    if (name.size() > s.size() && name.compare(name.size() - s.size(), s.size(), s) == 0) {
      name.resize(name.size() - s.size());
      std::replace(name.begin(), name.end(), '-', '_');
      std::replace(name.begin(), name.end(), ',', '_');
      return name;
    }
  }
  return "";
}

std::string find_kernel_debuginfo(const Session &s) {
  std::vector<std::string> candidates;
  for (const std::string &root : debug_roots()) {
    candidates.push_back(root + "/boot/vmlinux-" + s.kernel_release);
    candidates.push_back(root + "/lib/modules/" + s.kernel_release + "/vmlinux");
    candidates.push_back(root + "/usr/lib/modules/" + s.kernel_release + "/vmlinux");
    candidates.push_back(root + "/vmlinux-" + s.kernel_release);
  }
  if (!std::getenv(path_variable)) {
    if (!s.build_tree.empty()) candidates.push_back(s.build_tree + "/vmlinux");
    candidates.push_back("/lib/modules/" + s.kernel_release + "/build/vmlinux");
    candidates.push_back("/boot/vmlinux-" + s.kernel_release);
  }
  for (const std::string &path : candidates)
    if (readable(path)) return path;
  return "";
}

std::vector<std::string> find_kernel_images(const Session &s) {
  std::vector<std::string> candidates, found;
  for (const std::string &root : image_roots(s)) {
    candidates.push_back(root + "/boot/vmlinuz-" + s.kernel_release);
    candidates.push_back(root + "/lib/modules/" + s.kernel_release + "/vmlinuz");
    candidates.push_back(root + "/usr/lib/modules/" + s.kernel_release + "/vmlinuz");
  }
  if (!s.build_tree.empty()) candidates.push_back(s.build_tree + "/vmlinux");
  for (const std::string &path : candidates)
    if (readable(path)) found.push_back(path);
  return found;
}

namespace {

std::string find_module_file(const std::vector<std::string> &directories, std::string wanted) {
  std::replace(wanted.begin(), wanted.end(), '-', '_');
  std::string found;
  for (const std::string &directory : directories) {
    each_module_file(directory, [&](const std::string &path, const std::string &module) {
      if (module != wanted || !may_use(path)) return true;
      found = path;
      return false;
    });
    if (!found.empty()) break;
  }
  return found;
}

}  // namespace

std::string find_module_debuginfo(const Session &s, const std::string &name) {
  return find_module_file(module_directories(s), name);
}

std::string find_module_image(const Session &s, const std::string &name) {
  return find_module_file(image_directories(s), name);
}

std::vector<std::pair<std::string, std::string>> module_images(const Session &s) {
  std::map<std::string, std::string> images;
  for (const std::string &directory : image_directories(s))
    each_module_file(directory, [&](const std::string &path, const std::string &module) {
      if (may_use(path)) images.emplace(module, path);
      return true;
    });
  return {images.begin(), images.end()};
}

bool is_built_in(const Session &s, const std::string &name) {
  for (const std::string &directory : image_directories(s)) {
    std::ifstream list(directory + "/modules.builtin");
    for (std::string line; std::getline(list, line);)
      if (module_name_of_file(line) == name) return true;
  }
  return false;
}

std::vector<std::string> list_modules(const Session &s) {
  std::vector<std::string> names, directories = module_directories(s), images = image_directories(s);
  directories.insert(directories.end(), images.begin(), images.end());
  for (const std::string &directory : directories)
    each_module_file(directory, [&](const std::string &, const std::string &module) {
      names.push_back(module);
      return true;
    });
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string package_of(const std::string &path) {
  // Where /bin is a link to /usr/bin, packages may have either name.
  const std::string other = path.starts_with("/usr/") ? path.substr(4) : "/usr" + path;
  std::error_code error;
  for (fs::directory_iterator it("/var/lib/dpkg/info", error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() != ".list") continue;
    std::ifstream list(it->path());
    for (std::string line; std::getline(list, line);)
      if (line == path || line == other) {
        const std::string package = it->path().stem().string();  // "libc6:amd64"
        return package.substr(0, package.find(':'));
      }
  }
  return "";
}
