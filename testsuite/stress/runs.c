// SPDX-License-Identifier: GPL-2.0-or-later
// Does the runs of a round of the stress, in the guest: runs STAPRUN MODULES DIR SECONDS RUN... [+ RUN...]...
//
// Runs are done one after the other; a + begins another row of runs, done at the same time. A run is
// MODULE:MODE:VALUE:FAULTS:
//
//   exit     the script ends itself at hit VALUE, or after EXIT_S seconds
//   time     -T 1
//   command  -c with a short command
//   int term kill   that signal VALUE ms after staprun was started. It loads and attaches slowly in an emulated kernel,
//   so
//                   that most such signals would come before: when VALUE is odd, after it has opened its script, and
//                   when VALUE % 4 is 3, after it has said that the script is running
//   double   int, while another staprun runs the same module under another name for a second (its files are R.b.*)
//   opener   int, while somebody else opens the script's control file again and again and tries to unload the module
//
// With FAULTS other than 0, allocations made for staprun fail: at random where the kernel can do that, with the
// probability that the caller has set, from when its module is loaded; else those that exceed FAULTS times CGROUP_UNIT
// in a memory cgroup. Run R, counted from 0 over all rows, leaves DIR/R.{out,err,rc}, or R.hang when staprun did not
// end within SECONDS. MODULES is the directory of the modules. Exit status 1 when a run hung.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXIT_S "5"
#define CGROUP "/sys/fs/cgroup/stress"
#define CGROUP_UNIT (1l << 20)
#define OPENER_NS 200000

static const char *staprun, *modules, *directory;
static int limit_ms;

struct run {
  int number;
  char module[64], mode[16];
  int value, faults;
};

static unsigned long long now_ms(void) {
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (unsigned long long)t.tv_sec * 1000 + (unsigned long long)t.tv_nsec / 1000000;
}

static int put(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  int failed = fd < 0 || write(fd, text, strlen(text)) < 0;

  if (fd >= 0) close(fd);
  return failed ? -1 : 0;
}

static void leave(const struct run *r, const char *part, const char *kind, const char *text) {
  char path[512];

  snprintf(path, sizeof(path), "%s/%d%s.%s", directory, r->number, part, kind);
  put(path, text);
}

// Puts this process into a memory cgroup of its own, where there are any.
static void limit_memory(const struct run *r) {
  char path[256], text[32];

  snprintf(path, sizeof(path), CGROUP "/%d", r->number);
  mkdir(path, 0755);
  snprintf(path, sizeof(path), CGROUP "/%d/memory.max", r->number);
  snprintf(text, sizeof(text), "%ld", r->faults * CGROUP_UNIT);
  if (put(path, text)) return;
  snprintf(path, sizeof(path), CGROUP "/%d/cgroup.procs", r->number);
  put(path, "0");
}

// A staprun that was started, and where its output goes.
struct child {
  pid_t pid;
  int out, err;
};

static int has_open(pid_t pid, const char *file) {
  char path[64], name[128] = "";

  for (int fd = 3; fd < 16; fd++) {
    ssize_t n;

    snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
    n = readlink(path, name, sizeof(name) - 1);
    name[n > 0 ? n : 0] = 0;
    if (!strcmp(name, file)) return 1;
  }
  return 0;
}

static int has_opened_script(const struct run *r, const struct child *c) {
  char file[128];

  snprintf(file, sizeof(file), "/proc/stap_%s", r->module);
  return has_open(c->pid, file);
}

static int has_said_running(const struct run *r, const struct child *c) {
  static char text[1 << 16];
  ssize_t n = pread(c->err, text, sizeof(text) - 1, 0);

  (void)r;
  text[n > 0 ? n : 0] = 0;
  return strstr(text, "staprun: the script is running\n") != NULL;
}

// Waits until staprun has come so far, or has ended, or hangs.
static void wait_for(const struct run *r, const struct child *c,
                     int (*has_come)(const struct run *, const struct child *)) {
  const unsigned long long end = now_ms() + (unsigned long long)limit_ms;
  const struct timespec pause = {0, 20000};
  siginfo_t info = {0};

  while (!has_come(r, c) && !info.si_pid && now_ms() < end) {
    nanosleep(&pause, NULL);
    if (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT)) break;
  }
}

// Whether allocations fail at random that are made for the run's staprun. Not where it has children, which are to
// succeed, or a module of another name.
static int fails_at_random(const struct run *r) {
  return r->faults && strcmp(r->mode, "command") && strcmp(r->mode, "double") &&
         !access("/proc/self/make-it-fail", F_OK);
}

// The file DIR/R.KIND.
static int output_file(const struct run *r, const char *part, const char *kind) {
  char path[512];
  int fd;

  snprintf(path, sizeof(path), "%s/%d%s.%s", directory, r->number, part, kind);
  fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) exit(99);
  return fd;
}

// Where allocations fail what is printed is kept in memory until the end, for the sake of the file.
static int output(const struct run *r, const char *part, const char *kind) {
  int fd = fails_at_random(r) ? memfd_create(kind, MFD_CLOEXEC) : output_file(r, part, kind);

  if (fd < 0) exit(99);
  return fd;
}

static void leave_output(const struct run *r, const char *part, const char *kind, int from) {
  char bytes[65536];
  ssize_t n;
  int fd;

  if (fails_at_random(r)) {
    fd = output_file(r, part, kind);
    lseek(from, 0, SEEK_SET);
    while ((n = read(from, bytes, sizeof(bytes))) > 0)
      if (write(fd, bytes, (size_t)n) != n) break;
    close(fd);
  }
  close(from);
}

// The program that is the load, whose stacks handlers look at: it is beside this one.
static const char *load_program(void) {
  static char path[512];
  ssize_t length = path[0] ? 0 : readlink("/proc/self/exe", path, sizeof(path) - 8);
  char *slash = strrchr(path, '/');

  if (length > 0 && slash) strcpy(slash, "/load");
  return path;
}

// Starts staprun with the options given, and returns when that program has begun: before it would not heed a signal.
static struct child start(const struct run *r, const char *part, const char *const *options) {
  const char *arguments[20] = {staprun, "-v", "--symbols", load_program()};
  struct child c = {.out = output(r, part, "out"), .err = output(r, part, "err")};
  char module[512], path[64], byte;
  int begun[2], count = 4;

  snprintf(module, sizeof(module), "%s/%s.ko", modules, r->module);
  while (*options) arguments[count++] = strcmp(*options, "MODULE") ? *options : module, options++;
  if (pipe2(begun, O_CLOEXEC)) exit(99);
  c.pid = fork();
  if (c.pid < 0) exit(99);
  if (!c.pid) {
    if (r->faults && access("/proc/self/make-it-fail", F_OK)) limit_memory(r);
    if (dup2(c.out, 1) < 0 || dup2(c.err, 2) < 0) _exit(99);
    execv(staprun, (char **)arguments);
    _exit(99);
  }
  close(begun[1]);
  if (read(begun[0], &byte, 1)) exit(99);
  close(begun[0]);
  // What is loaded and opened before is not staprun's own work, and a file that met a failure may be unreadable for
  // ever.
  if (fails_at_random(r)) {
    wait_for(r, &c, has_opened_script);
    snprintf(path, sizeof(path), "/proc/%d/make-it-fail", (int)c.pid);
    put(path, "1");
  }
  return c;
}

// Waits for the end of a child, at most until `end`. Returns whether it has ended.
static int wait_until(pid_t pid, unsigned long long end) {
  struct pollfd p = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
  int ended = 0;

  for (;;) {
    unsigned long long now = now_ms();
    int got = poll(&p, 1, end > now ? (int)(end - now) : 0);

    if (got < 0 && errno == EINTR) continue;
    ended = got > 0;
    break;
  }
  close(p.fd);
  return ended;
}

// Returns whether it hung.
static int finish(const struct run *r, const char *part, struct child c) {
  int ended = wait_until(c.pid, now_ms() + (unsigned long long)limit_ms), status;
  char text[64];

  leave_output(r, part, "out", c.out);
  leave_output(r, part, "err", c.err);
  if (!ended) {
    snprintf(text, sizeof(text), "process %d did not end within %d s", (int)c.pid, limit_ms / 1000);
    leave(r, part, "hang", text);
    return 1;
  }
  waitpid(c.pid, &status, 0);
  snprintf(text, sizeof(text), "%d", WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
  leave(r, part, "rc", text);
  return 0;
}

// What another process of the same user can do to a script that staprun has loaded, or is just loading or unloading.
static void disturb(const struct run *r, unsigned long long end) {
  const struct timespec pause = {0, OPENER_NS};
  char path[128];

  snprintf(path, sizeof(path), "/proc/stap_%s", r->module);
  while (now_ms() < end) {
    int fd = open(path, O_RDWR | O_CLOEXEC);

    if (fd >= 0) close(fd);
    syscall(SYS_delete_module, r->module, O_NONBLOCK);
    nanosleep(&pause, NULL);
  }
}

static int is(const struct run *r, const char *mode) { return !strcmp(r->mode, mode); }

static struct child start_mode(const struct run *r) {
  char stop[48];

  snprintf(stop, sizeof(stop), "stress_stop=%d", r->value);
  if (is(r, "exit")) return start(r, "", (const char *[]){"-s", "1", "-T", EXIT_S, "MODULE", stop, NULL});
  if (is(r, "time")) return start(r, "", (const char *[]){"-T", "1", "MODULE", NULL});
  if (is(r, "command")) return start(r, "", (const char *[]){"-c", "exec /bin/true", "MODULE", NULL});
  if (is(r, "double")) return start(r, "", (const char *[]){"-s", "1", "-R", "MODULE", NULL});
  return start(r, "", (const char *[]){"-s", "1", "MODULE", NULL});
}

static int is_signalled(const struct run *r) { return is(r, "int") || is(r, "term") || is(r, "kill"); }

// Returns whether it hung.
static int do_run(const struct run *r) {
  struct child c, other = {0};
  unsigned long long end;
  int hung = 0;

  if (is(r, "double")) other = start(r, ".b", (const char *[]){"-s", "1", "-R", "-T", "1", "MODULE", NULL});
  c = start_mode(r);
  if (is_signalled(r) && r->value % 2) wait_for(r, &c, r->value % 4 == 3 ? has_said_running : has_opened_script);
  end = now_ms() + (unsigned long long)r->value;
  if (is(r, "opener")) disturb(r, end);
  if (is_signalled(r) || is(r, "double") || is(r, "opener"))
    if (!wait_until(c.pid, end)) kill(c.pid, is(r, "kill") ? SIGKILL : is(r, "term") ? SIGTERM : SIGINT);
  hung = finish(r, "", c);
  if (other.pid) hung |= finish(r, ".b", other);
  return hung;
}

static int do_row(char **runs, int first, int count) {
  for (int i = 0; i < count; i++) {
    struct run r = {.number = first + i};

    if (sscanf(runs[i], "%63[^:]:%15[^:]:%d:%d", r.module, r.mode, &r.value, &r.faults) != 4) {
      fprintf(stderr, "no run: %s\n", runs[i]);
      return 2;
    }
    if (do_run(&r)) return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  int number = 0, status, worst = 0;

  if (argc < 6) return 2;
  staprun = argv[1];
  modules = argv[2];
  directory = argv[3];
  limit_ms = atoi(argv[4]) * 1000;
  // What a shell starts in the background begins with SIGINT ignored.
  signal(SIGINT, SIG_DFL);
  if (!freopen("/dev/null", "r", stdin)) return 2;
  for (int i = 5, length; i < argc; i += length + 1, number += length) {
    for (length = 0; i + length < argc && strcmp(argv[i + length], "+"); length++)
      ;
    if (!fork()) _exit(do_row(argv + i, number, length));
  }
  while (wait(&status) > 0)
    if (!WIFEXITED(status) || WEXITSTATUS(status) > worst) worst = WIFEXITED(status) ? WEXITSTATUS(status) : 2;
  return worst;
}
