// SPDX-License-Identifier: GPL-2.0-or-later
// staprun's standard input: what input.char and input.line of the library stand on.
//
//   stdin.char  stdin.line      $value is a byte, or a line with its newline
#include "probes/families.h"
#include "target/target.h"

namespace {

const std::vector<EventVariable> variables = {
    {.name = "value", .part = EventPart::Text, .type = "", .why_read_only = "it is what was read"}};

TargetContext input_context(const DerivedProbe &) {
  TargetContext context;
  context.event_variables = &variables;
  return context;
}

WriteRule write_rule(const Target &) { return {.needs_guru = false}; }

int elaborate_input(ProbeRequest &request) {
  request.new_probe()->attach = attach::Input{.lines = request.component("line") != nullptr};
  return 1;
}

std::vector<ProbeFamily::Listed> list_input(Session &, const ProbePoint &pattern, bool with_variables) {
  return {{to_string(pattern), with_variables ? describe_variables(variables) : std::vector<ListedVariable>{}}};
}

}  // namespace

const ProbeFamily input_family = {
    .name = "input",
    .patterns = {"stdin.char", "stdin.line"},
    .elaborate = elaborate_input,
    .target_context = input_context,
    .write_rule = write_rule,
    .list = list_input,
};
