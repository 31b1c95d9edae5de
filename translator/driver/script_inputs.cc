// SPDX-License-Identifier: GPL-2.0-or-later
// Gathers the inputs of a compilation. Files count by path, size and time, not by content: it costs a stat each.
#include "driver/script_inputs.h"

#include <cstdlib>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/files.h"
#include "base/paths.h"
#include "base/session.h"
#include "build/recipe.h"
#include "debuginfo/find.h"
#include "library/library.h"

namespace {

// Lengths stand before the values, so that no two sets of inputs make the same text.
class Inputs {
 public:
  void add(const std::string &name, const std::string &value) {
    text_ += name + " " + std::to_string(value.size()) + " " + value + "\n";
  }
  void add_stamp(const std::string &path) { add("file", file_stamp(path)); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add_kernel(Inputs &inputs, const Session &s) {
  inputs.add("release", s.kernel_release);
  inputs.add("build-tree", s.build_tree);
  for (const char *file :
       {"/include/generated/autoconf.h", "/include/generated/utsrelease.h", "/Module.symvers", "/.config"})
    inputs.add_stamp(s.build_tree + file);
  inputs.add_stamp("/lib/modules/" + s.kernel_release + "/modules.dep");  // depmod writes it when modules come or go
  inputs.add_stamp("/boot/config-" + s.kernel_release);
  for (const char *variable : {"SYSTEMTAP_DEBUGINFO_PATH", "DEBUGINFOD_URLS"}) {
    const char *value = std::getenv(variable);
    inputs.add(variable, value ? value : "");
  }
  const std::string debuginfo = find_kernel_debuginfo(s);
  inputs.add("debuginfo", debuginfo.empty() ? "none" : file_stamp(debuginfo));
  // The same release can be another build.
  struct utsname running;
  uname(&running);
  const bool is_running = s.kernel_release == running.release;
  inputs.add("running", hex64(hash_bytes(is_running ? read_file("/sys/kernel/notes").value_or("") : "")));
}

void add_runtime(Inputs &inputs, const Session &s) {
  const std::string directory = paths().runtime_dir;
  for (const std::string &file : list_files(directory)) inputs.add_stamp(directory + "/" + file);
  inputs.add_stamp("gcc");
  inputs.add_stamp("ld");
  if (s.is_user_runtime()) inputs.add_stamp(paths().host_library);
  else add_kernel(inputs, s);
}

}  // namespace

std::string script_inputs(const Session &s, const std::vector<std::string> &scripts) {
  Inputs inputs;
  inputs.add_stamp("/proc/self/exe");
  inputs.add("runtime", s.is_user_runtime() ? "user" : "kernel");
  const char *colors = std::getenv("SYSTEMTAP_COLORS");
  inputs.add("color", s.diag.color ? colors ? colors : "yes" : "no");  // of the messages that are kept
  inputs.add("name", s.options.script_file);
  for (const std::string &text : scripts) inputs.add("script", text);
  for (const std::string &argument : s.options.script_args) inputs.add("argument", argument);
  for (const std::string &option : s.options.compile_options) inputs.add("option", option);
  for (const std::string &file : tapset_files(s)) inputs.add_stamp(file);
  add_runtime(inputs, s);
  // -x: the process's program, for probe points that leave out its path.
  char program[4096];
  const std::string link = "/proc/" + std::to_string(s.options.target_pid) + "/exe";
  const ssize_t length = s.options.target_pid ? readlink(link.c_str(), program, sizeof program) : 0;
  inputs.add("target", length > 0 ? std::string(program, length) : "");
  return inputs.take();
}
