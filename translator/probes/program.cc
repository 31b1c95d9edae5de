// SPDX-License-Identifier: GPL-2.0-or-later
// From what stands in process(...) and library(...) to files.
#include "probes/program.h"

#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <sstream>

#include "base/glob.h"
#include "debuginfo/program_file.h"
#include "syntax/condition.h"

namespace fs = std::filesystem;

namespace {

constexpr int most_interpreters = 4;  // of a script whose interpreter is a script; the kernel has such a limit too

// "" when it is not there.
std::string canonical(const std::string &path) {
  std::error_code error;
  const fs::path found = fs::canonical(path, error);
  return error ? "" : found.string();
}

std::vector<std::string> search_path() {
  std::vector<std::string> directories;
  const char *path = std::getenv("PATH");
  std::istringstream list(path ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string directory; std::getline(list, directory, ':');)
    directories.push_back(directory.empty() ? "." : directory);
  return directories;
}

std::vector<std::string> names_in(const std::string &directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    names.push_back(it->path().filename().string());
  return names;
}

bool may_be_run(const std::string &path) {
  std::error_code error;
  constexpr auto anybody = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  return fs::is_regular_file(path, error) && (fs::status(path, error).permissions() & anybody) != fs::perms::none;
}

// As a shell does. "" when it is nowhere; `without_right` is then one that is there and that nobody may execute.
std::string find_in_path(const std::string &name, std::string &without_right) {
  for (const std::string &directory : search_path()) {
    const std::string path = directory + "/" + name;
    std::error_code error;
    if (may_be_run(path)) return canonical(path);
    if (without_right.empty() && fs::is_regular_file(path, error)) without_right = path;
  }
  return "";
}

// The program that runs a script: what its first line names, and of "env NAME" that. "" when the file is no script.
std::string interpreter_of(const std::string &path) {
  std::ifstream file(path);
  std::string line, word, argument, ignored;
  char mark[2] = {};
  if (!file.read(mark, 2) || mark[0] != '#' || mark[1] != '!' || !std::getline(file, line)) return "";
  std::istringstream words(line);
  words >> word >> argument;
  if (argument == "-S") words >> argument;
  if (fs::path(word).filename() == "env" && !argument.empty() && argument[0] != '-')
    if (std::string found = find_in_path(argument, ignored); !found.empty()) return found;
  return word;
}

bool is_build_id(const std::string &text) {
  return text.size() >= 16 && text.size() % 2 == 0 && text.find_first_not_of("0123456789abcdefABCDEF") == text.npos;
}

bool has_build_id(const std::string &path, const std::vector<uint8_t> &wanted) {
  std::vector<uint8_t> id;
  auto file = path.empty() ? Failure{} : ProgramFile::open(path);
  return file && (*file)->build_id_offset(id) && id == wanted;
}

// By the links that packages bring, else among the programs of PATH and the libraries that these load.
std::string find_by_build_id(std::string hex) {
  std::vector<uint8_t> wanted;
  for (char &digit : hex) digit = char(std::tolower(static_cast<unsigned char>(digit)));
  for (size_t i = 0; i < hex.size(); i += 2) wanted.push_back(uint8_t(std::stoul(hex.substr(i, 2), nullptr, 16)));
  const std::string link = "/.build-id/" + hex.substr(0, 2) + "/" + hex.substr(2);
  for (const char *root : {"/usr/lib", "/usr/lib/debug"})
    if (std::string path = canonical(root + link); has_build_id(path, wanted)) return path;
  std::vector<std::string> directories = search_path();
  for (std::string &directory : library_directories()) directories.push_back(std::move(directory));
  for (const std::string &directory : directories)
    for (const std::string &name : names_in(directory))
      if (std::string path = canonical(directory + "/" + name); has_build_id(path, wanted)) return path;
  return "";
}

// A process may have another root or other mounts than we: where we see the file that it has under a path. "" when it
// is nowhere.
std::string path_from_here(int64_t pid, const std::string &path, uint64_t inode) {
  for (const std::string &root : {std::string(), fmt::format("/proc/{}/root", pid)}) {
    struct stat file;
    if (stat((root + path).c_str(), &file) == 0 && file.st_ino == inode) return root + path;
  }
  return "";
}

// A line of /proc/PID/maps is "FROM-TO rwxp OFFSET MAJOR:MINOR INODE      PATH".
struct Mapping {
  uint64_t from = 0, to = 0, offset = 0, inode = 0;
  bool is_code = false;
  std::string path;  // as the process sees it; "" without a file
};

std::vector<Mapping> mappings_of(int64_t pid) {
  std::vector<Mapping> list;
  std::ifstream maps(fmt::format("/proc/{}/maps", pid));
  for (std::string line; std::getline(maps, line);) {
    Mapping m;
    int path_at = 0;
    char flags[5] = "";
    if (std::sscanf(line.c_str(), "%lx-%lx %4s %lx %*s %lu %n", &m.from, &m.to, flags, &m.offset, &m.inode, &path_at) <
        5)
      continue;
    m.is_code = flags[2] == 'x';
    if (m.inode) m.path = line.substr(static_cast<size_t>(path_at));
    list.push_back(std::move(m));
  }
  return list;
}

// What the process has loaded by now, also what it has loaded by dlopen(3).
std::vector<LoadedLibrary> libraries_of_process(int64_t pid) {
  std::vector<LoadedLibrary> list;
  for (const Mapping &m : mappings_of(pid)) {
    const std::string path = m.is_code ? path_from_here(pid, m.path, m.inode) : "";
    const bool is_known = std::any_of(list.begin(), list.end(), [&](const LoadedLibrary &l) { return l.path == path; });
    if (!path.empty() && !is_known) list.push_back({fs::path(m.path).filename().string(), path});
  }
  return list;
}

class Finder {
 public:
  Finder(Session &s, bool is_quiet) : s_(s), is_quiet_(is_quiet) {}

  std::vector<ProgramUse> found;

  void process(const ProbeComponent &component);
  void library(const ProbeComponent &component);

 private:
  // Null when nothing is to be said.
  Diagnostic *error(const char *id, const std::string &message) {
    return is_quiet_ ? nullptr : &s_.diag.error(id, place_, "semantic error: " + message);
  }
  void add(const std::string &path, int64_t pid = 0);
  void by_name(const std::string &name);
  void by_pattern(const std::string &pattern);
  void by_pid(int64_t pid);
  void target();
  std::vector<std::string> matching_libraries(const ProgramUse &program, const std::string &pattern);

  Session &s_;
  Place place_;
  std::string written_;  // the path as the script has it; "" when it has none
  bool is_quiet_;
};

// A file that is there, or the interpreter of one that is a script.
void Finder::add(const std::string &given, int64_t pid) {
  std::string path = given;
  for (int i = 0; i < most_interpreters; i++) {
    const std::string interpreter = interpreter_of(path);
    if (interpreter.empty()) break;
    path = canonical(interpreter);
    if (path.empty()) {
      error("no-such-program", fmt::format("the interpreter of '{}' is not there: {}", given, interpreter));
      return;
    }
  }
  const std::string &shown = path == given && !written_.empty() ? written_ : path;
  s_.looked_at.insert(path);
  const auto file = ProgramFile::open(path);
  if (!file) {
    error("bad-program", fmt::format("'{}' {}", shown, file.reason()));
    return;
  }
  if ((*file)->can_run() && !may_be_run(path)) {
    if (Diagnostic *d = error("not-executable", fmt::format("nobody may execute '{}'", shown)))
      d->hint("chmod +x {}", shown);
    return;
  }
  const std::string point = pid ? fmt::format("process({})", pid) : fmt::format("process(\"{}\")", path);
  found.push_back({.path = path, .executable = "", .pid = pid, .point = point});
}

// Relative to the working directory with a slash, else to be found in PATH.
void Finder::by_name(const std::string &name) {
  if (name.find('/') != name.npos) {
    const std::string path = canonical(name);
    s_.looked_at.insert(name);
    written_ = name;
    if (!path.empty()) return add(path);
    Diagnostic *d = error("no-such-program", fmt::format("there is no file '{}'", name));
    const fs::path wanted(name);
    const std::string directory = wanted.has_parent_path() ? wanted.parent_path().string() : ".";
    const std::string near = nearest_name(wanted.filename().string(), names_in(directory));
    if (d && !near.empty()) d->hint("did you mean '{}'?", (wanted.parent_path() / near).string());
    return;
  }
  std::string without_right;
  if (const std::string path = find_in_path(name, without_right); !path.empty()) return add(path);
  if (!without_right.empty()) {
    if (Diagnostic *d = error("not-executable", fmt::format("nobody may execute '{}'", without_right)))
      d->hint("chmod +x {}", without_right);
    return;
  }
  Diagnostic *d = error("no-such-program", fmt::format("there is no program '{}' in PATH", name));
  std::vector<std::string> names;
  for (const std::string &directory : search_path())
    for (std::string &other : names_in(directory)) names.push_back(std::move(other));
  const std::string near = nearest_name(name, names);
  if (d && !near.empty()) d->hint("did you mean '{}'?", near);
  std::error_code ignored;
  if (d && fs::exists(name, ignored)) d->hint("there is one here: './{}'", name);
}

// What a wildcard finds and is no program is passed over.
void Finder::by_pattern(const std::string &pattern) {
  glob_t matches;
  if (glob(pattern.c_str(), 0, nullptr, &matches) == 0) {
    const bool was_quiet = std::exchange(is_quiet_, true);
    for (size_t i = 0; i < matches.gl_pathc; i++) {
      const std::string path = canonical(matches.gl_pathv[i]);
      const bool is_known =
          std::any_of(found.begin(), found.end(), [&](const ProgramUse &use) { return use.path == path; });
      if (!path.empty() && !is_known && interpreter_of(path).empty()) add(path);
    }
    is_quiet_ = was_quiet;
    globfree(&matches);
  }
  if (!found.empty()) return;
  Diagnostic *d = error("no-such-program", fmt::format("no program or library matches '{}'", pattern));
  if (d && pattern.find('/') == pattern.npos)
    d->hint("PATH is not searched for wildcards: they match paths, from the working directory");
}

void Finder::by_pid(int64_t pid) {
  std::error_code failure;
  const std::string link = fmt::format("/proc/{}/exe", pid);
  const fs::path path = fs::read_symlink(link, failure);
  struct stat file;
  if (!failure && stat(link.c_str(), &file) == 0) {
    const std::string seen = path_from_here(pid, path.string(), file.st_ino);
    return add(seen.empty() ? link : seen, pid);  // the file may be deleted, and yet be there as long as it runs
  }
  const bool is_there = fs::exists(fmt::format("/proc/{}", pid), failure);
  error("no-such-process",
        is_there ? fmt::format("what process {} runs can't be read", pid) : fmt::format("there is no process {}", pid));
}

// The program of -c or -x.
void Finder::target() {
  const std::string &command = s_.options.command;
  if (command.empty() && s_.options.target_pid) return by_pid(s_.options.target_pid);
  if (command.empty()) {
    if (Diagnostic *d = error("no-target", "process without a path means the target, and there is none"))
      d->hint("-c COMMAND or -x PID, or process(\"PATH\")");
    return;
  }
  wordexp_t words;
  std::string program;
  if (!wordexp(command.c_str(), &words, WRDE_NOCMD)) {
    if (words.we_wordc) program = words.we_wordv[0];
    wordfree(&words);
  }
  if (!program.empty() && program.find('=') == program.npos) return by_name(program);
  if (Diagnostic *d = error("no-target", fmt::format("which program the command runs is not plain: {}", command)))
    d->hint("a command without | & ; < > ( ) {{ }}, or process(\"PATH\")");
}

void Finder::process(const ProbeComponent &component) {
  place_ = component.place;
  if (component.arg == ProbeComponent::Arg::None) return target();
  if (component.arg == ProbeComponent::Arg::Number) return by_pid(component.number);
  const std::string &text = component.string;
  if (has_wildcard(text)) return by_pattern(text);
  if (!is_build_id(text)) return by_name(text);
  if (const std::string path = find_by_build_id(text); !path.empty()) return add(path);
  if (Diagnostic *d = error("no-such-program", fmt::format("no program or library here has the build-id {}", text)))
    d->hint("programs in PATH and libraries are looked at; a path finds others");
}

std::vector<std::string> Finder::matching_libraries(const ProgramUse &use, const std::string &pattern) {
  const std::string &program = use.path;
  const auto file = ProgramFile::open(program);
  std::vector<std::string> matches, names;
  if (!file) return matches;
  std::vector<LoadedLibrary> libraries = use.pid ? libraries_of_process(use.pid) : std::vector<LoadedLibrary>{};
  if (libraries.empty()) libraries = libraries_of(**file);
  for (const LoadedLibrary &library : libraries) {
    if (wildcard_match(pattern, library.path) || wildcard_match(pattern, library.name) ||
        wildcard_match("*/" + pattern, library.path))
      matches.push_back(library.path);
    names.push_back(library.name);
  }
  if (!matches.empty()) return matches;
  // One that it may load later.
  if (pattern.find('/') != pattern.npos && !has_wildcard(pattern))
    if (std::string path = canonical(pattern); !path.empty()) return {path};
  Diagnostic *d = error("no-such-library", fmt::format("'{}' loads no library '{}'", program, pattern));
  const std::string near = nearest_name(pattern, names);
  if (d && !near.empty()) d->hint("did you mean '{}'?", near);
  else if (d) d->hint("a full path names a library that it loads later");
  return matches;
}

void Finder::library(const ProbeComponent &component) {
  std::vector<ProgramUse> programs;
  std::swap(programs, found);
  place_ = component.place;
  written_.clear();
  for (const ProgramUse &program : programs)
    for (const std::string &path : matching_libraries(program, component.string)) {
      const size_t before = found.size();
      add(path, program.pid);
      if (found.size() == before) continue;
      found.back().executable = program.path;
      found.back().point = fmt::format("{}.library(\"{}\")", program.point, path);
    }
}

}  // namespace

std::vector<ProgramUse> find_programs(Session &s, const ProbePoint &point, bool is_quiet) {
  Finder finder(s, is_quiet);
  for (const ProbeComponent &component : point.components) {
    if (component.name == "process") finder.process(component);
    if (component.name == "library") finder.library(component);
  }
  return std::move(finder.found);
}

bool require_uprobes(Session &s, const Place &place) {
  const auto &config = kernel_config(s);
  if (config.empty() || config.count("CONFIG_UPROBES")) return true;
  if (!s.diag.repeat("no-uprobes", place))
    s.diag
        .error("no-uprobes", place, "semantic error: kernel {} has no uprobes, which probes of programs are",
               s.kernel_release)
        .hint("build it with CONFIG_UPROBE_EVENTS=y; process.begin, .end and .syscall do without");
  return false;
}

attach::stap_file_place place_in(const ProgramUse &use, const ProgramFile &file, uint64_t address) {
  const uint64_t offset = file.offset_of(address).value_or(0);
  return {.path = use.path,
          .offset = offset,
          .address = address,
          .code = file.code_at(offset),
          .semaphore = 0,
          .executable = use.executable,
          .pid = static_cast<uint64_t>(use.pid)};
}

Result<MappedPlace> mapped_place(int64_t pid, uint64_t address) {
  const std::vector<Mapping> mappings = mappings_of(pid);
  if (mappings.empty()) return Failure{"no mappings that can be read"};
  for (const Mapping &m : mappings) {
    if (address < m.from || address >= m.to) continue;
    MappedPlace place{.path = path_from_here(pid, m.path, m.inode)};
    if (!m.inode || place.path.empty()) return Failure{"no file that can be probed"};
    const auto file = ProgramFile::open(place.path);
    if (!file) return Failure{fmt::format("'{}', which {},", place.path, file.reason())};
    const auto in_file = (*file)->address_of(address - m.from + m.offset);
    if (!in_file) return Failure{fmt::format("nothing of the program '{}'", place.path)};
    place.address = *in_file;
    return place;
  }
  return Failure{"nothing mapped"};
}

attach::stap_file_place first_instruction(Session &s, const ProgramUse &use) {
  const auto program = ProgramFile::open(use.path);
  if (!program) return {};
  ProgramUse part{.path = use.path, .executable = use.path, .pid = use.pid, .point = ""};
  if ((*program)->loader().empty()) return place_in(part, **program, (*program)->entry());
  part.path = canonical((*program)->loader());
  const auto loader = ProgramFile::open(part.path);
  if (!loader) return {};
  s.looked_at.insert(part.path);
  return place_in(part, **loader, (*loader)->entry());
}

Unwinder find_unwinder(const ProgramUse &use) {
  const std::string &program = use.executable.empty() ? use.path : use.executable;
  std::vector<std::string> paths = {program};
  Unwinder unwinder;
  if (const auto file = ProgramFile::open(program))
    for (const LoadedLibrary &library : libraries_of(**file)) paths.push_back(library.path);
  for (const std::string &path : paths) {
    const ProgramUse part_use{.path = path, .executable = use.executable, .pid = use.pid, .point = ""};
    const auto part = ProgramFile::open(path);
    if (!part) continue;
    if (const auto address = (*part)->function_address("_Unwind_RaiseException"))
      unwinder.raise = place_in(part_use, **part, *address);
    if (const auto address = (*part)->function_address("_Unwind_Resume_or_Rethrow"))
      unwinder.rethrow = place_in(part_use, **part, *address);
  }
  return unwinder;
}
