// SPDX-License-Identifier: GPL-2.0-or-later
// @enum and @enumname: constants of the target's enumerations by name, and names by value.
#include <algorithm>
#include <fmt/core.h>

#include "syntax/make.h"
#include "target/lookup.h"

namespace {

// The kernel's BTF is asked before its DWARF: it has the same enumerations and is searched much faster.
std::optional<int64_t> find_enumerator(Session &s, const TargetContext &context, const std::string &name,
                                       const Place &place) {
  if (context.site && !context.site->module->binary().is_kernel())
    if (auto value = context.site->module->find_enumerator(name)) return value;
  if (context.space != AddressSpace::Kernel) return std::nullopt;
  if (const Result<DebugModule *> btf = DebugInfoSet::of(s).btf())
    if (auto value = (*btf)->find_enumerator(name)) return value;
  return find_module(s, TargetContext{}, "", place)->find_enumerator(name);
}

// The number of the type's table of names in the program, added when it is not there yet.
uint32_t table_of(Session &s, const TargetType &type) {
  Program::Enumeration table{type.spelling, {}};
  // Where a value has several names, the first one is kept.
  for (const TargetEnumerator &e : type.enumerators()) table.names.emplace(e.value, e.name);
  auto &all = s.program.enumerations;
  auto it = std::find(all.begin(), all.end(), table);
  if (it == all.end()) it = all.insert(all.end(), std::move(table));
  return uint32_t(it - all.begin());
}

const String *literal(const Intrinsic &i, size_t at) { return at < i.args.size() ? as<String>(i.args[at]) : nullptr; }

}  // namespace

Expr *lower_enumname(Session &s, const TargetContext &context, const Intrinsic &i) {
  const String *name = literal(i, 1), *module = literal(i, 2);
  const TargetType *type = i.args[0]->target_type;
  if (name) type = find_named_type(s, context, name->value, module ? module->value : "", name->place);
  if (type->kind != TypeKind::Enum)
    throw TargetError{"bad-target",
                      fmt::format("semantic error: '{}' is not an enumeration", type->spelling),
                      name ? name->place : i.place,
                      {"@enumname(VALUE, \"enum TYPE\") says which one is meant"},
                      {}};
  return NodeFactory(s, i.place).enum_name(i.args[0], table_of(s, *type));
}

Expr *lower_enum(Session &s, const TargetContext &context, const Intrinsic &i) {
  const String *name = literal(i, 0);
  if (i.args.size() != 1 || !name)
    throw TargetError{"operator-arguments",
                      "semantic error: @enum takes the name of an enumeration's constant",
                      i.place,
                      {"write @enum(\"NAME\")"},
                      {}};
  const std::optional<int64_t> value = find_enumerator(s, context, name->value, name->place);
  if (!value)
    throw TargetError{
        "no-such-enumerator",
        fmt::format("semantic error: no enumeration has a constant '{}'", name->value),
        name->place,
        {fmt::format("macros are not in debuginfo: in guru mode @const(\"{}\") reads the headers", name->value)},
        {}};
  return NodeFactory(s, i.place).number(*value);
}
