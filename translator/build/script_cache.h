// SPDX-License-Identifier: GPL-2.0-or-later
// Compiled scripts kept for the next time: the same inputs give the same module without any pass.
//
// An entry is three files in CACHE/scripts/XX/, named by the hash of all inputs: NAME.ko or NAME.so, NAME.c (what it
// was compiled from), and NAME.meta, which is written last and without which the others are nothing. The meta file
// holds the inputs themselves (a hash that collides is a miss), the files the passes looked at with their stamps, the
// messages that were printed, and the hash of the object.
#pragma once
#include <optional>
#include <set>
#include <string>

#include "base/result.h"

struct CachedScript {
  std::string object;    // path of the module or shared object
  std::string messages;  // what the passes printed
};

class ScriptCache {
 public:
  // `inputs` is all that decides the result and is known before pass 1; `suffix` is ".ko" or ".so".
  ScriptCache(std::string directory, std::string inputs, std::string suffix);
  // A name for the module, the same for the same inputs: "stap_" and 16 hexadecimal digits.
  const std::string &module_name() const { return name_; }
  // Nothing when there is no entry, or it is damaged, or a file the passes looked at has changed since.
  std::optional<CachedScript> find() const;
  // Keeps a compiled script; `files` are those that the passes looked at, there or not. After a failure the cache is
  // as it was.
  Result<CachedScript> keep(const std::string &object, const std::string &code, const std::set<std::string> &files,
                            const std::string &messages) const;

 private:
  std::string directory_, inputs_, suffix_, name_;
};

// Removes the entries that were used longest ago until the cache has the size in CACHE/cache_mb_limit (256 MiB when the
// file is not there; it is made), and what crashed builds left. Compiled scripts go before prepared
// runtimes, indexes of debuginfo and BTF, and nothing that was used within the last minute goes. Does nothing when the
// last time is not CACHE/cache_clean_interval_s (300) seconds ago, unless `now`. Returns the number of files removed.
int clean_cache(const std::string &directory, bool now);
