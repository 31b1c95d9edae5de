// SPDX-License-Identifier: GPL-2.0-or-later
// Runs a command without a shell and keeps what it prints.
#include "build/run.h"

#include "arch/arch.h"
#include "build/build_error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

extern char **environ;

// Set by an outer make or by a user for other builds; the kernel's makefiles would obey them.
static bool is_build_variable(const char *entry) {
  static const char *const names[] = {"MAKEFLAGS",
                                      "MFLAGS",
                                      "MAKEOVERRIDES",
                                      "MAKELEVEL",
                                      "GNUMAKEFLAGS",
                                      "KBUILD_OUTPUT",
                                      "KBUILD_EXTMOD",
                                      "KBUILD_EXTRA_SYMBOLS",
                                      "KBUILD_VERBOSE",
                                      "KCFLAGS",
                                      "KCPPFLAGS",
                                      "ARCH",
                                      "CROSS_COMPILE",
                                      "CC",
                                      "LD",
                                      "LLVM",
                                      "M",
                                      "O",
                                      "V",
                                      "C",
                                      "W",
                                      "LC_ALL",
                                      "LANG",
                                      "LC_MESSAGES",
                                      "LC_CTYPE",
                                      "LANGUAGE",
                                      "SRCARCH"};
  for (const char *name : names) {
    size_t n = strlen(name);
    if (!strncmp(entry, name, n) && entry[n] == '=') return true;
  }
  return false;
}

static std::vector<char *> clean_environment() {
  static char locale[] = "LC_ALL=C";
  // kbuild exports it; newer objtools ask for it.
  static std::string architecture = std::string("SRCARCH=") + host_arch().kernel_directory;
  std::vector<char *> env;
  for (char **e = environ; *e; e++)
    if (!is_build_variable(*e)) env.push_back(*e);
  env.push_back(locale);
  env.push_back(architecture.data());
  env.push_back(nullptr);
  return env;
}

static std::string read_all(int fd) {
  std::string text;
  char buffer[8192];
  for (;;) {
    ssize_t n = read(fd, buffer, sizeof(buffer));
    if (n > 0) text.append(buffer, n);
    else if (n == 0 || errno != EINTR) return text;
  }
}

CommandResult run_command(const std::vector<std::string> &argv, const std::string &cwd) {
  CommandResult result;
  int pipe_fds[2];
  if (pipe2(pipe_fds, O_CLOEXEC)) {
    result.output = strerror(errno);
    return result;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], 1);
  posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], 2);
  if (!cwd.empty()) posix_spawn_file_actions_addchdir_np(&actions, cwd.c_str());

  std::vector<char *> args;
  for (const std::string &a : argv) args.push_back(const_cast<char *>(a.c_str()));
  args.push_back(nullptr);
  pid_t pid;
  int rc = posix_spawnp(&pid, args[0], &actions, nullptr, args.data(), clean_environment().data());
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_fds[1]);
  if (rc) {
    close(pipe_fds[0]);
    result.status = 127;
    result.output = argv[0] + ": " + strerror(rc) + "\n";
    return result;
  }
  result.output = read_all(pipe_fds[0]);
  close(pipe_fds[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

void run_step(const std::vector<std::string> &argv, const std::string &cwd, int verbose) {
  if (verbose >= 2) fprintf(stderr, "%s\n", command_text(argv).c_str());
  const CommandResult result = run_command(argv, cwd);
  const std::string program = argv[0].substr(argv[0].rfind('/') + 1);
  if (result.status != 0)
    throw build_error("compile-failed",
                      fmt::format("{} failed (exit status {})\n{}", program, result.status, result.output),
                      {result.status == 127 ? "a C compiler is needed: install gcc" : "-k keeps the C file"});
  if (verbose >= 2) fputs(result.output.c_str(), stderr);
}

std::string command_text(const std::vector<std::string> &argv) {
  std::string text;
  for (const std::string &a : argv) {
    if (!text.empty()) text += ' ';
    if (a.find_first_of(" \t\n'\"\\$;&|<>()*?[]#~`") == std::string::npos && !a.empty()) {
      text += a;
      continue;
    }
    text += '\'';
    for (char c : a) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

std::string find_program(const std::string &name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) ? "" : name;
  const char *path = getenv("PATH");
  std::string list = path ? path : "/usr/bin:/bin";
  for (size_t start = 0; start <= list.size();) {
    size_t end = std::min(list.find(':', start), list.size());
    std::string candidate = list.substr(start, end - start) + "/" + name;
    if (!access(candidate.c_str(), X_OK)) return candidate;
    start = end + 1;
  }
  return "";
}

std::string c_compiler() { return find_program("gcc").empty() ? "cc" : "gcc"; }
