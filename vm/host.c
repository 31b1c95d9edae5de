/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The host's end of the guest: owns QEMU, relays the command's output, passes signals on, turns the guest's fate into
 * an exit status. */

/* stap-vm-host [--timeout S] [--verbose] [--console FILE] [--share DIR]... --qemu COUNT QEMU-ARG... --run COMMAND
 * [ARG...]
 *
 * stap-vm builds QEMU's command line and execs this program, which adds the ports (socket pairs, so nothing has a name
 * in any directory) and stays QEMU's parent. QEMU asks the kernel to be killed when this process dies, however it dies;
 * it has a session of its own, so that a terminal's ^C reaches only us. Exit status: the command's; 124 after
 * --timeout; 125 when the guest failed. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "protocol.h"

enum {
  STATUS_TIMEOUT = 124,
  STATUS_FAILED = 125,
  ORPHAN_MS = 10000,   /* for the command to end when our caller was killed */
  POWER_OFF_MS = 5000, /* for the guest to switch itself off when all is said */
  LOG_BYTES = 1 << 18, /* the console log's end that is kept for a failure's report */
  LOG_TAIL_LINES = 45, /* a panic with its registers and call trace */
  PIPE_CHUNK = 4096,   /* PIPE_BUF: what a pipe that polls writable takes without blocking */
};

struct options {
  long long timeout_ms; /* -1: none */
  bool verbose;
  int console_file; /* -1: none */
  char **shares;
  int nshares;
  char **qemu;
  int nqemu;
  char **command;
  int ncommand;
};

struct stream {
  int from; /* QEMU's socket; -1 after its end */
  int to;   /* our standard output or error; -1 when it is closed */
  bool regular;
  size_t head, len;
  uint64_t received;
  unsigned char buffer[65536];
};

static struct {
  struct options opt;
  struct stream streams[2];
  int control, console;
  pid_t qemu;
  pid_t parent;
  bool qemu_gone, running, panicked, failed, ended, released, orphaned;
  int interrupts;
  struct vm_report report; /* being received, then the last one */
  size_t report_bytes;
  int write_problem;     /* errno when output could not be written, though somebody would read it */
  int status;            /* of the command, when ended */
  uint64_t promised[2];  /* bytes the command wrote, when ended */
  unsigned char *orders; /* to be sent on the control port */
  size_t orders_bytes;
  long long deadline_ms; /* what ends the wait, -1: nothing */
  char log[LOG_BYTES];
  size_t log_bytes;
} vm;

static long long now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* Prints error[id]: message, and a hint when there is one. */
static void error_message(const char *id, const char *hint, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  fprintf(stderr, "error[%s]: ", id);
  vfprintf(stderr, format, ap);
  fputc('\n', stderr);
  va_end(ap);
  if (hint) fprintf(stderr, "  hint: %s\n", hint);
}

static void kill_guest(void) {
  if (!vm.qemu_gone) {
    kill(vm.qemu, SIGKILL);
    waitpid(vm.qemu, NULL, 0);
    vm.qemu_gone = true;
  }
}

static _Noreturn void fatal(const char *what) {
  error_message("vm-host", NULL, "%s: %s", what, strerror(errno));
  if (vm.qemu > 0) kill_guest();
  exit(STATUS_FAILED);
}

static _Noreturn void usage(void) {
  fputs(
      "usage: stap-vm-host [--timeout S] [--verbose] [--console FILE] [--share DIR]... "
      "--qemu COUNT QEMU-ARG... --run COMMAND [ARG...]\n",
      stderr);
  exit(STATUS_FAILED);
}

static struct options parse_options(int argc, char **argv) {
  struct options o = {.timeout_ms = -1, .console_file = -1};
  o.shares = calloc((size_t)argc, sizeof *o.shares);
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(argv[i], "--verbose") == 0) {
      o.verbose = true;
      continue;
    }
    if (!value) usage();
    if (strcmp(argv[i], "--timeout") == 0) {
      o.timeout_ms = (long long)(atof(value) * 1000);
    } else if (strcmp(argv[i], "--console") == 0) {
      o.console_file = open(value, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
      if (o.console_file < 0) fatal(value);
    } else if (strcmp(argv[i], "--share") == 0) {
      o.shares[o.nshares++] = argv[i + 1];
    } else if (strcmp(argv[i], "--qemu") == 0) {
      o.nqemu = atoi(value);
      o.qemu = argv + i + 2;
      i += o.nqemu;
    } else if (strcmp(argv[i], "--run") == 0) {
      o.command = argv + i + 1;
      o.ncommand = argc - i - 1;
      break;
    } else {
      usage();
    }
    i++;
  }
  if (o.nqemu < 1 || o.qemu + o.nqemu > argv + argc || o.ncommand < 1) usage();
  return o;
}

/* ---- starting QEMU ---- */

static void add_argument(char **argv, int *count, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  if (vasprintf(&argv[*count], format, ap) < 0) fatal("memory");
  va_end(ap);
  ++*count;
}

/* One QEMU character device connected to us. Returns our end; *theirs is QEMU's, inherited across exec. */
static int add_socket(char **argv, int *count, const char *id, int *theirs) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) fatal("socketpair");
  fcntl(pair[0], F_SETFL, O_NONBLOCK);
  *theirs = pair[1];
  add_argument(argv, count, "-chardev");
  add_argument(argv, count, "socket,id=%s,fd=%d", id, pair[1]);
  return pair[0];
}

static void add_port(char **argv, int *count, const char *id, const char *name) {
  add_argument(argv, count, "-device");
  add_argument(argv, count, "virtserialport,chardev=%s,name=%s", id, name);
}

static void start_qemu(void) {
  struct options *o = &vm.opt;
  char **argv = calloc((size_t)o->nqemu + 32, sizeof *argv);
  int count = 0, theirs[4];
  for (; count < o->nqemu; count++) argv[count] = o->qemu[count];
  add_argument(argv, &count, "-device");
  add_argument(argv, &count, "virtio-serial-pci,max_ports=8");
  vm.streams[0].from = add_socket(argv, &count, "out", &theirs[0]);
  vm.streams[1].from = add_socket(argv, &count, "err", &theirs[1]);
  vm.control = add_socket(argv, &count, "control", &theirs[2]);
  vm.console = add_socket(argv, &count, "console", &theirs[3]);
  add_port(argv, &count, "out", VM_PORT_OUT);
  add_port(argv, &count, "err", VM_PORT_ERR);
  add_port(argv, &count, "control", VM_PORT_CONTROL);
  add_argument(argv, &count, "-serial");
  add_argument(argv, &count, "chardev:console");

  pid_t parent = getpid();
  vm.qemu = fork();
  if (vm.qemu < 0) fatal("fork");
  if (vm.qemu == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1); /* it died before we asked */
    setsid();
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) { /* the 9p server keeps what the guest has open */
      files.rlim_cur = files.rlim_max;
      setrlimit(RLIMIT_NOFILE, &files);
    }
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0);
    dup2(2, 1); /* QEMU's own words are diagnostics */
    for (int i = 0; i < 4; i++) fcntl(theirs[i], F_SETFD, 0);
    execvp(argv[0], argv);
    dprintf(2, "error[vm-host]: %s: %s\n", argv[0], strerror(errno));
    _exit(STATUS_FAILED);
  }
  for (int i = 0; i < 4; i++) close(theirs[i]);
}

/* ---- the control port ---- */

static void queue_orders(const void *bytes, size_t count) {
  unsigned char *grown = realloc(vm.orders, vm.orders_bytes + count);
  if (!grown) fatal("memory");
  memcpy(grown + vm.orders_bytes, bytes, count);
  vm.orders = grown;
  vm.orders_bytes += count;
}

static void queue_order(unsigned char order) { queue_orders(&order, 1); }

static void queue_strings(char **strings, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) queue_orders(strings[i], strlen(strings[i]) + 1);
}

/* The start message (protocol.h): where to be, what to mount, what to run. */
static void queue_start(void) {
  struct options *o = &vm.opt;
  char *cwd = getcwd(NULL, 0);
  if (!cwd) fatal("working directory");
  struct vm_start start = {.magic = VM_MAGIC, .shares = (uint32_t)o->nshares, .args = (uint32_t)o->ncommand};
  while (environ[start.envs]) start.envs++;
  queue_orders(&start, sizeof start);
  queue_strings(&cwd, 1);
  queue_strings(o->shares, start.shares);
  queue_strings(o->command, start.args);
  queue_strings(environ, start.envs);
  start.bytes = (uint32_t)(vm.orders_bytes - sizeof start);
  memcpy(vm.orders, &start, sizeof start);
  free(cwd);
}

static void send_orders(void) {
  ssize_t n = send(vm.control, vm.orders, vm.orders_bytes, MSG_NOSIGNAL);
  if (n > 0) {
    vm.orders_bytes -= (size_t)n;
    memmove(vm.orders, vm.orders + n, vm.orders_bytes);
  }
}

/* Ends the wait `after_ms` from now, unless something else ends it earlier. */
static void set_deadline(long long after_ms) {
  long long at = now_ms() + after_ms;
  if (vm.deadline_ms < 0 || at < vm.deadline_ms) vm.deadline_ms = at;
}

static void take_report(void) {
  if (vm.report.magic != VM_MAGIC) return;
  vm.report.text[sizeof vm.report.text - 1] = '\0';
  switch (vm.report.kind) {
    case VM_RUNNING: vm.running = true; break;
    case VM_ENDED:
      vm.ended = true;
      vm.status = vm.report.status;
      vm.promised[0] = vm.report.bytes[0];
      vm.promised[1] = vm.report.bytes[1];
      break;
    case VM_FAILED:
      vm.failed = true;
      error_message("vm-command",
                    "the guest sees the host's files, but has its own /proc /sys /dev and /run; "
                    "--share DIR shows a directory as it is",
                    "%s", vm.report.text);
      queue_order(VM_POWER_OFF);
      set_deadline(POWER_OFF_MS);
      break;
  }
}

static void read_control(void) {
  ssize_t n;
  while ((n = read(vm.control, (char *)&vm.report + vm.report_bytes, sizeof vm.report - vm.report_bytes)) > 0) {
    vm.report_bytes += (size_t)n;
    if (vm.report_bytes == sizeof vm.report) {
      take_report();
      vm.report_bytes = 0;
    }
  }
  if (n == 0) {
    close(vm.control);
    vm.control = -1;
  }
}

/* ---- output ---- */

static void reader_gone(struct stream *s) {
  s->to = -1;
  s->len = 0;
  queue_order(s == &vm.streams[0] ? VM_READER_GONE_OUT : VM_READER_GONE_ERR);
}

static void read_stream(struct stream *s) {
  ssize_t n = read(s->from, s->buffer, sizeof s->buffer);
  if (n > 0) {
    s->head = 0;
    s->len = s->to >= 0 ? (size_t)n : 0;
    s->received += (uint64_t)n;
  } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
    close(s->from);
    s->from = -1;
  }
}

/* Our output may be shared with others, so it is left blocking: pipes get no more than they take at once. */
static void write_stream(struct stream *s) {
  size_t chunk = s->regular || s->len < PIPE_CHUNK ? s->len : PIPE_CHUNK;
  ssize_t n = write(s->to, s->buffer + s->head, chunk);
  if (n > 0) {
    s->head += (size_t)n;
    s->len -= (size_t)n;
  } else if (n < 0 && errno != EINTR && errno != EAGAIN) {
    if (errno != EPIPE) vm.write_problem = errno;
    reader_gone(s);
  }
}

static bool stream_complete(const struct stream *s, uint64_t promised) {
  return s->len == 0 && (s->to < 0 || s->received >= promised);
}

/* ---- the console log ---- */

static const char panic_words[] = "Kernel panic - not syncing";

static void keep_log(const char *text, size_t bytes) {
  if (bytes > LOG_BYTES / 2) text += bytes - LOG_BYTES / 2, bytes = LOG_BYTES / 2;
  if (vm.log_bytes + bytes > LOG_BYTES) {
    size_t drop = LOG_BYTES / 2;
    if (drop > vm.log_bytes) drop = vm.log_bytes;
    vm.log_bytes -= drop;
    memmove(vm.log, vm.log + drop, vm.log_bytes);
  }
  size_t look_from = vm.log_bytes > 64 ? vm.log_bytes - 64 : 0;
  memcpy(vm.log + vm.log_bytes, text, bytes);
  vm.log_bytes += bytes;
  if (!vm.panicked && memmem(vm.log + look_from, vm.log_bytes - look_from, panic_words, sizeof panic_words - 1)) {
    vm.panicked = true;
    set_deadline(POWER_OFF_MS); /* panic=-1 resets the guest; if not, we do */
  }
}

static void read_console(void) {
  char raw[4096], text[4096];
  ssize_t n = read(vm.console, raw, sizeof raw);
  if (n == 0) {
    close(vm.console);
    vm.console = -1;
  }
  size_t bytes = 0;
  for (ssize_t i = 0; i < n; i++)
    if (raw[i] != '\r' && raw[i] != '\0') text[bytes++] = raw[i];
  if (bytes == 0) return;
  keep_log(text, bytes);
  if (vm.opt.verbose) fwrite(text, 1, bytes, stderr);
  if (vm.opt.console_file >= 0 && write(vm.opt.console_file, text, bytes) < 0) vm.opt.console_file = -1;
}

/* The start of the line that is LINES above the one at AT. */
static size_t lines_above(size_t at, int lines) {
  while (at > 0 && (vm.log[at - 1] != '\n' || lines-- > 0)) at--;
  return at;
}

static void print_log_tail(void) {
  if (vm.opt.verbose) return;
  /* What follows a panic is its trace, however long. */
  const char *panic = vm.panicked ? memmem(vm.log, vm.log_bytes, panic_words, sizeof panic_words - 1) : NULL;
  size_t at = panic ? lines_above((size_t)(panic - vm.log), LOG_TAIL_LINES / 4)
                    : lines_above(vm.log_bytes ? vm.log_bytes - 1 : 0, LOG_TAIL_LINES - 1);
  if (at >= vm.log_bytes) {
    fputs("  the guest's kernel log is empty\n", stderr);
    return;
  }
  fputs("  the last lines of the guest's kernel log:\n", stderr);
  while (at < vm.log_bytes) {
    const char *line = vm.log + at, *end = memchr(line, '\n', vm.log_bytes - at);
    size_t length = end ? (size_t)(end - line) : vm.log_bytes - at;
    fprintf(stderr, "  | %.*s\n", (int)length, line);
    at += length + 1;
  }
}

/* ---- signals and the loop ---- */

/* A caller that wants us to end with it, as stap does, has set a signal for its death (PR_SET_PDEATHSIG). */
static bool parent_died(uint32_t signal) {
  int wanted = 0;
  return getppid() != vm.parent && prctl(PR_GET_PDEATHSIG, &wanted) == 0 && (uint32_t)wanted == signal;
}

static void take_signals(int signals) {
  struct signalfd_siginfo info;
  while (read(signals, &info, sizeof info) == sizeof info) {
    if (info.ssi_signo == SIGCHLD) {
      if (waitpid(vm.qemu, NULL, WNOHANG) == vm.qemu) vm.qemu_gone = true;
      continue;
    }
    if (info.ssi_signo == SIGUSR1) { /* asks for nothing to end */
      if (vm.running) queue_order(SIGUSR1);
      continue;
    }
    /* the first ones are for the command; before it runs, or when it does not listen, for the guest */
    if (!vm.running || ++vm.interrupts >= 3) {
      kill_guest();
      exit(128 + (int)info.ssi_signo);
    }
    queue_order((unsigned char)info.ssi_signo);
    if (parent_died(info.ssi_signo)) {
      vm.orphaned = true;
      set_deadline(ORPHAN_MS);
    }
  }
}

static int open_signals(void) {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGINT);
  sigaddset(&mask, SIGTERM);
  sigaddset(&mask, SIGHUP);
  sigaddset(&mask, SIGUSR1);
  sigaddset(&mask, SIGCHLD);
  sigprocmask(SIG_BLOCK, &mask, NULL);
  signal(SIGPIPE, SIG_IGN);
  return signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* Waits for one event of any kind and serves all that are there. Returns false when the deadline has passed. */
static bool serve(int signals) {
  struct stream *s = vm.streams;
  struct pollfd p[8] = {
      {.fd = signals, .events = POLLIN},
      {.fd = vm.console, .events = POLLIN},
      {.fd = vm.control, .events = (short)(POLLIN | (vm.orders_bytes ? POLLOUT : 0))},
  };
  for (int i = 0; i < 2; i++) {
    p[3 + i] = (struct pollfd){.fd = s[i].len ? -1 : s[i].from, .events = POLLIN};
    /* without bytes to write the output is still watched: POLLERR tells that its reader has gone */
    p[5 + i] = (struct pollfd){.fd = s[i].to, .events = s[i].len ? POLLOUT : 0};
  }
  long long wait = vm.deadline_ms < 0 ? -1 : vm.deadline_ms - now_ms();
  if (vm.deadline_ms >= 0 && wait <= 0) return false;
  if (poll(p, 7, (int)(wait > 1000000 ? 1000000 : wait)) < 0) return errno == EINTR;
  if (p[0].revents) take_signals(signals);
  if (p[1].revents) read_console();
  if (p[2].revents & POLLOUT) send_orders();
  if (p[2].revents & (POLLIN | POLLHUP)) read_control();
  for (int i = 0; i < 2; i++) {
    if (p[3 + i].revents) read_stream(&s[i]);
    if (p[5 + i].revents & POLLOUT && s[i].len) write_stream(&s[i]);
    else if (p[5 + i].revents & (POLLERR | POLLHUP | POLLNVAL) && s[i].to >= 0) reader_gone(&s[i]);
  }
  return true;
}

static bool sources_open(void) {
  return vm.streams[0].from >= 0 || vm.streams[1].from >= 0 || vm.control >= 0 || vm.console >= 0 ||
         vm.streams[0].len || vm.streams[1].len;
}

static bool complete(void) {
  return vm.ended && stream_complete(&vm.streams[0], vm.promised[0]) && stream_complete(&vm.streams[1], vm.promised[1]);
}

/* Relays until QEMU has gone and everything it left is read. Returns false when the deadline ended it. */
static bool relay(int signals) {
  while (!vm.qemu_gone || sources_open()) {
    if (complete() && !vm.released) {
      vm.released = true;
      queue_order(VM_POWER_OFF);
      vm.deadline_ms = -1;
      set_deadline(POWER_OFF_MS);
    }
    if (!serve(signals)) return false;
  }
  return true;
}

/* What the guest's fate means for our caller. */
static int judge(bool in_time) {
  if (vm.write_problem)
    error_message("vm-output", NULL, "the command's output could not be written: %s", strerror(vm.write_problem));
  if (complete()) return vm.write_problem && !vm.status ? 1 : vm.status;
  if (vm.panicked) error_message("vm-kernel-panic", NULL, "guest kernel panicked");
  else if (vm.failed) return STATUS_FAILED;
  else if (!in_time && vm.orphaned)
    error_message("vm-orphan", NULL, "the guest was ended: what had started it was killed");
  else if (!in_time)
    error_message("vm-timeout", NULL, "the guest was ended after %lld s (--timeout)", vm.opt.timeout_ms / 1000);
  else if (vm.running) error_message("vm-ended", NULL, "the guest switched itself off before the command ended");
  else error_message("vm-no-boot", NULL, "the guest ended before it could run the command");
  print_log_tail();
  return !in_time && !vm.panicked ? STATUS_TIMEOUT : STATUS_FAILED;
}

int main(int argc, char **argv) {
  vm.opt = parse_options(argc, argv);
  vm.deadline_ms = -1;
  vm.parent = getppid();
  int signals = open_signals();
  for (int i = 0; i < 2; i++) {
    struct stat st;
    vm.streams[i].to = i + 1;
    if (fstat(i + 1, &st) != 0) vm.streams[i].to = -1;
    else vm.streams[i].regular = S_ISREG(st.st_mode);
  }
  queue_start();
  start_qemu();
  if (vm.opt.timeout_ms >= 0) set_deadline(vm.opt.timeout_ms);
  bool in_time = relay(signals);
  kill_guest();
  return judge(in_time);
}
