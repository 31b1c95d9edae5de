// SPDX-License-Identifier: GPL-2.0-or-later
// Keeps the cache within its limit: what was used longest ago goes first.
#include "base/files.h"
#include "build/script_cache.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

constexpr long default_limit_mb = 256, default_interval_s = 300;  // as stap(1) documents
constexpr time_t in_use_s = 60;                                   // somebody may be about to load it
constexpr time_t abandoned_s = 24 * 3600;                         // no build takes a day

// Files that are removed together, since one is of no use without the others.
struct Entry {
  time_t used = 0;
  uint64_t size_bytes = 0;
  std::vector<std::string> paths;  // the first is removed first: without it nobody takes the others for an entry
};

// The number in a file of the cache; the file is made when it is not there.
long setting(const std::string &path, long otherwise) {
  const Result<std::string> text = read_file(path);
  if (!text) {
    // When it can't be made, the next run tries again.
    static_cast<void>(write_file(path, std::to_string(otherwise) + "\n"));
    return otherwise;
  }
  char *end = nullptr;
  long value = strtol(text->c_str(), &end, 10);
  return end == text->c_str() || value < 0 ? otherwise : value;
}

void add_file(Entry &entry, const std::string &path) {
  struct stat st;
  if (stat(path.c_str(), &st)) return;
  entry.paths.push_back(path);
  entry.size_bytes += static_cast<uint64_t>(st.st_blocks) * 512;
  entry.used = std::max(entry.used, st.st_mtim.tv_sec);
}

std::vector<Entry> script_entries(const std::string &directory) {
  std::map<std::string, std::vector<std::string>> files;  // by path without suffix
  for (const std::string &file : list_files(directory + "/scripts"))
    files[file.substr(0, file.find('.'))].push_back(directory + "/scripts/" + file);
  std::vector<Entry> entries;
  for (auto &[name, paths] : files) {
    Entry entry;
    std::stable_partition(paths.begin(), paths.end(), [](const std::string &p) { return p.ends_with(".meta"); });
    for (const std::string &path : paths) add_file(entry, path);
    entries.push_back(entry);
  }
  return entries;
}

// A runtime entry's manifest is touched when it is used.
std::vector<Entry> runtime_entries(const std::string &directory) {
  std::vector<Entry> entries;
  std::error_code ec;
  for (const auto &place : fs::directory_iterator(directory + "/runtime", ec)) {
    std::string path = place.path();
    if (!place.is_directory(ec) || place.path().filename().string().starts_with("stap-")) continue;
    Entry entry;
    add_file(entry, path + "/manifest");
    for (const std::string &file : list_files(path))
      if (file != "manifest") add_file(entry, path + "/" + file);
    entry.paths.push_back(path);
    entries.push_back(entry);
  }
  return entries;
}

// Debuginfo indexes, BTF taken out of images, compiled headers: a file each, touched when it is used. Locks stay:
// somebody may wait for one.
void add_indexes(const std::string &directory, std::vector<Entry> &entries) {
  for (const char *kind : {"/index/", "/btf/", "/headers/"})
    for (const std::string &file : list_files(directory + kind)) {
      if (file.ends_with(".lock")) continue;
      Entry entry;
      add_file(entry, directory + kind + file);
      entries.push_back(entry);
    }
}

// Temporary directories of builds that did not come to their end.
int remove_abandoned(const std::string &directory, time_t now) {
  int removed = 0;
  std::error_code ec;
  for (const auto &place : fs::directory_iterator(directory + "/runtime", ec)) {
    struct stat st;
    if (!place.path().filename().string().starts_with("stap-") || stat(place.path().c_str(), &st) ||
        st.st_mtim.tv_sec + abandoned_s > now)
      continue;
    remove_tree(place.path());
    removed++;
  }
  return removed;
}

bool too_early(const std::string &path, time_t now) {
  long interval_s = setting(path, default_interval_s);
  struct stat st;
  if (!stat(path.c_str(), &st) && st.st_mtim.tv_sec + interval_s > now) return true;
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // its time is that of the last cleaning
  return false;
}

}  // namespace

int clean_cache(const std::string &directory, bool at_once) {
  time_t now = time(nullptr);
  struct stat st;
  if (stat(directory.c_str(), &st)) return 0;
  // Both files are made the first time, for the user to find and change.
  uint64_t limit_bytes = static_cast<uint64_t>(setting(directory + "/cache_mb_limit", default_limit_mb)) << 20,
           size = 0;
  if (too_early(directory + "/cache_clean_interval_s", now) && !at_once) return 0;
  std::vector<Entry> entries = script_entries(directory), prepared = runtime_entries(directory);
  add_indexes(directory, prepared);
  auto older = [](const Entry &a, const Entry &b) { return a.used < b.used; };
  std::sort(entries.begin(), entries.end(), older);
  std::sort(prepared.begin(), prepared.end(), older);
  entries.insert(entries.end(), prepared.begin(), prepared.end());
  for (const Entry &entry : entries) size += entry.size_bytes;
  int removed = remove_abandoned(directory, now);
  for (const Entry &entry : entries) {
    if (size <= limit_bytes) break;
    if (entry.used + in_use_s > now) continue;
    for (const std::string &path : entry.paths) removed += !remove(path.c_str());
    size -= entry.size_bytes;
  }
  return removed;
}
