// SPDX-License-Identifier: GPL-2.0-or-later
// Modules and types by name: the probe's own module, the kernel, lists of them, and types that only a header has.
#include "target/lookup.h"

#include <algorithm>
#include <fmt/core.h>

DebugModule *find_module(Session &s, const TargetContext &context, const std::string &name, const Place &place) {
  if (name.empty() && context.site) return context.site->module;
  DebugModule *module = DebugInfoSet::of(s).module(name.empty() ? "kernel" : name, Place{});
  if (!module)
    throw TargetError{"no-debuginfo",
                      fmt::format("semantic error: no debuginfo for '{}'", name.empty() ? std::string("kernel") : name),
                      place,
                      debuginfo_hints(s, TargetBinary::named(name)),
                      {}};
  return module;
}

namespace {

std::vector<std::string> split(const std::string &list) {
  std::vector<std::string> modules;
  for (size_t at = 0; at <= list.size();) {
    size_t colon = std::min(list.find(':', at), list.size());
    modules.push_back(list.substr(at, colon - at));
    at = colon + 1;
  }
  return modules;
}

// A type that headers declare. For the kernel's headers its debuginfo is asked first, which has every type that the
// kernel itself uses; only for others the headers are compiled.
const TargetType *type_of_headers(Session &s, const std::string &name, const std::string &list, const Place &place) {
  if (list.starts_with("kernel<"))
    if (DebugModule *kernel = DebugInfoSet::of(s).module("kernel", Place{}))
      if (const TargetType *type = kernel->find_type(name)) return type;
  const Result<DebugModule *> headers = DebugInfoSet::of(s).headers(list);
  if (headers) return (*headers)->find_type(name);
  throw TargetError{"header-types",
                    fmt::format("semantic error: '{}' can't be compiled, so its types are not known", list),
                    place,
                    {},
                    {headers.reason()}};
}

}  // namespace

const TargetType *find_named_type(Session &s, const TargetContext &context, std::string name,
                                  const std::string &modules, const Place &place) {
  while (!name.empty() && (name.back() == '*' || name.back() == ' ')) name.pop_back();
  std::vector<std::string> places = split(modules);
  if (modules.empty() && context.site)
    s.depends_on_version(place, "up to 4.2, a type without a module was the kernel's; since then, the probed module's");
  // Many modules only declare types of the kernel, and do not define them. So the kernel is asked after the module.
  if (modules.empty() && context.space == AddressSpace::Kernel) places.push_back("kernel");
  if (modules.empty() && s.is_before("4.3")) places = {"kernel"};
  for (const std::string &module : places) {
    const TargetType *type = module.find('<') != module.npos ? type_of_headers(s, name, module, place)
                                                             : find_module(s, context, module, place)->find_type(name);
    if (type) return type;
  }
  TargetError e{"no-such-type",
                fmt::format("semantic error: no type '{}' in {}", name,
                            modules.empty() ? std::string("the debuginfo of this module or the kernel")
                                            : fmt::format("'{}'", modules)),
                place,
                {},
                {}};
  const std::string keyword = name.substr(0, name.find(' ') + 1), tag = name.substr(keyword.size());
  for (const std::string &module : places) {
    if (module.find('<') != module.npos || !e.hints.empty()) continue;
    const std::string near = nearest_name(tag, find_module(s, context, module, place)->type_names());
    if (!near.empty()) e.hints.push_back(fmt::format("did you mean '{}{}'?", keyword, near));
  }
  throw e;
}

const TargetType *pointer_to(Session &s, const TargetType *pointee, const std::string &spelling) {
  TargetType *pointer = s.make<TargetType>();
  pointer->kind = TypeKind::Pointer;
  pointer->spelling = spelling + "*";
  pointer->size = 8;
  pointer->source = pointee->source;
  pointer->target_id = pointee->id;
  pointer->has_target = true;
  return pointer;
}
