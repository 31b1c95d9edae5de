// SPDX-License-Identifier: GPL-2.0-or-later
// Pass 4 as the driver sees it: the script cache before it, the compilation, and the caches' own options.
#include <cstdio>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/paths.h"
#include "build/build_error.h"
#include "build/stack_usage.h"
#include "driver/compiler_errors.h"
#include "driver/driver.h"
#include "driver/runtime_work.h"
#include "driver/script_inputs.h"
#include "emit/translate.h"

namespace fs = std::filesystem;

static std::string random_name() {
  char name[32];
  std::random_device random;
  std::snprintf(name, sizeof name, "stap_%08x%08x", random(), random());
  return name;
}

// The cache's directory. "", after a warning that says why, when there is none that can be used.
static std::string usable_cache(Diagnostics &diag) {
  const std::string directory = own_cache_directory();
  if (directory.empty())
    diag.warning(
            "no-cache", {},
            cache_directory().empty()
                ? "nothing is cached: neither HOME nor XDG_CACHE_HOME is set"
                : fmt::format("nothing is cached: {} can't be written, or others can write there", cache_directory()))
        .hint("compiling takes seconds instead of milliseconds without a cache; set STAP_DIR to a directory of yours");
  return directory;
}

std::string Driver::find_cached() {
  const Options &o = session.options;
  begin(4);
  session.diag.flush();
  // What was printed so far is not kept with the compiled script, because each run finds and prints it anew.
  printed_before_ = session.diag.printed().size();
  if (o.last_pass < 4 || o.disable_cache) return "";
  const std::string directory = usable_cache(session.diag);
  if (directory.empty()) return "";
  read_scripts();
  std::vector<std::string> texts;
  for (const auto &[name, text] : scripts_) texts.push_back(text);
  cache_ = std::make_unique<ScriptCache>(directory, script_inputs(session, texts), session.runtime().file_suffix);
  // With -k or --tmpdir the user wants to see what a compilation leaves in the directory, so there must be one.
  if (o.poison_cache || o.keep_tmpdir || !o.tmpdir.empty()) return "";
  const std::optional<CachedScript> found = cache_->find();
  if (!found) return "";
  std::fputs(found->messages.c_str(), stderr);
  print_pass("Passes 1 to 4", fmt::format("the same script was compiled before into \"{}\"",
                                          fs::path(found->object).filename().string()));
  return copy_named(found->object);
}

// With -m NAME the result is copied to the current directory under that name. Returns the path of what is to be run.
std::string Driver::copy_named(const std::string &object) {
  const std::string &name = session.options.module_name;
  if (name.empty()) return object;
  const std::string copy = fs::current_path() / (name + fs::path(object).extension().string());
  if (const Result<void> done = copy_file(object, copy); !done)
    throw build_error("cannot-write", done.reason(), {"-m writes to the current directory"});
  return copy;
}

BuildRequest Driver::build_request() {
  const Options &o = session.options;
  BuildRequest request;
  request.kernel_release = session.kernel_release;
  request.build_tree = session.build_tree;
  request.verbose = o.verbose;
  request.keep = o.keep_tmpdir;
  request.runtime_dir = paths().runtime_dir;
  request.cache_dir = o.disable_cache ? "" : own_cache_directory();
  if (!o.disable_cache) request.system_cache_dir = system_cache_directory();
  return request;
}

std::string Driver::compile(const std::string &code) {
  const Options &o = session.options;
  BuildRequest request = build_request();
  if (request.cache_dir.empty()) request.cache_dir = tmpdir() + "/cache";
  request.name = !o.module_name.empty() ? o.module_name : cache_ ? cache_->module_name() : random_name();
  request.c_file = tmpdir() + "/" + request.name + ".c";
  const fs::path where = o.module_name.empty() ? fs::path(tmpdir()) : fs::current_path();
  request.output = (where / (request.name + session.runtime().file_suffix)).string();
  request.embedded_c_needs_kernel_headers = embedded_c_needs_headers(session.program);
  if (const Result<void> written = write_file(request.c_file, code); !written)
    throw build_error("cannot-write", written.reason(), {"set TMPDIR, or use --tmpdir"});
  try {
    runtime_work(session).build(request);
  } catch (const FrameTooLarge &frame) {
    report_large_frame(session, frame);
    end();
  } catch (const FatalError &e) {
    compile_failed(e);
  }
  return built_ = keep_compiled(request, code);
}

// Reports what the compiler says about the script's embedded C as errors of the script, with its places. An error
// elsewhere ends the run with the compiler's own text.
void Driver::compile_failed(FatalError error) {
  const bool own_code = has_own_embedded_c(session);
  if (own_code && report_compiler_errors(session, error.message) > 0) {
    if (session.options.verbose > 1) std::fputs(error.message.c_str(), stderr);
    return end();
  }
  error.message = "Pass 4: compilation failed: " + error.message;
  if (own_code && error.id == "compile-failed")
    error.hints.push_back(
        "an unclosed brace or comment in the script's embedded C shows up behind it, in the C that stap made");
  throw error;
}

// Puts what was compiled into the cache. Returns the path of what is to be run or, with -p4, printed: the cache's copy
// unless -m or --tmpdir name a place, and the compiled file itself when it can't be kept.
std::string Driver::keep_compiled(const BuildRequest &request, const std::string &code) {
  const Options &o = session.options;
  session.diag.flush();
  if (cache_) {
    const std::string messages = session.diag.printed().substr(printed_before_);
    const Result<CachedScript> kept = cache_->keep(request.output, code, session.looked_at, messages);
    if (kept) {
      ::clean_cache(cache_directory(), false);
      return o.module_name.empty() && o.tmpdir.empty() ? kept->object : request.output;
    }
    session.diag.warning("no-cache", {}, "the compiled script is not kept for the next time: " + kept.reason());
  }
  if (o.last_pass == 4 && o.module_name.empty() && own_tmpdir_) own_tmpdir_->keep();  // it is the result
  return request.output;
}

int Driver::prepare() {
  const std::string system = system_cache_directory();
  BuildRequest request = build_request();
  request.verbose = std::max(1, request.verbose);
  if (geteuid() == 0 && !system.empty() && !std::getenv("STAP_DIR") && !std::getenv("SYSTEMTAP_DIR")) {
    request.cache_dir = system;
    umask(022);  // all users read it
  }
  if (request.cache_dir.empty())
    throw FatalError{"no-cache", "there is no place to keep a prepared kernel", {"set HOME, or STAP_DIR"}};
  begin(4);
  prepare_kernel(request);
  print_pass("Prepare", "kernel " + session.kernel_release);
  return 0;
}

int Driver::clean_cache() {
  const std::string directory = own_cache_directory();
  const int removed = directory.empty() ? 0 : ::clean_cache(directory, true);
  if (session.options.verbose) std::fprintf(stderr, "%d files removed from %s\n", removed, directory.c_str());
  return 0;
}
