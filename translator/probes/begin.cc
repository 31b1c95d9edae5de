// SPDX-License-Identifier: GPL-2.0-or-later
// begin, end, error: the start and the end of a session, in the order of their sequence numbers; never: not at all.
//
//   begin  begin(N)  end  end(N)  error  error(N)  never
//
// begin(-100) runs before begin, which is begin(0). When the session ends after an
// error, error probes run in place of end probes.
#include "probes/families.h"

namespace {

int elaborate_begin(ProbeRequest &request) {
  const ProbeComponent &c = request.point.components[0];
  const int64_t priority = c.arg == ProbeComponent::Arg::Number ? c.number : 0;
  attach::Description &attach = request.new_probe()->attach;
  if (c.name == "begin") attach = attach::Begin{priority};
  else if (c.name == "end") attach = attach::End{priority};
  else attach = attach::Error{priority};
  return 1;
}

int elaborate_never(ProbeRequest &request) {
  request.new_probe();
  return 1;
}

std::vector<ProbeFamily::Listed> list_begin(Session &, const ProbePoint &pattern, bool) {
  return {{to_string(pattern), {}}};
}

}  // namespace

const ProbeFamily begin_family = {
    .name = "begin",
    .patterns = {"begin", "begin(number)", "end", "end(number)", "error", "error(number)"},
    .elaborate = elaborate_begin,
    .list = list_begin,
};

// Its handlers are analysed like any other and then dropped: nothing to attach.
const ProbeFamily never_family = {
    .name = "never",
    .patterns = {"never"},
    .elaborate = elaborate_never,
    .list = list_begin,
};
