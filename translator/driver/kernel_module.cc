// SPDX-License-Identifier: GPL-2.0-or-later
// The runtime "kernel": a module, loaded into the running kernel or into a guest's. Says why a machine can run none.
#include <cstdlib>
#include <fmt/core.h>
#include <unistd.h>

#include "base/files.h"
#include "build/recipe.h"
#include "debuginfo/find.h"
#include "driver/run.h"
#include "driver/runtime_work.h"

namespace {

void add_inputs(ScriptInputs &inputs, const Session &s) {
  for (const char *file : {"/include/generated/autoconf.h", "/include/generated/utsrelease.h", "/Module.symvers"})
    inputs.add_stamp(s.build_tree + file);
  inputs.add_stamp("/lib/modules/" + s.kernel_release + "/modules.dep");  // depmod writes it when modules come or go
  for (const char *variable : {"SYSTEMTAP_DEBUGINFO_PATH", "DEBUGINFOD_URLS"}) {
    const char *value = std::getenv(variable);
    inputs.add(variable, value ? value : "");
  }
  const std::string debuginfo = find_kernel_debuginfo(s);
  inputs.add("debuginfo", debuginfo.empty() ? "none" : file_stamp(debuginfo));
  // The same release can be another build.
  inputs.add("running",
             hex64(hash_bytes(s.is_for_running_kernel() ? read_file("/sys/kernel/notes").value_or("") : "")));
}

// What else the user can do, for a script that this machine's kernel can't run.
FatalError cannot_run(const char *id, const std::string &message, const std::string &cure) {
  const std::string guest = find_guest_kernel();
  FatalError error = {id, message, {}};
  if (!cure.empty()) error.hints.push_back(cure);
  error.hints.push_back("run it in a throw-away virtual machine: stap --vm ..." +
                        (guest.empty() ? std::string(", after installing ") + guest_kernel_packages : ""));
  error.hints.push_back("begin, end and timer probes also run in a process of yours: stap --runtime=user ...");
  return error;
}

void check_can_run(const Session &s) {
  if (s.options.vm) return;
  const std::string kernel = fmt::format("the running kernel, {}, ", s.kernel_release);
  if (access("/proc/modules", F_OK) != 0)
    throw cannot_run("no-loadable-modules", kernel + "has no loadable modules, so no script can run in it", "");
  if (read_file("/proc/sys/kernel/modules_disabled").value_or("").starts_with('1'))
    throw cannot_run("no-loadable-modules", kernel + "loads no more modules until it is booted again",
                     "kernel.modules_disabled was set to 1, which can't be taken back");
  if (geteuid() != 0)
    throw cannot_run("not-root", "loading a module into the running kernel needs root", "run it with sudo");
  if (s.build_tree.empty())
    throw cannot_run("no-build-tree", fmt::format("the headers of {}are not installed", kernel),
                     "install " + header_packages(s.kernel_release));
}

// A module for a kernel that is not running here can be built only, as with -p4.
void limit_passes(Session &s) {
  Options &o = s.options;
  if (o.vm || o.list || o.last_pass < 5 || s.is_for_running_kernel()) return;
  s.diag.warning("another-kernel", {}, "kernel {} is not running here: the module is only built, as with -p4",
                 s.kernel_release);
  o.last_pass = 4;
}

// A module that stap named is renamed by staprun: several runs of one script are several modules.
std::vector<std::string> run_options(const Session &s) {
  if (!s.options.module_name.empty()) return {};
  return {"-R"};
}

}  // namespace

const RuntimeWork kernel_work = {
    .add_inputs = add_inputs,
    .build = build_kernel_module,
    .check_can_run = check_can_run,
    .limit_passes = limit_passes,
    .run_options = run_options,
};
