// SPDX-License-Identifier: GPL-2.0-or-later
// Everything around the passes that is neither language nor code generation.
#include "driver/driver.h"
#include "driver/listing.h"
#include "syntax/parse.h"
#include "syntax/print.h"

#include "build/headers.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/paths.h"
#include "driver/run.h"
#include "driver/runtime_work.h"
#include "library/library.h"
#include "sema/elaborate.h"

namespace fs = std::filesystem;

Driver::Driver(Session &s) : session(s) { s.compile_headers = compile_headers; }

Driver::~Driver() {
  if (tmpdir_.empty() || !session.options.keep_tmpdir) return;
  if (own_tmpdir_) own_tmpdir_->keep();
  std::fprintf(stderr, "Keeping temporary directory %s\n", tmpdir_.c_str());
}

// ---------------------------------------------------------------- kernel and runtime

static std::string first_line(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

void Driver::choose_kernel() {
  const Options &o = session.options;
  if (!o.release.empty() && o.release[0] == '/') {
    session.build_tree = o.release;
    session.kernel_release = first_line(o.release + "/include/config/kernel.release");
    if (session.kernel_release.empty())
      throw FatalError{"bad-build-tree",
                       o.release + " is not a configured kernel build tree",
                       {"it lacks include/config/kernel.release"}};
    return;
  }
  struct utsname running;
  uname(&running);
  if (!o.release.empty()) session.kernel_release = o.release;
  else if (!o.vm_release.empty()) session.kernel_release = o.vm_release;
  else if (o.vm) session.kernel_release = newest_guest_kernel();
  else session.kernel_release = running.release;
  // Installed headers, or those that were unpacked beside a guest's kernel.
  std::vector<std::string> roots = fetched_kernel_directories(session.kernel_release);
  roots.insert(roots.begin(), "");
  std::error_code unreadable;
  for (const std::string &root : roots) {
    const std::string tree = root + "/lib/modules/" + session.kernel_release + "/build";
    if (session.build_tree.empty() && fs::exists(tree + "/Makefile", unreadable)) session.build_tree = tree;
  }
}

void Driver::choose_colors() {
  const Options &o = session.options;
  const char *given = std::getenv("SYSTEMTAP_COLORS");
  session.diag.color = (o.color == "always" || (o.color == "auto" && isatty(STDERR_FILENO))) &&
                       (!given || read_colors(given, session.diag.colors));
}

void Driver::choose_target() {
  Options &o = session.options;
  session.diag.suppress_warnings = o.suppress_warnings;
  session.diag.warnings_are_errors = o.warnings_are_errors;
  choose_colors();
  choose_kernel();
  if (o.verbose > 1)
    std::fprintf(stderr, "Runtime: %s; kernel: %s\n", session.runtime().name, session.kernel_release.c_str());
  if (!o.prepare) runtime_work(session).limit_passes(session);
  const bool runs = !o.list && !o.prepare && !o.dump_probe_types && !o.dump_probe_aliases && !o.dump_functions &&
                    !o.help_tapset && o.last_pass == 5;
  if (runs) runtime_work(session).check_can_run(session);
  verbose_ = o.verbose;
}

// ---------------------------------------------------------------- timing

void Driver::begin(int pass) {
  pass_ = pass;
  const std::string &more = session.options.pass_verbosity;
  session.options.verbose = verbose_ + (pass <= static_cast<int>(more.size()) ? more[pass - 1] - '0' : 0);
  started_ = std::chrono::steady_clock::now();
  getrusage(RUSAGE_SELF, &used_);
  getrusage(RUSAGE_CHILDREN, &used_by_children_);
}

std::string Driver::what_was_done() const {
  const Program &p = session.program;
  auto count = [](size_t n, const std::string &what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); };
  switch (pass_) {
    case 1:
      return fmt::format("parsed {}, library of {}", count(session.user_files.size(), "user script"),
                         count(session.library->file_count(), "file"));
    case 2:
      return fmt::format("analyzed script: {}, {}, {}, {} ({} read)", count(p.probes.size(), "probe"),
                         count(p.functions.size(), "function"), count(p.globals.size(), "global"),
                         count(session.used_library_files.size(), "library file"), session.library->files_read());
    case 3: return "translated to C";
    case 4: return fmt::format("compiled into \"{}\"", fs::path(built_).filename().string());
    default: return "ran";
  }
}

void Driver::end() {
  session.diag.flush();
  if (session.diag.error_count() > 0) {
    static const char *const names[] = {"", "parse", "analysis", "translation", "compilation", "run"};
    std::fprintf(stderr, "Pass %d: %s failed.  [%d error%s]\n", pass_, names[pass_], session.diag.error_count(),
                 session.diag.error_count() == 1 ? "" : "s");
    throw PassFailed{};
  }
  print_pass("Pass " + std::to_string(pass_), what_was_done());
}

static long milliseconds(const timeval &from, const timeval &to) {
  return (to.tv_sec - from.tv_sec) * 1000 + (to.tv_usec - from.tv_usec) / 1000;
}

// Memory is the most that was in use so far, by stap itself or by a compiler it ran.
void Driver::print_pass(const std::string &passes, const std::string &what) {
  if (!session.options.verbose) return;
  struct rusage self, children;
  getrusage(RUSAGE_SELF, &self);
  getrusage(RUSAGE_CHILDREN, &children);
  const auto real =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started_).count();
  std::fprintf(
      stderr, "%s: %s using %ldKB, in %ldusr/%ldsys/%ldreal ms.\n", passes.c_str(), what.c_str(),
      std::max(self.ru_maxrss, children.ru_maxrss),
      milliseconds(used_.ru_utime, self.ru_utime) + milliseconds(used_by_children_.ru_utime, children.ru_utime),
      milliseconds(used_.ru_stime, self.ru_stime) + milliseconds(used_by_children_.ru_stime, children.ru_stime),
      static_cast<long>(real));
}

// ---------------------------------------------------------------- sources

static std::string read_all(std::istream &in) { return {std::istreambuf_iterator<char>(in), {}}; }

static std::string read_script(const std::string &path) {
  std::error_code ec;
  std::ifstream file;
  if (fs::is_directory(path, ec)) errno = EISDIR;
  else file.open(path, std::ios::binary);
  if (!file.is_open())
    throw FatalError{"cannot-read", fmt::format("the script '{}' cannot be read: {}", path, std::strerror(errno)), {}};
  std::string text = read_all(file);
  if (text.compare(0, 3, "\xef\xbb\xbf") == 0) text.erase(0, 3);  // the mark some editors put before UTF-8
  return text;
}

void Driver::read_scripts() {
  const Options &o = session.options;
  if (!o.inline_scripts.empty()) scripts_.emplace_back("<input>", o.inline_scripts[0]);
  else if (o.script_file == "-") scripts_.emplace_back("<stdin>", read_all(std::cin));
  else if (!o.script_file.empty()) scripts_.emplace_back(o.script_file, read_script(o.script_file));
  for (const std::string &text : o.extra_scripts) scripts_.emplace_back("<input>", text);
}

void Driver::parse() {
  open_library(session);
  if (scripts_.empty()) read_scripts();
  for (const auto &[name, text] : scripts_) {
    const SourceFile *source = session.add_source(name, text);
    if (ScriptFile *file = parse_script(session, source)) session.user_files.push_back(file);
  }
  if (!session.options.list && session.diag.error_count() == 0) require_probe(session);
  // Else a library file may use them yet: argv.
  if (session.diag.error_count() || session.options.last_pass == 1) warn_unused_arguments();
}

void Driver::warn_unused_arguments() {
  const auto &args = session.options.script_args;
  for (size_t i = 0; i < args.size() && !session.options.list; i++)
    if (!session.used_args.count(i))
      session.diag.warning("unused-argument", {}, "argument {}, '{}', is not used by the script", i + 1, args[i])
          .hint(args[i].size() < 2 || args[i][0] != '-' || is_option(args[i])
                    ? ""
                    : "no option is named so; " + near_option(args[i]));
}

// -G NAME=VALUE names a global that is a scalar; -D NAME a limit, or a macro of the script's embedded C.
void Driver::check_settings() {
  warn_unused_arguments();
  warn_unknown_defines(session);
  for (const auto &[name, value] : session.options.global_values) {
    std::vector<std::string> names;
    bool found = false;
    for (const VarDecl *v : session.program.globals) {
      if (!is_settable(*v)) continue;
      found |= v->name == name && v->arity <= 0 && v->type != Type::Stats;
      if (v->arity <= 0) names.push_back(v->name);
    }
    if (found) continue;
    for (const ScriptFile *file : session.user_files)
      for (const VarDecl *v : file->globals)
        if (v->name == name && !found) {
          found = true;
          session.diag.error("unknown-global", v->place, "-G: '{}' is no scalar, or the script does not use it", name);
        }
    if (found) continue;
    const std::string near = nearest_name(name, names);
    session.diag.error("unknown-global", {}, "-G: the script has no scalar global named '{}'", name)
        .hint(near.empty() ? "" : fmt::format("did you mean '{}'?", near));
  }
}

// ---------------------------------------------------------------- results

const std::string &Driver::tmpdir() {
  if (!tmpdir_.empty()) return tmpdir_;
  if (!session.options.tmpdir.empty()) {
    session.options.keep_tmpdir = true;  // the user's own directory
    std::error_code ec;
    fs::create_directories(session.options.tmpdir, ec);
    if (!fs::is_directory(session.options.tmpdir, ec))
      throw FatalError{
          "no-tmpdir",
          fmt::format("{} can't be made a directory{}", session.options.tmpdir, ec ? ": " + ec.message() : ""),
          {"--tmpdir names a directory"}};
    return tmpdir_ = fs::absolute(session.options.tmpdir);
  }
  return tmpdir_ = own_tmpdir_.emplace().path();
}

int Driver::finish(const std::string &object) {
  return session.options.last_pass == 4 ? show(object + "\n") : run(object);
}

int Driver::run(const std::string &object) {
  begin(5);
  if (session.options.verbose) std::fprintf(stderr, "Pass 5: starting run.\n");
  const int status = run_script(session, object);
  end();
  return status;
}

int Driver::list() {
  begin(1);
  parse();
  end();
  begin(2);
  const std::string text = list_probes(session, session.options.list_pattern);
  session.diag.flush();
  show(text);
  return text.empty() || session.diag.error_count() ? 1 : 0;
}

int Driver::show_tree() {
  std::string text;
  for (const ScriptFile *file : session.user_files) text += print_script(*file);
  return show(text);
}

int Driver::show(const std::string &text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written)
    throw FatalError{"cannot-write", std::string("standard output can't be written: ") + std::strerror(errno), {}};
  return 0;
}

void Driver::report(const FatalError &e) {
  choose_colors();  // it may be the command line that is wrong
  session.diag.flush();
  Diagnostic &d = session.diag.error(e.id, {}, e.message);
  d.hints = e.hints;
  session.diag.flush();
}
