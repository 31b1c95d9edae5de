// SPDX-License-Identifier: GPL-2.0-or-later
// Calls libdebuginfod by name, so that a machine without it runs everything else.
#include "debuginfo/debuginfod.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "debuginfo/progress.h"

namespace {

constexpr const char *urls_variable = "DEBUGINFOD_URLS";

// The part of elfutils/debuginfod.h that is used.
struct Client;
struct Library {
  Client *(*begin)();
  void (*end)(Client *);
  int (*find_debuginfo)(Client *, const unsigned char *build_id, int length, char **path);
  void (*set_progress)(Client *, int (*)(Client *, long, long));
};

template <class F> bool load(void *handle, const char *name, F &function) {
  function = reinterpret_cast<F>(dlsym(handle, name));
  return function;
}

bool load_library(Library &l) {
  void *handle = dlopen("libdebuginfod.so.1", RTLD_NOW);
  return handle && load(handle, "debuginfod_begin", l.begin) && load(handle, "debuginfod_end", l.end) &&
         load(handle, "debuginfod_find_debuginfo", l.find_debuginfo) &&
         load(handle, "debuginfod_set_progressfn", l.set_progress);
}

Progress *shown = nullptr;

int show(Client *, long done, long total) {
  if (shown && total > 0) shown->update(uint64_t(done), uint64_t(total));
  return 0;
}

}  // namespace

bool has_debuginfod() {
  const char *urls = getenv(urls_variable);
  return urls && *urls;
}

Result<std::string> fetch_debuginfo(const std::vector<uint8_t> &build_id) {
  Library library;
  if (build_id.empty()) return Failure{"it has no build-id to ask the debuginfo servers for"};
  if (!load_library(library))
    return Failure{
        "DEBUGINFOD_URLS is set, but libdebuginfod is not installed "
        "(Debian: libdebuginfod1, Fedora: elfutils-debuginfod-client)"};
  Client *client = library.begin();
  if (!client) return Failure{"libdebuginfod can't start"};
  Progress progress("Downloading debuginfo");
  shown = &progress;
  library.set_progress(client, show);
  char *found = nullptr;
  int fd = library.find_debuginfo(client, build_id.data(), int(build_id.size()), &found);
  shown = nullptr;
  library.end(client);
  if (fd < 0) return Failure{std::string("the debuginfo servers in DEBUGINFOD_URLS do not give it: ") + strerror(-fd)};
  const std::string path = found;
  free(found);
  close(fd);
  return path;
}

NoDebuginfod::NoDebuginfod() {
  const char *urls = getenv(urls_variable);
  if (!urls) return;
  urls_ = urls;
  unsetenv(urls_variable);
}

NoDebuginfod::~NoDebuginfod() {
  if (!urls_.empty()) setenv(urls_variable, urls_.c_str(), 1);
}
