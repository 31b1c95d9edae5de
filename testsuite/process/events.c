// SPDX-License-Identifier: GPL-2.0-or-later
// A program whose processes, threads and system calls are known.
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *thread(void *unused) { return unused; }

static void start_thread(void) {
  pthread_t t;

  if (!pthread_create(&t, NULL, thread, NULL)) pthread_join(t, NULL);
}

static void end_child(pid_t child) { waitpid(child, NULL, 0); }

// By the gate for 32-bit programs: getpid, whose arguments are ignored.
static long old_getpid(void) {
  long number = 20;

  __asm__ volatile("push %%rbp; mov $6, %%ebp; int $0x80; pop %%rbp"
                   : "+a"(number)
                   : "b"(1), "c"(2), "d"(3), "S"(4), "D"(-5)
                   : "r8", "r9", "r10", "r11", "memory");
  return number;
}

static void make_calls(void) {
  for (int i = 0; i < 1000; i++) syscall(SYS_getppid);
  syscall(SYS_kill, 0x7ffffff1, 0, 3, 4, 5, -6);
  if (old_getpid() != getpid()) _exit(1);
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "";
  pid_t child;
  char byte;

  if (!strcmp(what, "wait")) return read(0, &byte, 1) < 0;
  if (!strcmp(what, "nothing")) return 0;
  if (!strcmp(what, "calls")) make_calls();
  if (*what) return 0;
  start_thread();
  start_thread();
  child = fork();
  if (!child) _exit(3);
  end_child(child);
  child = vfork();
  if (!child) {
    execl("./other", "other", "nothing", NULL);
    _exit(4);
  }
  end_child(child);
  execl("./events", "events", "nothing", NULL);
  return 5;
}
