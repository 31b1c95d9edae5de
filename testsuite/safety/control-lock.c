// SPDX-License-Identifier: GPL-2.0-or-later
// Does mapping the control file wait for an ioctl whose argument is not in memory yet? control-lock FILE
//
// A page under userfaultfd lets the ioctl's fault last until this program ends it. Mapping takes the process's
// mmap_lock; had the ioctl taken a lock that mapping takes too, the mapping would wait for the ioctl, and ending the
// fault, which takes mmap_lock, for the mapping: a deadlock. So the fault is only ended once the mapping is through.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/record.h"

#define PAGE 4096
#define WAIT_MS 10000

static int control;
static char *absent;  // one page that is not there until it is copied in

// What a thread does, and the pipe by which it says that it is through.
struct task {
  const char *name;
  int (*run)(void);
  int result;
  int done[2];
  pthread_t thread;
};

static void fail(const char *what, const char *name) {
  fprintf(stderr, "%s: %s\n", name, what);
  _exit(1);  // a fault that lasts is ended by the process's end
}

static int ask_section(void) { return ioctl(control, STAP_IOC_SECTION, absent); }

static int set_global(void) { return ioctl(control, STAP_IOC_GLOBAL, absent); }

static int start(void) { return ioctl(control, STAP_IOC_START, absent); }

static int map(void) {
  void *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, control, 0);

  return p == MAP_FAILED ? -1 : munmap(p, PAGE);
}

static int stop(void) {
  ioctl(control, STAP_IOC_STOP);  // refused where the start was: that it returns is what counts
  return 0;
}

static void *run(void *arg) {
  struct task *t = arg;

  t->result = t->run();
  if (write(t->done[1], "", 1) < 0) fail("can't report", t->name);
  return NULL;
}

static void begin(struct task *t) {
  if (pipe(t->done) || pthread_create(&t->thread, NULL, run, t)) fail("no thread", t->name);
}

static void readable(int fd, const char *what, const char *name) {
  struct pollfd p = {.fd = fd, .events = POLLIN};

  if (poll(&p, 1, WAIT_MS) != 1) fail(what, name);
}

static int watch(void) {
  int fault = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
  struct uffdio_api api = {.api = UFFD_API};
  struct uffdio_register area = {.range = {(uintptr_t)absent, PAGE}, .mode = UFFDIO_REGISTER_MODE_MISSING};

  if (fault < 0 || ioctl(fault, UFFDIO_API, &api) || ioctl(fault, UFFDIO_REGISTER, &area)) {
    puts("no userfaultfd here");
    exit(77);
  }
  return fault;
}

// While `faulting` waits for its argument, `other` must be able to run.
static void one_round(int fault, int (*faulting)(void), const char *name, int (*other)(void), const char *other_name) {
  static char page[PAGE] __attribute__((aligned(PAGE)));
  struct task waits = {.name = name, .run = faulting}, goes = {.name = other_name, .run = other};
  struct uffdio_copy copy = {.dst = (uintptr_t)absent, .src = (uintptr_t)page, .len = PAGE};
  struct uffd_msg message;

  if (madvise(absent, PAGE, MADV_DONTNEED)) fail("madvise", name);
  begin(&waits);
  readable(fault, "does not look at its argument", name);
  if (read(fault, &message, sizeof(message)) != sizeof(message) || message.event != UFFD_EVENT_PAGEFAULT)
    fail("no fault", name);
  begin(&goes);
  readable(goes.done[0], "does not return while an ioctl waits for memory", other_name);
  if (goes.result) fail("is refused", other_name);
  if (ioctl(fault, UFFDIO_COPY, &copy)) fail("UFFDIO_COPY", name);
  readable(waits.done[0], "does not return", name);
  pthread_join(waits.thread, NULL);
  pthread_join(goes.thread, NULL);
  close(waits.done[0]), close(waits.done[1]), close(goes.done[0]), close(goes.done[1]);
}

int main(int argc, char **argv) {
  u32 ring_size = 0;
  int fault;

  control = argc == 2 ? open(argv[1], O_RDWR) : -1;
  if (control < 0 || ioctl(control, STAP_IOC_RING_SIZE, &ring_size)) {
    perror("can't open the script");
    return 1;
  }
  absent = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  fault = watch();
  one_round(fault, ask_section, "SECTION", map, "mmap");
  one_round(fault, set_global, "GLOBAL", map, "mmap");
  one_round(fault, start, "START", map, "mmap");  // without addresses: refused
  one_round(fault, set_global, "GLOBAL", stop, "STOP");
  puts("mapping never waits for a fault");
  return 0;
}
