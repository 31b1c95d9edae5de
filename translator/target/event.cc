// SPDX-License-Identifier: GPL-2.0-or-later
// Variables of probes without a function around them: $skb, $value, and what pointers among them lead to.
#include <fmt/core.h>

#include "target/access.h"
#include "target/lookup.h"
#include "target/target.h"

namespace {

const EventVariable *find(const TargetContext &context, const std::string &name) {
  for (const EventVariable &v : *context.event_variables)
    if (v.name == name) return &v;
  return nullptr;
}

[[noreturn]] void no_variable(const TargetContext &context, const Target &target) {
  std::vector<std::string> names;
  std::string all;
  for (const EventVariable &v : *context.event_variables) {
    names.push_back("$" + v.name);
    all += (all.empty() ? "$" : ", $") + v.name;
  }
  TargetError e{"no-such-variable",
                fmt::format("semantic error: there is no variable '{}' at {}", target.name, context.point),
                target.place,
                {},
                {"available here: " + all}};
  if (const std::string near = nearest_name(target.name, names); !near.empty())
    e.hints.push_back(fmt::format("did you mean '{}'?", near));
  throw e;
}

// A pointer to the variable's type. Throws where the kernel's types are not known.
const TargetType *pointer_type(Session &s, const EventVariable &variable, const Place &place) {
  return pointer_to(s, find_named_type(s, {}, variable.type, "kernel", place), variable.type);
}

Expr *fetch(Session &s, const EventVariable &variable, const Place &place) {
  if (variable.value) return variable.value(NodeFactory(s, place));
  EventValue *value = NodeFactory(s, place).event_value(variable.part, variable.index);
  value->why_read_only = variable.why_read_only;
  return value;
}

// $$vars and $$parms: "hooknum=0x3 skb=0xffff888003c81200".
Expr *all_numbers(Session &s, const TargetContext &context, const Target &target) {
  TargetAccess access(s, target.place);
  Format *format = new_sprintf(access);
  for (const EventVariable &v : *context.event_variables) {
    if (v.part != EventPart::Number) continue;
    format->format += (format->format.empty() ? "" : " ") + v.name + "=";
    try {
      format->args.push_back(fetch(s, v, target.place));
      format->format += "%#x";
    } catch (const TargetError &) {
      format->format += "?";
    }
  }
  return format;
}

}  // namespace

Expr *lower_event_variable(Session &s, const TargetContext &context, const Target &target) {
  if (target.name == "$$vars" || target.name == "$$parms") return all_numbers(s, context, target);
  const EventVariable *variable = find(context, target.name.substr(1));
  if (!variable) no_variable(context, target);
  Expr *value = fetch(s, *variable, target.place);
  if (variable->type.empty()) {
    if (target.components.empty() && !target.address_of) return value;
    throw TargetError{"bad-target",
                      fmt::format("semantic error: '{}' is a {}: it has neither members nor an address", target.name,
                                  variable->part == EventPart::Text ? "string" : "number"),
                      target.place,
                      {},
                      {}};
  }
  TargetAccess access(s, target.place);
  TargetObject object{value, false, nullptr, 0, 0, 0};
  if (target.components.empty() && !target.address_of) {  // also of use where its type is not known
    try {
      value->target_type = pointer_type(s, *variable, target.place);
    } catch (const TargetError &) {}
    return value;
  }
  object.type = pointer_type(s, *variable, target.place);
  object = access.follow(object, target.components);
  if (!target.components.empty() && target.components.back().is_pretty())
    return pretty_print(access, object, target.components.back().kind == TargetComponent::Kind::PrettyDeep);
  return target.address_of ? access.address(object, target.place) : access.value(object, target.place);
}

std::vector<ListedVariable> describe_variables(const std::vector<EventVariable> &variables) {
  std::vector<ListedVariable> list;
  for (const EventVariable &v : variables)
    list.push_back({"$" + v.name, !v.type.empty() ? v.type + "*" : v.part == EventPart::Text ? "string" : "long"});
  return list;
}
