// SPDX-License-Identifier: GPL-2.0-or-later
// Marks that programs and libraries carry for tracers (<sys/sdt.h>).
//
//   process(...)[.library(NAME)].mark(PATTERN)
//   process(...)[.library(NAME)].provider(PATTERN).mark(PATTERN)
//
// A mark is a no-op in the code, and a note says where it is and in which registers and memory its arguments are then.
// One with a semaphore is passed over by the program unless somebody listens, which the kernel keeps count of.
#include <algorithm>
#include <fmt/core.h>

#include "base/glob.h"
#include "debuginfo/marks.h"
#include "debuginfo/program_file.h"
#include "probes/families.h"
#include "probes/program.h"

namespace {

using Form = MarkArgument::Form;

struct MarkProbe : FamilyData {
  std::vector<EventVariable> variables;
};

struct FoundMark {
  ProgramUse program;
  Mark mark;
  attach::stap_file_place place;
  std::vector<MarkArgument> arguments;
};

const ProbeComponent *find_component(const ProbePoint &point, const char *name) {
  for (const ProbeComponent &c : point.components)
    if (c.name == name) return &c;
  return nullptr;
}

TargetContext mark_context(const DerivedProbe &probe) {
  return {.space = AddressSpace::User,
          .point = "",
          .event_variables = &static_cast<const MarkProbe &>(*probe.data).variables};
}

// --- arguments to expressions

// The low `size` bytes of a number.
Expr *cut(const NodeFactory &make, Expr *number, uint32_t size, bool is_signed) {
  if (size == 8) return number;
  const int64_t bits = 8 * size;
  if (!is_signed) return make.binary(BinaryOp::And, number, make.number((int64_t(1) << bits) - 1));
  return make.binary(BinaryOp::Shr, make.binary(BinaryOp::Shl, number, make.number(64 - bits)), make.number(64 - bits));
}

Expr *address_of(const NodeFactory &make, const TargetBinary &binary, const MarkArgument &argument) {
  Expr *address = make.number(argument.offset);
  if (argument.symbol)
    address = make.binary(BinaryOp::Add,
                          make.symbol_address(symbol_reference(make.session(), binary, "", *argument.symbol)), address);
  if (argument.base) address = make.binary(BinaryOp::Add, make.target_register(*argument.base), address);
  if (!argument.index) return address;
  Expr *index = make.binary(BinaryOp::Mul, make.target_register(*argument.index), make.number(argument.scale));
  return make.binary(BinaryOp::Add, address, index);
}

Expr *value_of(const NodeFactory &make, const TargetBinary &binary, size_t number, const MarkArgument &argument) {
  switch (argument.form) {
    case Form::Unknown:
      throw TargetError{"not-available",
                        fmt::format("semantic error: '$arg{}' can't be read: {}", number, argument.reason),
                        make.place(),
                        {fmt::format("test it with @defined($arg{})", number)},
                        {}};
    case Form::Register: {
      Expr *value = make.target_register(*argument.base);
      if (argument.shift) value = make.binary(BinaryOp::ShrLogical, value, make.number(argument.shift));
      return cut(make, value, argument.size, argument.is_signed);
    }
    case Form::Immediate: return cut(make, address_of(make, binary, argument), argument.size, argument.is_signed);
    case Form::Memory: break;
  }
  Deref *memory = make.deref(address_of(make, binary, argument), argument.size);
  memory->is_signed = argument.is_signed;
  memory->user = true;
  return memory;
}

EventVariable text_variable(const char *name, const std::string &text) {
  return {.name = name, .part = EventPart::Text, .type = "", .value = [text](const NodeFactory &make) -> Expr * {
            return make.string(text);
          }};
}

std::vector<EventVariable> variables_of(Session &s, const FoundMark &found) {
  std::vector<EventVariable> variables;
  const TargetBinary *binary = s.make_copy(TargetBinary::named(found.program.path));
  for (size_t i = 0; i < found.arguments.size(); i++)
    variables.push_back({.name = fmt::format("arg{}", i + 1),
                         .type = "",
                         .value = [binary, number = i + 1, argument = found.arguments[i]](const NodeFactory &make) {
                           return value_of(make, *binary, number, argument);
                         }});
  variables.push_back(text_variable("$name", found.mark.name));
  variables.push_back(text_variable("$provider", found.mark.provider));
  return variables;
}

// --- marks of files

bool matches(const ProbeComponent *pattern, const std::string &name) {
  return !pattern || wildcard_match(pattern->string, name);
}

void add_marks_of(Session &s, const ProgramUse &program, const ProbePoint &point, std::vector<FoundMark> &list) {
  const auto file = ProgramFile::open(program.path);
  if (!file) return;
  Elf *elf = (*file)->elf();
  for (Mark &mark : marks_of(elf)) {
    const auto offset = (*file)->offset_of(mark.address);
    if (!offset || !matches(find_component(point, "provider"), mark.provider) ||
        !matches(find_component(point, "mark"), mark.name))
      continue;
    FoundMark found;
    found.arguments = parse_mark_arguments(arch_of(s), mark.arguments,
                                           [elf](const std::string &name) { return symbol_address(elf, name); });
    found.place = place_in(program, **file, mark.address);
    if (mark.semaphore) found.place.semaphore = (*file)->offset_of(mark.semaphore).value_or(0);
    found.program = program;
    found.mark = std::move(mark);
    list.push_back(std::move(found));
  }
}

std::string point_of(const FoundMark &found) {
  return fmt::format("{}.provider(\"{}\").mark(\"{}\")", found.program.point, found.mark.provider, found.mark.name);
}

void report_no_mark(Session &s, const std::vector<ProgramUse> &programs, const ProbePoint &point) {
  const ProbeComponent &wanted = *find_component(point, "mark"), *provider = find_component(point, "provider");
  Diagnostic &d = s.diag.error("no-such-mark", wanted.place, "semantic error: no mark{} matches '{}'",
                               provider ? fmt::format(" of provider '{}'", provider->string) : "", wanted.string);
  std::vector<std::string> names, providers;
  for (const ProgramUse &program : programs)
    if (const auto file = ProgramFile::open(program.path))
      for (const Mark &mark : marks_of((*file)->elf())) {
        if (matches(provider, mark.provider)) names.push_back(mark.name);
        providers.push_back(mark.provider);
      }
  if (providers.empty()) {
    d.note(programs.size() == 1 ? fmt::format("'{}' has no marks", programs[0].path) : "the files have no marks");
    d.hint("marks are made by the macros of <sys/sdt.h> (Debian: systemtap-sdt-dev)");
  } else if (names.empty()) {
    if (const std::string near = nearest_name(provider->string, providers); !near.empty())
      d.hint("did you mean provider '{}'?", near);
  } else if (const std::string near = nearest_name(wanted.string, names); !near.empty()) {
    d.hint("did you mean '{}'?", near);
  }
}

std::vector<FoundMark> find_marks(Session &s, const ProbePoint &point, bool is_quiet) {
  std::vector<FoundMark> list;
  if (!is_quiet && !require_uprobes(s, point.components.back().place)) return list;
  const std::vector<ProgramUse> programs = find_programs(s, point, is_quiet);
  for (const ProgramUse &program : programs) add_marks_of(s, program, point, list);
  if (list.empty() && !programs.empty() && !is_quiet) report_no_mark(s, programs, point);
  return list;
}

int elaborate_mark(ProbeRequest &request) {
  const bool is_quiet = request.point.optional || request.point.sufficient;
  const std::vector<FoundMark> marks = find_marks(request.session, request.point, is_quiet);
  for (const FoundMark &found : marks) {
    DerivedProbe *probe = request.new_probe();
    auto data = std::make_unique<MarkProbe>();
    data->variables = variables_of(request.session, found);
    probe->point = point_of(found);
    probe->attach = attach::Uprobe{.place = found.place};
    probe->data = std::move(data);
  }
  return static_cast<int>(marks.size());
}

std::vector<std::string> mark_patterns() {
  std::vector<std::string> patterns;
  for (const char *process : {"process", "process(string)", "process(number)"})
    for (const char *library : {"", ".library(string)"})
      for (const char *provider : {"", ".provider(string)"})
        patterns.push_back(fmt::format("{}{}{}.mark(string)", process, library, provider));
  return patterns;
}

// A mark may be in several places of the code; the list has it once, unless its arguments differ.
std::vector<ProbeFamily::Listed> list_marks(Session &s, const ProbePoint &pattern, bool with_variables) {
  std::vector<ProbeFamily::Listed> list;
  for (const FoundMark &found : find_marks(s, pattern, pattern.optional)) {
    ProbeFamily::Listed item{.point = point_of(found), .name = found.mark.name, .path = found.program.path};
    if (with_variables) item.variables = describe_variables(variables_of(s, found));
    const bool is_known = std::any_of(list.begin(), list.end(), [&](const ProbeFamily::Listed &other) {
      return other.point == item.point && other.variables == item.variables;
    });
    if (!is_known) list.push_back(std::move(item));
  }
  return list;
}

}  // namespace

const ProbeFamily mark_family = {
    .name = "mark",
    .patterns = mark_patterns(),
    .elaborate = elaborate_mark,
    .target_context = mark_context,
    .list = list_marks,
    .listed_by = "mark",
};
