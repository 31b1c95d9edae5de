// SPDX-License-Identifier: GPL-2.0-or-later
// begin, end, error: the start and the end of a session, in the order of their sequence numbers; never: not at all.
//
//   begin  begin(N)  end  end(N)  error  error(N)  never
//
// begin(-100) runs before begin, which is begin(0). When the session ends after an
// error, error probes run in place of end probes.
#include "probes/families.h"

namespace {

struct BeginData : FamilyData {
  std::string kind;
  int64_t priority = 0;
};

int elaborate_begin(ProbeRequest &request) {
  const ProbeComponent &c = request.point.components[0];
  auto data = std::make_unique<BeginData>();
  data->kind = c.name;
  data->priority = c.arg == ProbeComponent::Arg::Number ? c.number : 0;
  request.new_probe()->data = std::move(data);
  return 1;
}

std::vector<ProbeFamily::Listed> list_begin(Session &, const ProbePoint &pattern, bool) {
  return {{to_string(pattern), {}}};
}

AttachFields attach_begin(const Session &, const DerivedProbe &probe) {
  const auto &data = static_cast<const BeginData &>(*probe.data);
  const char *kind = data.kind == "begin" ? "STAP_ATTACH_BEGIN"
                     : data.kind == "end" ? "STAP_ATTACH_END"
                                          : "STAP_ATTACH_ERROR";
  // INT64_MIN has no literal in C.
  std::string priority =
      data.priority == INT64_MIN ? "-0x7fffffffffffffffll - 1" : std::to_string(data.priority) + "ll";
  return {{".kind", kind}, {".priority", priority}};
}

}  // namespace

const ProbeFamily begin_family = {
    .name = "begin",
    .patterns = {"begin", "begin(number)", "end", "end(number)", "error", "error(number)"},
    .elaborate = elaborate_begin,
    .list = list_begin,
    .attach = attach_begin,
    .runs_in_user = true,
    .can_wait = true,
};

// Its handlers are analysed like any other and then dropped: nothing to attach.
const ProbeFamily never_family = {
    .name = "never",
    .patterns = {"never"},
    .elaborate = elaborate_begin,
    .list = list_begin,
    .attach = nullptr,
    .runs_in_user = true,
    .can_wait = false,
};
