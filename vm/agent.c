/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The guest's first process: runs one command, sends its output, takes signals for it, reports its exit status, powers
 * off. */

/* Started by vm/init as process 1, when the host's root is / (so it may be an ordinary dynamic program). Everything it
 * is told comes through the control port (protocol.h). The command writes to pipes rather than to the ports themselves,
 * because a port can be opened only once, and /dev/stdout must work. All waiting is in one poll(): a reader that stalls
 * never delays a signal. */

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol.h"

enum {
  BUFFER_BYTES = 65536,
  PIPE_BYTES = 1 << 20,
  PORT_WAIT_MS = 20000, /* emulated machines are slow, and the ports appear some time after the driver */
};

struct stream {
  int pipe; /* read end of what the command writes; -1 after its end */
  int port; /* virtio port, non-blocking; -1 when the reader has gone */
  size_t head, len;
  uint64_t written;
  long long allowance; /* after the command's end: bytes that were in the pipe then; -1 before */
  unsigned char buffer[BUFFER_BYTES];
};

static struct stream streams[2];
static int control = -1;

/* Last words: nobody to report to, so the kernel's console log gets them. */
static void die(const char *format, ...) {
  va_list ap;
  FILE *kmsg = fopen("/dev/kmsg", "w");
  if (kmsg) {
    va_start(ap, format);
    fputs("<2>stap-vm-agent: ", kmsg);
    vfprintf(kmsg, format, ap);
    va_end(ap);
    fclose(kmsg);
  }
  reboot(RB_POWER_OFF);
  _exit(1);
}

static void send_report(const struct vm_report *report) {
  const char *p = (const char *)report;
  size_t left = sizeof *report;
  while (left) {
    ssize_t n = write(control, p, left);
    if (n < 0 && errno != EINTR && errno != EAGAIN) die("control port: %s\n", strerror(errno));
    if (n > 0) {
      p += n;
      left -= (size_t)n;
    }
  }
}

static void power_off(void) {
  unsigned char byte = 0;
  struct pollfd p = {.fd = control, .events = POLLIN};
  while (byte != VM_POWER_OFF && poll(&p, 1, -1) > 0 && !(p.revents & POLLHUP))
    if (read(control, &byte, 1) < 0 && errno != EINTR && errno != EAGAIN) break;
  reboot(RB_POWER_OFF);
  _exit(0);
}

/* Reports why the command cannot run, then ends the guest. */
static void fail(const char *format, ...) {
  struct vm_report report = {.magic = VM_MAGIC, .kind = VM_FAILED};
  va_list ap;
  va_start(ap, format);
  vsnprintf(report.text, sizeof report.text, format, ap);
  va_end(ap);
  send_report(&report);
  power_off();
}

/* Opens the port whose name is `name`; -1 when there is no such port yet. */
static int find_port(const char *name, int flags) {
  static const char directory[] = "/sys/class/virtio-ports";
  DIR *dir = opendir(directory);
  if (!dir) return -1;
  int fd = -1;
  for (struct dirent *entry; fd < 0 && (entry = readdir(dir));) {
    char path[512], found[64] = "";
    snprintf(path, sizeof path, "%s/%s/name", directory, entry->d_name);
    FILE *f = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
    if (!f) continue;
    if (fgets(found, sizeof found, f)) found[strcspn(found, "\n")] = '\0';
    fclose(f);
    if (strcmp(found, name) != 0) continue;
    snprintf(path, sizeof path, "/dev/%s", entry->d_name);
    fd = open(path, flags | O_CLOEXEC);
  }
  closedir(dir);
  return fd;
}

/* The driver finds its ports after it was loaded: looks until they are there, for a bounded time. */
static int open_port(const char *name, int flags) {
  for (int waited = 0; waited < PORT_WAIT_MS; waited += 10) {
    int fd = find_port(name, flags);
    if (fd >= 0) return fd;
    poll(NULL, 0, 10);
  }
  die("no virtio port named %s\n", name);
  return -1;
}

/* Reads exactly `bytes` from the blocking control port. A port whose host side is not connected yet reads as end of
 * file. */
static void read_fully(void *to, size_t bytes) {
  char *p = to;
  while (bytes) {
    ssize_t n = read(control, p, bytes);
    if (n > 0) {
      p += n;
      bytes -= (size_t)n;
    } else if (n == 0) {
      poll(NULL, 0, 10);
    } else if (errno != EINTR) {
      die("control port: %s\n", strerror(errno));
    }
  }
}

struct request {
  char *cwd, **shares, **argv, **envp;
  uint32_t nshares;
};

static char **take_strings(char **at, const char *end, uint32_t count) {
  char **list = calloc((size_t)count + 1, sizeof *list);
  for (uint32_t i = 0; list && i < count; i++) {
    if (*at >= end) die("the start message is cut short\n");
    list[i] = *at;
    *at += strlen(*at) + 1;
  }
  if (!list) die("out of memory\n");
  return list;
}

static struct request read_request(void) {
  struct vm_start start;
  read_fully(&start, sizeof start);
  if (start.magic != VM_MAGIC) die("not a start message\n");
  char *text = malloc((size_t)start.bytes + 1);
  if (!text) die("out of memory\n");
  read_fully(text, start.bytes);
  text[start.bytes] = '\0';
  char *at = text, *end = text + start.bytes;
  char **cwd = take_strings(&at, end, 1);
  struct request r = {.cwd = cwd[0], .nshares = start.shares};
  r.shares = take_strings(&at, end, start.shares);
  r.argv = take_strings(&at, end, start.args);
  r.envp = take_strings(&at, end, start.envs);
  return r;
}

/* Makes every missing directory of an absolute path, in the guest's own overlay. */
static void make_directories(const char *path) {
  char *copy = strdup(path);
  for (char *p = copy; copy && (p = strchr(p + 1, '/'));) {
    *p = '\0';
    mkdir(copy, 0755);
    *p = '/';
  }
  mkdir(path, 0755);
  free(copy);
}

static void mount_shares(const struct request *r) {
  for (uint32_t i = 0; i < r->nshares; i++) {
    char tag[32];
    snprintf(tag, sizeof tag, "share%u", i);
    make_directories(r->shares[i]);
    /* cache=mmap: writes go to the host at once, and linkers may still map what they write */
    if (mount(tag, r->shares[i], "9p", 0, "trans=virtio,version=9p2000.L,cache=mmap,msize=1048576") != 0)
      fail("cannot mount the shared directory %s: %s", r->shares[i], strerror(errno));
  }
}

/* The caller's PATH may lack what only root uses. */
static void complete_path(void) {
  const char *path = getenv("PATH");
  char *full;
  if (asprintf(&full, "%s%s/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin", path ? path : "",
               path && *path ? ":" : "") > 0)
    setenv("PATH", full, 1);
}

/* Starts the command in a session of its own with its output in the streams' pipes. Returns its process id. */
static pid_t start_command(const struct request *r, const sigset_t *old_mask) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) fail("pipe: %s", strerror(errno));
  pid_t pid = fork();
  if (pid < 0) fail("fork: %s", strerror(errno));
  if (pid == 0) {
    setsid();
    sigprocmask(SIG_SETMASK, old_mask, NULL);
    signal(SIGPIPE, SIG_DFL);
    int null = open("/dev/null", O_RDONLY);
    dup2(null, 0);
    close(null);
    dup2(out[1], 1);
    dup2(err[1], 2);
    environ = r->envp;
    complete_path();
    execvp(r->argv[0], r->argv);
    int error = errno;
    dprintf(2, "stap-vm: %s: %s\n", r->argv[0], strerror(error));
    _exit(error == ENOENT ? 127 : 126);
  }
  close(out[1]);
  close(err[1]);
  int ends[2] = {out[0], err[0]};
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETPIPE_SZ, PIPE_BYTES);
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
    streams[i].pipe = ends[i];
    streams[i].allowance = -1;
  }
  return pid;
}

static void close_pipe(struct stream *s) {
  if (s->pipe >= 0) close(s->pipe);
  s->pipe = -1;
}

/* Moves what can be moved without waiting, from the pipe to the buffer and from the buffer to the port. */
static void pump(struct stream *s) {
  if (s->len == 0 && s->pipe >= 0) {
    size_t want = sizeof s->buffer;
    if (s->allowance >= 0 && (long long)want > s->allowance) want = (size_t)s->allowance;
    ssize_t n = want ? read(s->pipe, s->buffer, want) : 0;
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
      close_pipe(s);
    } else if (n > 0) {
      s->head = 0;
      s->len = (size_t)n;
      if (s->allowance >= 0) s->allowance -= n;
    }
  }
  if (s->len && s->port >= 0) {
    ssize_t n = write(s->port, s->buffer + s->head, s->len);
    if (n > 0) {
      s->head += (size_t)n;
      s->len -= (size_t)n;
      s->written += (uint64_t)n;
    }
  }
}

/* Nobody on the host reads this stream any more: what is left of it is dropped and the command gets SIGPIPE. */
static void reader_gone(struct stream *s) {
  close_pipe(s);
  s->len = 0;
}

static void read_orders(pid_t command) {
  unsigned char orders[64];
  ssize_t n = read(control, orders, sizeof orders);
  for (ssize_t i = 0; i < n; i++) {
    if (orders[i] == VM_READER_GONE_OUT || orders[i] == VM_READER_GONE_ERR)
      reader_gone(&streams[orders[i] - VM_READER_GONE_OUT]);
    else if (command <= 0) continue;
    else if (orders[i] == SIGTERM || orders[i] == SIGUSR1)
      kill(command, orders[i]);                                     /* like kill(1) at the host: the one process */
    else if (orders[i] <= VM_SIGNAL_MAX) kill(-command, orders[i]); /* like a terminal: the whole foreground group */
  }
}

/* Collects every ended child: as process 1 we inherit orphans. Returns true and sets *status when the command is among
 * them. */
static bool reap(pid_t command, int *status) {
  bool ended = false;
  int raw;
  for (pid_t pid; (pid = waitpid(-1, &raw, WNOHANG)) > 0;)
    if (pid == command) {
      ended = true;
      *status = WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
    }
  return ended;
}

/* The command has ended. Others may hold its pipes open: only what is in them now belongs to it. */
static void limit_streams(void) {
  for (int i = 0; i < 2; i++) {
    int left = 0;
    if (streams[i].pipe >= 0 && ioctl(streams[i].pipe, FIONREAD, &left) == 0) streams[i].allowance = left;
  }
}

static bool stream_done(const struct stream *s) { return s->pipe < 0 && s->len == 0; }

/* Relays until the command has ended and all it wrote is sent. Returns its exit status. */
static int relay(pid_t command, int child_events) {
  bool ended = false;
  int status = 0;
  while (!ended || !stream_done(&streams[0]) || !stream_done(&streams[1])) {
    struct pollfd p[6] = {
        {.fd = control, .events = POLLIN},
        {.fd = child_events, .events = POLLIN},
    };
    for (int i = 0; i < 2; i++) {
      struct stream *s = &streams[i];
      p[2 + i] = (struct pollfd){.fd = s->len ? -1 : s->pipe, .events = POLLIN};
      p[4 + i] = (struct pollfd){.fd = s->len ? s->port : -1, .events = POLLOUT};
    }
    /* after the end the pipes hold a known amount, or nothing: no need to wait for them */
    bool idle = !(ended && ((streams[0].pipe >= 0 && !streams[0].len) || (streams[1].pipe >= 0 && !streams[1].len)));
    if (poll(p, 6, idle ? -1 : 0) < 0 && errno != EINTR) die("poll: %s\n", strerror(errno));
    if (p[1].revents) {
      struct signalfd_siginfo info;
      while (read(child_events, &info, sizeof info) > 0)
        ;
      if (reap(command, &status)) {
        ended = true;
        limit_streams();
      }
    }
    if (p[0].revents & POLLIN) read_orders(ended ? 0 : command);
    pump(&streams[0]);
    pump(&streams[1]);
  }
  return status;
}

int main(void) {
  if (getpid() != 1) {
    fputs("stap-vm-agent: runs only as the first process of stap-vm's guest\n", stderr);
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  sigset_t mask, old_mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGCHLD);
  sigprocmask(SIG_BLOCK, &mask, &old_mask);
  int child_events = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);

  control = open_port(VM_PORT_CONTROL, O_RDWR);
  streams[0].port = open_port(VM_PORT_OUT, O_WRONLY | O_NONBLOCK);
  streams[1].port = open_port(VM_PORT_ERR, O_WRONLY | O_NONBLOCK);

  struct request request = read_request();
  mount_shares(&request);
  if (chdir(request.cwd) != 0) fail("cannot enter the working directory %s: %s", request.cwd, strerror(errno));

  pid_t command = start_command(&request, &old_mask);
  fcntl(control, F_SETFL, O_NONBLOCK);
  struct vm_report report = {.magic = VM_MAGIC, .kind = VM_RUNNING};
  send_report(&report);

  report.kind = VM_ENDED;
  report.status = relay(command, child_events);
  report.bytes[0] = streams[0].written;
  report.bytes[1] = streams[1].written;
  sync(); /* shared directories: on the host before the host hears of the end */
  send_report(&report);
  power_off();
}
