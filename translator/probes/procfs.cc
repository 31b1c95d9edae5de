// SPDX-License-Identifier: GPL-2.0-or-later
// Files below /proc/stap_MODULE.d: handlers that make what a reader gets, or get what was written, in $value.
//
//   procfs[(PATH)] [.umask(N)] .read [.maxsize(N)]       PATH is "command" without one
//   procfs[(PATH)] [.umask(N)] [.maxsize(N)] .read
//   procfs[(PATH)] [.umask(N)] .write
#include <algorithm>
#include <fmt/core.h>

#include "probes/families.h"
#include "target/target.h"

namespace {

constexpr int64_t most_bytes = 16 << 20;
constexpr size_t longest_name = 255;
constexpr uint64_t may_read = 0444, may_write = 0222, default_umask = 0077;

const std::vector<EventVariable> read_variables = {{.name = "value", .part = EventPart::Text, .type = ""}};
const std::vector<EventVariable> write_variables = {
    {.name = "value", .part = EventPart::Text, .type = "", .why_read_only = "it is what was written to the file"}};

const std::vector<EventVariable> &variables(bool is_write) { return is_write ? write_variables : read_variables; }

TargetContext procfs_context(const DerivedProbe &probe) {
  TargetContext context;
  context.event_variables = &variables(std::get<attach::Procfs>(probe.attach).is_write);
  return context;
}

WriteRule write_rule(const Target &) { return {.needs_guru = false}; }

// Why the path can't be that of a file below the script's directory; "" when it can.
std::string path_problem(const std::string &path) {
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string name = path.substr(at, end - at);
    if (name.empty()) return "a name in it is empty";
    if (name == "." || name == "..") return fmt::format("'{}' can't be a name in it", name);
    if (name.size() > longest_name) return fmt::format("a name has at most {} bytes", longest_name);
    if (std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < ' '; }))
      return "control characters can't be in it";
    at = end + 1;
  }
  return "";
}

// Whether one path needs as a directory what the other has as a file: "a" and "a/b".
bool is_above(const std::string &directory, const std::string &path) { return path.starts_with(directory + "/"); }

// What another probe of the script has taken of the path; "" when nothing.
std::string taken(const Session &s, const std::string &path, bool is_write) {
  for (const DerivedProbe *other : s.program.probes) {
    const auto *file = std::get_if<attach::Procfs>(&other->attach);
    if (!file) continue;
    if (file->path == path && bool(file->is_write) == is_write)
      return fmt::format("another probe {} it already", is_write ? "is written through" : "is read from");
    if (is_above(path, file->path) || is_above(file->path, path))
      return fmt::format("'{}' makes one of them a directory", file->path);
  }
  return "";
}

// False after an error.
bool check_path(ProbeRequest &request, const ProbeComponent &c, const std::string &path, bool is_write) {
  std::string problem = path_problem(path);
  if (problem.empty()) problem = taken(request.session, path, is_write);
  if (problem.empty()) return true;
  request.error("bad-procfs-path", c, fmt::format("'{}' can't be a file of the script: {}", path, problem));
  return false;
}

bool check_number(ProbeRequest &request, const ProbeComponent &c, int64_t low, int64_t high, const char *range) {
  if (c.number >= low && c.number <= high) return true;
  request.error("bad-procfs-number", c, fmt::format("'{}' takes a number from {}", c.name, range));
  return false;
}

int elaborate_procfs(ProbeRequest &request) {
  const Session &s = request.session;
  const ProbeComponent &first = request.point.components[0];
  const ProbeComponent *umask = request.component("umask"), *size = request.component("maxsize");
  const bool is_write = request.component("write");
  const std::string path = first.arg == ProbeComponent::Arg::String ? first.string : "command";
  if (!check_path(request, first, path, is_write)) return 0;
  if (umask && !check_number(request, *umask, 0, 0777, "0 to 0777")) return 0;
  if (size && !check_number(request, *size, 1, most_bytes, "1 to 16777216")) return 0;
  const uint64_t hidden = umask ? static_cast<uint64_t>(umask->number) : default_umask;
  attach::Procfs file;
  file.path = path;
  file.is_write = is_write;
  file.mode = (is_write ? may_write : may_read) & ~hidden;
  file.size = size ? static_cast<uint64_t>(size->number)
                   : static_cast<uint64_t>(s.limits.procfs_size.value_or(s.limits.max_string_len));
  request.new_probe()->attach = file;
  return 1;
}

std::vector<std::string> procfs_patterns() {
  std::vector<std::string> patterns;
  for (const char *file : {"procfs", "procfs(string)"})
    for (const char *mask : {"", ".umask(number)"})
      for (const char *end : {".read", ".read.maxsize(number)", ".maxsize(number).read", ".write"})
        patterns.push_back(fmt::format("{}{}{}", file, mask, end));
  return patterns;
}

std::vector<ProbeFamily::Listed> list_procfs(Session &, const ProbePoint &pattern, bool with_variables) {
  const bool is_write = pattern.components.back().name == "write";
  return {
      {to_string(pattern), with_variables ? describe_variables(variables(is_write)) : std::vector<ListedVariable>{}}};
}

}  // namespace

const ProbeFamily procfs_family = {
    .name = "procfs",
    .patterns = procfs_patterns(),
    .elaborate = elaborate_procfs,
    .target_context = procfs_context,
    .write_rule = write_rule,
    .list = list_procfs,
};
