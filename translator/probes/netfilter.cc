// SPDX-License-Identifier: GPL-2.0-or-later
// Netfilter hooks: handlers that run for each packet that passes a point of the network stack, in all network
// namespaces.
//
//   netfilter.hook(HOOK).pf(FAMILY) [.priority(N)]     in either order
//
// N is a number or a name as in <linux/netfilter*.h>.
// $verdict may be set in guru mode; it is NF_ACCEPT otherwise.
#include <algorithm>
#include <climits>
#include <fmt/core.h>

#include "base/glob.h"
#include "probes/families.h"
#include "target/target.h"

namespace {

struct NamedNumber {
  const char *name;
  int64_t number;
};

// The hooks of IPv4 and IPv6 have the same numbers (uapi/linux/netfilter.h), as those of bridges.
struct Family {
  const char *name;
  uint64_t number;
  std::vector<NamedNumber> hooks;
  std::vector<NamedNumber> priorities;
};

std::vector<NamedNumber> inet_hooks(bool v6) {
  std::vector<NamedNumber> hooks = {{"NF_INET_PRE_ROUTING", 0},
                                    {"NF_INET_LOCAL_IN", 1},
                                    {"NF_INET_FORWARD", 2},
                                    {"NF_INET_LOCAL_OUT", 3},
                                    {"NF_INET_POST_ROUTING", 4}};
  const std::vector<NamedNumber> v4_names = {{"NF_IP_PRE_ROUTING", 0},
                                             {"NF_IP_LOCAL_IN", 1},
                                             {"NF_IP_FORWARD", 2},
                                             {"NF_IP_LOCAL_OUT", 3},
                                             {"NF_IP_POST_ROUTING", 4}};
  const std::vector<NamedNumber> v6_names = {{"NF_IP6_PRE_ROUTING", 0},
                                             {"NF_IP6_LOCAL_IN", 1},
                                             {"NF_IP6_FORWARD", 2},
                                             {"NF_IP6_LOCAL_OUT", 3},
                                             {"NF_IP6_POST_ROUTING", 4}};
  const std::vector<NamedNumber> &own = v6 ? v6_names : v4_names;
  hooks.insert(hooks.end(), own.begin(), own.end());
  return hooks;
}

const std::vector<Family> &families() {
  static const std::vector<Family> list = {
      {"NFPROTO_IPV4",
       2,
       inet_hooks(false),
       {{"NF_IP_PRI_FIRST", INT_MIN},
        {"NF_IP_PRI_RAW_BEFORE_DEFRAG", -450},
        {"NF_IP_PRI_CONNTRACK_DEFRAG", -400},
        {"NF_IP_PRI_RAW", -300},
        {"NF_IP_PRI_SELINUX_FIRST", -225},
        {"NF_IP_PRI_CONNTRACK", -200},
        {"NF_IP_PRI_MANGLE", -150},
        {"NF_IP_PRI_NAT_DST", -100},
        {"NF_IP_PRI_FILTER", 0},
        {"NF_IP_PRI_SECURITY", 50},
        {"NF_IP_PRI_NAT_SRC", 100},
        {"NF_IP_PRI_SELINUX_LAST", 225},
        {"NF_IP_PRI_CONNTRACK_HELPER", 300},
        {"NF_IP_PRI_CONNTRACK_CONFIRM", INT_MAX},
        {"NF_IP_PRI_LAST", INT_MAX}}},
      {"NFPROTO_IPV6",
       10,
       inet_hooks(true),
       {{"NF_IP6_PRI_FIRST", INT_MIN},
        {"NF_IP6_PRI_RAW_BEFORE_DEFRAG", -450},
        {"NF_IP6_PRI_CONNTRACK_DEFRAG", -400},
        {"NF_IP6_PRI_RAW", -300},
        {"NF_IP6_PRI_SELINUX_FIRST", -225},
        {"NF_IP6_PRI_CONNTRACK", -200},
        {"NF_IP6_PRI_MANGLE", -150},
        {"NF_IP6_PRI_NAT_DST", -100},
        {"NF_IP6_PRI_FILTER", 0},
        {"NF_IP6_PRI_SECURITY", 50},
        {"NF_IP6_PRI_NAT_SRC", 100},
        {"NF_IP6_PRI_SELINUX_LAST", 225},
        {"NF_IP6_PRI_CONNTRACK_HELPER", 300},
        {"NF_IP6_PRI_LAST", INT_MAX}}},
      {"NFPROTO_ARP", 3, {{"NF_ARP_IN", 0}, {"NF_ARP_OUT", 1}, {"NF_ARP_FORWARD", 2}}, {}},
      {"NFPROTO_BRIDGE",
       7,
       {{"NF_BR_PRE_ROUTING", 0},
        {"NF_BR_LOCAL_IN", 1},
        {"NF_BR_FORWARD", 2},
        {"NF_BR_LOCAL_OUT", 3},
        {"NF_BR_POST_ROUTING", 4}},
       {}},
  };
  return list;
}

constexpr const char *passed = "the packet's way is changed by $verdict";

// The numbers' order is that of the mechanism (runtime/kernel/attach/netfilter.c).
const std::vector<EventVariable> variables = {
    {.name = "hooknum", .index = 0, .type = "", .why_read_only = passed},
    {.name = "pf", .index = 1, .type = "", .why_read_only = passed},
    {.name = "skb", .index = 2, .type = "struct sk_buff", .why_read_only = passed},
    {.name = "in", .index = 3, .type = "struct net_device", .why_read_only = passed},
    {.name = "out", .index = 4, .type = "struct net_device", .why_read_only = passed},
    {.name = "verdict", .part = EventPart::Result, .type = ""},
};

TargetContext netfilter_context(const DerivedProbe &) {
  TargetContext context;
  context.event_variables = &variables;
  return context;
}

std::string names_of(const std::vector<NamedNumber> &list) {
  std::string text;
  for (const NamedNumber &n : list) text += (text.empty() ? "" : ", ") + std::string(n.name);
  return text;
}

// Null after an error.
const Family *find_family(ProbeRequest &request) {
  const ProbeComponent &pf = *request.component("pf");
  std::string all;
  for (const Family &family : families()) {
    if (pf.string == family.name) return &family;
    all += (all.empty() ? "" : ", ") + std::string(family.name);
  }
  request.error("bad-netfilter-point", pf, fmt::format("'{}' is no protocol family that can be probed", pf.string))
      .hint("there are " + all);
  return nullptr;
}

const NamedNumber *find(const std::vector<NamedNumber> &list, const std::string &name) {
  auto it = std::find_if(list.begin(), list.end(), [&](const NamedNumber &n) { return name == n.name; });
  return it == list.end() ? nullptr : &*it;
}

// False after an error.
bool find_priority(ProbeRequest &request, const Family &family, int64_t &priority) {
  const ProbeComponent *c = request.component("priority");
  if (!c) return true;
  priority = c->number;
  if (c->arg == ProbeComponent::Arg::String) {
    if (const NamedNumber *named = find(family.priorities, c->string)) {
      priority = named->number;
      return true;
    }
    char *end = nullptr;
    priority = std::strtoll(c->string.c_str(), &end, 0);
    if (c->string.empty() || *end) {
      Diagnostic &d =
          request.error("bad-netfilter-point", *c, fmt::format("'{}' is no priority of {}", c->string, family.name));
      d.hint("a number, smaller ones first");
      if (!family.priorities.empty()) d.hint("or one of " + names_of(family.priorities));
      return false;
    }
  }
  if (priority >= INT_MIN && priority <= INT_MAX) return true;
  request.error("bad-netfilter-point", *c, "a priority has 32 bits");
  return false;
}

int elaborate_netfilter(ProbeRequest &request) {
  const Family *family = find_family(request);
  if (!family) return 0;
  const ProbeComponent &c = *request.component("hook");
  const NamedNumber *hook = find(family->hooks, c.string);
  if (!hook) {
    request.error("bad-netfilter-point", c, fmt::format("'{}' is no hook of {}", c.string, family->name))
        .hint("there are " + names_of(family->hooks));
    return 0;
  }
  attach::Netfilter netfilter;
  netfilter.pf = family->number;
  netfilter.hook = static_cast<uint64_t>(hook->number);
  if (!find_priority(request, *family, netfilter.priority)) return 0;
  request.new_probe()->attach = netfilter;
  return 1;
}

std::vector<std::string> netfilter_patterns() {
  std::vector<std::string> patterns;
  for (const char *where : {"netfilter.hook(string).pf(string)", "netfilter.pf(string).hook(string)"})
    for (const char *priority : {"", ".priority(string)", ".priority(number)"})
      patterns.push_back(fmt::format("{}{}", where, priority));
  return patterns;
}

// Hooks and families may be given by wildcards here: -l 'netfilter.hook("*").pf("*")' names all there are.
std::vector<ProbeFamily::Listed> list_netfilter(Session &, const ProbePoint &pattern, bool with_variables) {
  std::vector<ProbeFamily::Listed> list;
  const auto argument = [&](const char *name) {
    for (const ProbeComponent &c : pattern.components)
      if (c.name == name) return c.string;
    return std::string();
  };
  for (const Family &family : families())
    for (const NamedNumber &hook : family.hooks) {
      if (!wildcard_match(argument("pf"), family.name) || !wildcard_match(argument("hook"), hook.name)) continue;
      ProbePoint point;
      point.components = pattern.components;
      for (ProbeComponent &c : point.components) {
        if (c.name == "pf") c.string = family.name;
        if (c.name == "hook") c.string = hook.name;
      }
      list.push_back(
          {to_string(point), with_variables ? describe_variables(variables) : std::vector<ListedVariable>{}});
    }
  return list;
}

}  // namespace

const ProbeFamily netfilter_family = {
    .name = "netfilter",
    .patterns = netfilter_patterns(),
    .elaborate = elaborate_netfilter,
    .target_context = netfilter_context,
    .list = list_netfilter,
};
