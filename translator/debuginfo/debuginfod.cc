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

bool fetch_debuginfo(const std::vector<uint8_t> &build_id, std::string &path, std::string &error) {
  Library library;
  if (build_id.empty()) {
    error = "it has no build-id to ask the debuginfo servers for";
    return false;
  }
  if (!load_library(library)) {
    error =
        "DEBUGINFOD_URLS is set, but libdebuginfod is not installed "
        "(Debian: libdebuginfod1, Fedora: elfutils-debuginfod-client)";
    return false;
  }
  Client *client = library.begin();
  if (!client) {
    error = "libdebuginfod can't start";
    return false;
  }
  Progress progress("Downloading debuginfo");
  shown = &progress;
  library.set_progress(client, show);
  char *found = nullptr;
  int fd = library.find_debuginfo(client, build_id.data(), int(build_id.size()), &found);
  shown = nullptr;
  if (fd >= 0) {
    path = found;
    free(found);
    close(fd);
  } else {
    error = std::string("the debuginfo servers in DEBUGINFOD_URLS do not give it: ") + strerror(-fd);
  }
  library.end(client);
  return fd >= 0;
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
