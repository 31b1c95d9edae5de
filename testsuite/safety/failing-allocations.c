// SPDX-License-Identifier: GPL-2.0-or-later
// Lets each allocation fail in turn that a script's life asks the kernel for: failing-allocations MODULE.ko
//
// The module is loaded without such failures: that is the kernel's own work, and 6.1 keeps a module's name for ever
// when some of it fails. For each later step, and for N = 1, 2, ... the script is led to that step, in which the N-th
// allocation then fails (/proc/thread-self/fail-nth), until the step has none left to fail. The step may succeed all
// the same or fail with ENOMEM; either way the script must end, and its module must be unloadable.
// Prints for each step how many allocations failed, and how often that made the step fail.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "abi/record.h"
#include "kernel-text.h"

#define PAGE 4096u
#define RING_SIZE 65536u
#define UNLOAD_TRIES 1000  // 10 ms each
#define MOST_FAILURES 20000

enum step { OPEN, RINGS, MAP, GLOBAL, START, STOP, STEPS };
static const char *const step_names[] = {"open", "rings", "map", "global", "start", "stop"};

static const char *module_file;
static char module[64], control_file[96];
static u64 kernel_text;
static int control, fail_nth;
static void *mapping;

static int load(void) {
  int fd = open(module_file, O_RDONLY | O_CLOEXEC), rc;

  if (fd < 0) return -1;
  rc = (int)syscall(SYS_finit_module, fd, "", 0);
  close(fd);
  return rc;
}

static int map(void) {
  void *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, control, 0);

  mapping = p == MAP_FAILED ? NULL : p;
  return mapping ? 0 : -1;
}

static int do_step(enum step step) {
  struct stap_ioc_start start = {.kernel_text = kernel_text};
  struct stap_ioc_global global = {.name = "number", .value = (u64)(uintptr_t) "5", .value_len = 1};
  u32 size = RING_SIZE;

  switch (step) {
    case OPEN: return (control = open(control_file, O_RDWR | O_CLOEXEC)) < 0 ? -1 : 0;
    case RINGS: return ioctl(control, STAP_IOC_RING_SIZE, &size);
    case MAP: return map();
    case GLOBAL: return ioctl(control, STAP_IOC_GLOBAL, &global);
    case START: return ioctl(control, STAP_IOC_START, &start);
    case STOP: return ioctl(control, STAP_IOC_STOP);
    case STEPS: break;
  }
  return -1;
}

static _Noreturn void die(const char *what) {
  perror(what);
  exit(1);
}

static void fail_allocation(u32 nth) {
  char text[16];

  if (pwrite(fail_nth, text, (size_t)snprintf(text, sizeof(text), "%u", nth), 0) < 0) die("fail-nth");
}

// How many allocations are still to come before the one that fails; 0: it has failed, or none was asked for.
static unsigned long allocations_left(void) {
  char text[16] = "";

  if (pread(fail_nth, text, sizeof(text) - 1, 0) < 0) die("fail-nth");
  return strtoul(text, NULL, 0);
}

static void unload(void) {
  const struct timespec pause = {0, 10000000};

  for (u32 i = 0; i < UNLOAD_TRIES; i++) {
    if (!syscall(SYS_delete_module, module, O_NONBLOCK)) return;
    nanosleep(&pause, NULL);
  }
  die("the module can't be unloaded");
}

// Returns whether there was an allocation to fail; counts in *failed when the step failed for that.
static int try_step(enum step tried, u32 nth, u32 *failed) {
  int rc, problem, injected;

  control = -1;
  if (load()) die(module_file);
  for (int s = OPEN; s < (int)tried; s++)
    if (do_step((enum step)s)) die(step_names[s]);
  fail_allocation(nth);
  rc = do_step(tried);
  problem = errno;
  injected = !allocations_left();
  fail_allocation(0);
  if (rc && (problem != ENOMEM || !injected)) {
    fprintf(stderr, "%s, allocation %u%s failing: %s\n", step_names[tried], nth, injected ? "" : " not",
            strerror(problem));
    exit(1);
  }
  *failed += rc != 0;
  if (mapping) munmap(mapping, PAGE);
  mapping = NULL;
  if (control >= 0) close(control);
  unload();
  return injected;
}

int main(int argc, char **argv) {
  const char *base;

  if (argc != 2) return 2;
  module_file = argv[1];
  base = strrchr(module_file, '/') ? strrchr(module_file, '/') + 1 : module_file;
  snprintf(module, sizeof(module), "%.*s", (int)strcspn(base, "."), base);
  snprintf(control_file, sizeof(control_file), "/proc/" STAP_CONTROL_PREFIX "%s", module);
  kernel_text = text_address();
  fail_nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
  if (fail_nth < 0) die("fail-nth");
  for (int s = OPEN; s < STEPS; s++) {
    u32 nth = 1, failed = 0;

    while (nth < MOST_FAILURES && try_step((enum step)s, nth, &failed)) nth++;
    printf("%s: %u allocations failed, %u times the step did\n", step_names[s], nth - 1, failed);
    fflush(stdout);
  }
  return 0;
}
