// SPDX-License-Identifier: GPL-2.0-or-later
// Starts staprun with the options that concern it, in a guest when asked, and hands signals on.
#include "driver/run.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/paths.h"
#include "build/run.h"
#include "driver/runtime_work.h"

namespace {

volatile sig_atomic_t child = 0;

// A ^C at the terminal reaches staprun by itself; only a signal that was sent to stap alone is handed on.
void hand_on(int signal, siginfo_t *info, void *) {
  const int saved = errno;
  const bool from_terminal = signal == SIGINT && info->si_code > 0;
  if (child > 0 && !from_terminal) kill(child, signal);
  errno = saved;
}

// The path of the program that the command runs, as far as its first word is one; "" else.
std::string program_of(const std::string &command) {
  const std::string word = command.substr(0, command.find(' '));
  if (word.find('/') == std::string::npos) return find_program(word);
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(word, error);
  return error ? "" : path.string();
}

void add_symbol_options(const Options &o, const std::string &command, std::vector<std::string> &argv) {
  for (const std::string &what : o.kept_symbols) argv.insert(argv.end(), {"--symbols", what});
  if (!o.with_libraries) return;
  argv.push_back("--ldd");
  if (const std::string program = program_of(command); !program.empty())
    argv.insert(argv.end(), {"--symbols", program});
}

std::vector<std::string> staprun_command(const Session &s, const std::string &object) {
  const Options &o = s.options;
  std::vector<std::string> argv = {paths().staprun};
  auto add = [&argv](const char *option, const std::string &value) { argv.insert(argv.end(), {option, value}); };
  if (o.suppress_warnings) argv.push_back("-w");
  for (int i = 1; i < o.verbose; i++) argv.push_back("-v");
  const std::string &command = o.vm_command.empty() ? o.command : o.vm_command;  // in the guest both are the same
  if (!command.empty()) add("-c", command);
  if (o.target_pid) add("-x", std::to_string(o.target_pid));
  if (o.timeout_ms) add("-T", std::to_string(o.timeout_ms / 1000));
  if (o.buffer_mb) add("-s", std::to_string(o.buffer_mb));
  add_symbol_options(o, command, argv);
  if (!o.output.empty()) add("-o", std::filesystem::absolute(o.output).string());
  for (const std::string &option : runtime_work(s).run_options(s)) argv.push_back(option);
  argv.push_back(object);
  for (const auto &[name, value] : o.global_values) argv.push_back(name + "=" + value);
  return argv;
}

std::vector<std::string> guest_command(const Session &s, const std::vector<std::string> &inner) {
  std::vector<std::string> argv = {paths().vm_driver, "--release", s.kernel_release};
  if (!system_kernel_directory(s.kernel_release).empty())
    argv.insert(argv.end(), {"--kernels", system_cache_directory() + "/kernels"});
  if (s.options.verbose > 2) argv.push_back("--verbose");
  if (!s.options.output.empty())
    argv.insert(argv.end(), {"--share", std::filesystem::absolute(s.options.output).parent_path().string()});
  argv.push_back("--run");
  argv.insert(argv.end(), inner.begin(), inner.end());
  return argv;
}

void catch_signals() {
  struct sigaction action = {};
  action.sa_sigaction = hand_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) sigaction(signal, &action, nullptr);
}

// In the child: when stap is killed, what it has started ends as by SIGTERM.
void end_with_parent(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);  // killed before we asked
}

[[noreturn]] void become(const std::vector<std::string> &argv) {
  std::vector<char *> raw;
  for (const std::string &a : argv) raw.push_back(const_cast<char *>(a.c_str()));
  raw.push_back(nullptr);
  execv(raw[0], raw.data());
  std::fprintf(stderr, "error[cannot-run]: %s cannot be started: %s\n", raw[0], std::strerror(errno));
  _exit(127);
}

}  // namespace

int run_script(const Session &s, const std::string &object) {
  std::vector<std::string> argv = staprun_command(s, object);
  if (s.options.vm) {
    argv = guest_command(s, argv);
    setenv("STAP_VM_BINDIR", paths().vm_helpers.c_str(), 1);
  }
  if (s.options.verbose > 1) std::fprintf(stderr, "Running %s\n", command_text(argv).c_str());
  std::fflush(stdout);
  // Blocked until the child's number is known, so that no signal is lost between.
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    end_with_parent(parent);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) std::signal(signal, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    become(argv);
  }
  child = pid;
  catch_signals();
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) throw FatalError{"cannot-run", std::string("no process can be made: ") + std::strerror(errno), {}};
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  child = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string find_guest_kernel() {
  std::vector<std::string> command = {paths().vm_driver};
  if (const std::string shared = in_system_cache("kernels"); !shared.empty())
    command.insert(command.end(), {"--kernels", shared});
  command.push_back("--list");
  const CommandResult r = run_command(command);
  return r.status == 0 ? r.output.substr(0, r.output.find('\n')) : "";
}

std::string newest_guest_kernel() {
  const std::string newest = find_guest_kernel();
  if (newest.empty())
    throw FatalError{"no-guest-kernel",
                     "no kernel image and modules were found for the virtual machine",
                     {std::string("install ") + guest_kernel_packages}};
  return newest;
}
