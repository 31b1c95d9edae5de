// SPDX-License-Identifier: GPL-2.0-or-later
// The runtimes, and which kinds of probes each can attach. The mechanisms are in runtime/kernel/attach/ and
// runtime/user/attach/.
#include "base/runtime.h"

namespace {

bool kernel_serves(attach::Kind) { return true; }

bool user_serves(attach::Kind kind) {
  switch (kind) {
    case attach::Kind::None:
    case attach::Kind::Begin:
    case attach::Kind::End:
    case attach::Kind::Error:
    case attach::Kind::Timer:
    case attach::Kind::Report:
    case attach::Kind::Profile:
    case attach::Kind::Input: return true;
    case attach::Kind::Function:
    case attach::Kind::Return:
    case attach::Kind::Tracepoint:
    case attach::Kind::Uprobe:
    case attach::Kind::Uretprobe:
    case attach::Kind::Procfs:
    case attach::Kind::Process:
    case attach::Kind::Perf:
    case attach::Kind::Watch:
    case attach::Kind::Netfilter: return false;
  }
  return false;
}

}  // namespace

const Runtime kernel_runtime = {.name = "kernel", .file_suffix = ".ko", .serves = kernel_serves};
const Runtime user_runtime = {.name = "user", .file_suffix = ".so", .serves = user_serves};

const Runtime *find_runtime(const std::string &name) {
  for (const Runtime *runtime : {&kernel_runtime, &user_runtime})
    if (name == runtime->name) return runtime;
  return nullptr;
}
