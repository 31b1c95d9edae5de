// SPDX-License-Identifier: GPL-2.0-or-later
// The runtime "user": a shared object that staprun loads into a process of its own. Any machine and user can run it.
#include "base/paths.h"
#include "driver/runtime_work.h"

const RuntimeWork user_work = {
    .add_inputs = [](ScriptInputs &inputs, const Session &) { inputs.add_stamp(paths().host_library); },
    .build = [](const BuildRequest &request) { build_user_object(request, paths().host_library); },
    .check_can_run = [](const Session &) {},
    .limit_passes = [](Session &) {},
    .run_options = [](const Session &) { return std::vector<std::string>(); },
};
