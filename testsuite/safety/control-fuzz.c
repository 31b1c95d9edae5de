// SPDX-License-Identifier: GPL-2.0-or-later
// Loads a script again and again and does to its control file what no staprun does:
// control-fuzz MODULE.ko SECONDS SEED SLOWNESS, of which the last says how many times longer than usual a round is.
//
// Each round is a process with several threads that share one descriptor: every request with every kind of argument,
// mappings of every place, size and protection, whose pages are scribbled on, and polls, in any order. It is killed in
// the midst of that. The module must then be unloadable; whether the kernel complained is for the caller to see.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "abi/record.h"
#include "kernel-text.h"

#define PAGE 4096u
#define THREADS 4
#define MAPPINGS 16
#define ROUND_MS 400
#define UNLOAD_TRIES 1000  // 10 ms each

// What succeeded, in all rounds: so that a fuzzer that only meets refusals is found out.
enum success { STARTED, STOPPED, SIZED, SET, CLOCK, MAPPED, SCRIBBLED, POLLED, SECTION, TOLD, SUCCESSES };
static const char *const success_names[] = {"starts", "stops",     "ring sizes", "globals",  "clocks",
                                            "maps",   "scribbles", "polls",      "sections", "files"};
static unsigned (*successes)[SUCCESSES];  // shared by all processes

static const char *module_file;
static char module[64], control_file[96];
static u64 kernel_text;
static struct stap_ioc_module sections[2];  // of the one module that the script probes
static int control;
static u32 round_ms;                       // at most
static char *writable, *read_only, *half;  // pages for arguments; half's second page is not accessible

static __thread u64 random_state;

static u64 random_u64(void) {
  u64 z = random_state += 0x9e3779b97f4a7c15ull;

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

static u32 below(u32 n) { return (u32)(random_u64() % n); }

// Any number, more often one at which something changes.
static u64 any_number(void) {
  switch (below(4)) {
    case 0: return random_u64();
    case 1: return below(4);
    case 2: return (1ull << below(64)) - below(3);
  }
  return below(1 << 17);
}

// An address for an argument of `size` bytes: good ones, and each kind of bad one.
static char *any_address(u32 size) {
  switch (below(10)) {
    case 0: return NULL;
    case 1: return read_only;
    case 2: return half + PAGE - below(size + 1);
    case 3: return (char *)(uintptr_t)(0xffff800000000000ull + (random_u64() >> 20));
    case 4: return (char *)(uintptr_t)random_u64();
    case 5: return writable + below(64);
  }
  return writable + (u64)below(4) * 1024;
}

static void count(enum success what) { __atomic_fetch_add(&(*successes)[what], 1, __ATOMIC_RELAXED); }

// A request whose argument may be anywhere; what it holds is put there where that can be.
static void ask(unsigned long command, const void *argument, u32 size, enum success what) {
  char *at = any_address(size);

  if (at >= writable && at + size <= writable + PAGE) memcpy(at, argument, size);
  if (!ioctl(control, command, at)) count(what);
}

static void start(void) {
  struct stap_ioc_start s = {
      .kernel_text = below(4) ? kernel_text : any_number(),
      .target_pid = (u32)any_number(),
      .module_count = below(3) ? below(4) : (u32)any_number(),
  };

  s.modules = (u64)(uintptr_t)any_address(sizeof(struct stap_ioc_module));
  if (below(2)) {
    s.modules = (u64)(uintptr_t)sections;
    s.module_count = 2;
  }
  ask(STAP_IOC_START, &s, sizeof(s), STARTED);
}

static void set_global(void) {
  static const char *const names[] = {"number", "text", "counts", "none"};
  struct stap_ioc_global g = {.value_len = (u32)any_number()};

  g.value = (u64)(uintptr_t)any_address(64);
  if (below(4)) {
    strcpy(g.name, names[below(4)]);
    strcpy(writable + 3072, "12345");
    g.value = (u64)(uintptr_t)(writable + 3072);
    g.value_len = below(6);
  } else {
    memset(g.name, (int)below(256), sizeof(g.name));
  }
  ask(STAP_IOC_GLOBAL, &g, sizeof(g), SET);
}

// Which of a script's spaces there are depends on whom it hits.
static void ask_space(void) {
  struct stap_ioc_space s = {.space = below(8), .size = below(2) ? PAGE : (u32)any_number()};
  char *at = any_address(sizeof(s));

  s.buffer = (u64)(uintptr_t)any_address(PAGE);
  if (at >= writable && at + sizeof(s) <= writable + PAGE) memcpy(at, &s, sizeof(s));
  ioctl(control, below(2) ? STAP_IOC_SPACE : STAP_IOC_SPACES, at);
}

// What handlers are to know of a file: whole, or with something wrong in it.
static void tell_file(void) {
  static const char names[] = "/a/path\0a_function";
  struct stap_file_symbol symbols[4] = {{1, 2, 8}, {3, 1, 8}, {8, 100, 8}, {200, 1, 8}};
  struct stap_unwind_rule rules[4] = {
      {.offset = 0, .base = STAP_UNWIND_STACK, .cfa = 8}, {.offset = 9}, {.offset = 20}, {.offset = 30}};
  static int program = -1;  // the script's handlers walk this program's own stack
  struct stap_ioc_user_file f = {.names_size = sizeof(names), .symbol_count = 4, .rule_count = 4};

  if (program < 0) program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  f.fd = program;
  f.names = (u64)(uintptr_t)names;
  f.symbols = (u64)(uintptr_t)symbols;
  f.rules = (u64)(uintptr_t)rules;
  switch (below(10)) {
    case 0: f.fd = (s32)any_number(); break;
    case 1: f.names_size = (u32)any_number(); break;
    case 2: f.symbol_count = (u32)any_number(); break;
    case 3: f.rule_count = (u32)any_number(); break;
    case 4: f.names = (u64)(uintptr_t)any_address(sizeof(names)); break;
    case 5: f.symbols = (u64)(uintptr_t)any_address(sizeof(symbols)); break;
    case 6: f.rules = (u64)(uintptr_t)any_address(sizeof(rules)); break;
    case 7: symbols[below(4)].name = (u32)any_number(); break;
    case 8:
      rules[below(4)] =
          (struct stap_unwind_rule){.offset = (u32)any_number(), .cfa = (s32)any_number(), .base = (u8)any_number()};
  }
  ask(STAP_IOC_USER_FILE, &f, sizeof(f), TOLD);
}

static void request(void) {
  u32 size = below(8) ? below(1 << 18) : (u32)any_number();
  struct stap_ioc_section section = {.index = (u32)any_number()};
  u64 clock;

  switch (below(16)) {
    case 0: start(); break;
    case 1:
      if (!ioctl(control, STAP_IOC_STOP, any_number())) count(STOPPED);
      break;
    case 2:
    case 3:
    case 4: ask(STAP_IOC_RING_SIZE, &size, sizeof(size), SIZED); break;
    case 5: ask(STAP_IOC_SECTION, &section, sizeof(section), SECTION); break;
    case 6: ask(STAP_IOC_CLOCK, &clock, sizeof(clock), CLOCK); break;
    case 7: ioctl(control, STAP_IOC_START ^ (1ul << below(32)), any_address(64)); break;  // another size, another ABI
    case 8: ioctl(control, random_u64(), any_address(64)); break;
    case 9: ask_space(); break;
    case 10: tell_file(); break;
    default: set_global();
  }
}

// --- mappings: a thread's own, in slots ---

struct mapping {
  char *at;
  size_t size;
};

static void map(struct mapping *m) {
  static const int flags[] = {MAP_SHARED, MAP_SHARED, MAP_SHARED, MAP_SHARED | MAP_POPULATE, MAP_PRIVATE};
  u64 pages = below(4) ? 1 + below(64) : 1 + below(1 << 19), offset = below(4) ? below(600) : any_number();
  void *p = mmap(NULL, pages * PAGE, (int)below(8), flags[below(5)], control, (off_t)(offset * PAGE));

  if (p == MAP_FAILED) return;
  count(MAPPED);
  *m = (struct mapping){p, pages * PAGE};
}

// By /proc/self/mem, so that a page that is gone or not writable does not end this process.
static void scribble(const struct mapping *m) {
  static int self = -1;
  u64 words[8];

  if (self < 0) self = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  for (u32 i = 0; i < 8; i++) words[i] = any_number();
  for (u32 i = 0; i < 16; i++) {
    u64 page = below((u32)(m->size / PAGE)), at = below(4) ? below(8) * 8 : below(PAGE - 64);

    if (pwrite(self, words, 8 * (1 + below(8)), (off_t)((uintptr_t)m->at + page * PAGE + at)) > 0) count(SCRIBBLED);
  }
}

static void change_mapping(struct mapping *m) {
  static const int advice[] = {MADV_DONTNEED, MADV_DONTFORK, MADV_WILLNEED, MADV_HUGEPAGE, MADV_DODUMP, MADV_REMOVE};
  void *p;

  if (!m->at) {
    map(m);
    return;
  }
  switch (below(6)) {
    case 0:
      munmap(m->at, m->size);
      m->at = NULL;
      break;
    case 1: mprotect(m->at, m->size, (int)below(8)); break;
    case 2: madvise(m->at, m->size, advice[below(6)]); break;
    case 3:
      p = mremap(m->at, m->size, m->size + PAGE * below(3), MREMAP_MAYMOVE);
      if (p != MAP_FAILED) m->at = p;
      break;
    default: scribble(m);
  }
}

// --- a round ---

static void use_file(void) {
  struct pollfd p = {.fd = control, .events = (short)random_u64()};
  char byte;
  int other;

  switch (below(6)) {
    case 0:
      other = open(control_file, O_RDWR | O_CLOEXEC);
      if (other >= 0) close(other);
      break;
    case 1:
      if (read(control, &byte, 1) > 0 || write(control, "x", 1) > 0) abort();  // it has neither
      break;
    case 2: lseek(control, (off_t)random_u64(), (int)below(4)); break;
    case 3:
      if (!syscall(SYS_delete_module, module, O_NONBLOCK)) abort();  // it is in use
      break;
    default:
      if (poll(&p, 1, (int)below(3)) > 0) count(POLLED);
  }
}

static void *run(void *seed) {
  struct mapping mappings[MAPPINGS] = {0};

  random_state = (u64)(uintptr_t)seed;
  for (;;) {
    switch (below(4)) {
      case 0: use_file(); break;
      case 1: request(); break;
      default: change_mapping(&mappings[below(MAPPINGS)]);
    }
  }
  return NULL;
}

static void round_process(u64 seed) {
  pthread_t thread;

  control = open(control_file, O_RDWR | O_CLOEXEC);
  if (control < 0) {
    perror(control_file);
    _exit(1);
  }
  for (u64 i = 1; i < THREADS; i++) pthread_create(&thread, NULL, run, (void *)(uintptr_t)(seed + i));
  run((void *)(uintptr_t)seed);
}

static void pause_ms(u32 ms) {
  struct timespec t = {ms / 1000, (long)(ms % 1000) * 1000000};

  nanosleep(&t, NULL);
}

static int load(void) {
  int fd = open(module_file, O_RDONLY | O_CLOEXEC);
  int failed = fd < 0 || syscall(SYS_finit_module, fd, "", 0);

  if (failed) perror(module_file);
  close(fd);
  return failed;
}

static int unload(void) {
  for (u32 i = 0; i < UNLOAD_TRIES; i++) {
    if (!syscall(SYS_delete_module, module, O_NONBLOCK)) return 0;
    pause_ms(10);
  }
  perror("the module can't be unloaded");
  return -1;
}

// The process is killed at any time; one that ended before has found a fault.
static int one_round(u64 seed) {
  int status;
  pid_t pid;

  if (load()) return -1;
  pid = fork();
  if (!pid) round_process(seed);
  pause_ms(1 + below(round_ms));
  kill(pid, SIGKILL);
  if (waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) {
    fprintf(stderr, "the process ended with status %#x\n", (unsigned)status);
    return -1;
  }
  return unload();
}

static void find_section(struct stap_ioc_module *m, const char *name, const char *section) {
  unsigned long long address = 0;
  char path[256];
  FILE *f;

  snprintf(path, sizeof(path), "/sys/module/%s/sections/%s", name, section);
  f = fopen(path, "re");
  if (f && fscanf(f, "%llx", &address) != 1) address = 0;
  if (f) fclose(f);
  strcpy(m->name, name);
  strcpy(m->section, section);
  m->address = address;
}

static void make_pages(void) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS;

  writable = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
  read_only = mmap(NULL, PAGE, PROT_READ, flags, -1, 0);
  half = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
  mprotect(half + PAGE, PAGE, PROT_NONE);
  successes = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

int main(int argc, char **argv) {
  const char *base;
  unsigned rounds = 0;
  time_t end;
  u64 seed;

  if (argc != 5) return 2;
  module_file = argv[1];
  base = strrchr(module_file, '/') ? strrchr(module_file, '/') + 1 : module_file;
  snprintf(module, sizeof(module), "%.*s", (int)strcspn(base, "."), base);
  snprintf(control_file, sizeof(control_file), "/proc/" STAP_CONTROL_PREFIX "%s", module);
  end = time(NULL) + atoi(argv[2]);
  seed = strtoull(argv[3], NULL, 0);
  round_ms = ROUND_MS * (u32)atoi(argv[4]);
  printf("seed %llu\n", (unsigned long long)seed);
  fflush(stdout);
  random_state = seed;
  kernel_text = text_address();
  find_section(&sections[0], "virtio_ring", ".note.gnu.build-id");
  find_section(&sections[1], "virtio_ring", ".text");
  make_pages();
  for (; time(NULL) < end; rounds++)
    if (one_round(random_u64())) return 1;
  printf("%u rounds\n", rounds);
  for (u32 i = 0; i < SUCCESSES; i++) printf("%s%s: %u", i ? ", " : "", success_names[i], (*successes)[i]);
  putchar('\n');
  return 0;
}
