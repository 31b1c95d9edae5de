// SPDX-License-Identifier: GPL-2.0-or-later
// Gathers the inputs of a compilation. Files count by path, size and time, not by content: it costs a stat each.
#include "driver/script_inputs.h"

#include <cstdlib>
#include <fmt/core.h>
#include <unistd.h>

#include "base/files.h"
#include "base/paths.h"
#include "base/session.h"
#include "build/recipe.h"
#include "driver/runtime_work.h"
#include "library/library.h"

void ScriptInputs::add(const std::string &name, const std::string &value) {
  text_ += fmt::format("{} {} {}\n", name, value.size(), value);
}

void ScriptInputs::add_stamp(const std::string &path) { add("file", file_stamp(path)); }

static void add_runtime(ScriptInputs &inputs, const Session &s) {
  const std::string directory = paths().runtime_dir;
  for (const std::string &file : list_files(directory)) inputs.add_stamp(directory + "/" + file);
  inputs.add_stamp("gcc");
  inputs.add_stamp("ld");
  runtime_work(s).add_inputs(inputs, s);
}

std::string script_inputs(const Session &s, const std::vector<std::string> &scripts) {
  ScriptInputs inputs;
  inputs.add_stamp("/proc/self/exe");
  inputs.add("runtime", s.runtime().name);
  // Conditions ask for the kernel's version and configuration, whatever the runtime.
  inputs.add("release", s.kernel_release);
  inputs.add("build-tree", s.build_tree);
  inputs.add_stamp(s.build_tree + "/.config");
  inputs.add_stamp("/boot/config-" + s.kernel_release);
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
