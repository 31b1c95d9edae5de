// SPDX-License-Identifier: GPL-2.0-or-later
// Keeps the guest busy while the stress attaches and detaches: load WORKERS SEED
//
// Each worker is a process that does one random thing after the other, with pauses, so that others get the processors
// too. Ends, with its workers, on SIGTERM. What fails is not looked at.
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned long chance;

static unsigned below(unsigned n) {
  chance = chance * 6364136223846793005ul + 1442695040888963407ul;
  return (unsigned)(chance >> 33) % n;
}

// Calls whose results don't matter are made through this, since the C library wants them looked at.
static void whatever(long result) { (void)result; }

static void processes(void) {
  pid_t child = fork();

  if (child == 0) {
    if (below(3) == 0) execl("/bin/true", "true", (char *)NULL);
    _exit(0);
  }
  if (child > 0) waitpid(child, NULL, 0);
}

static void page_faults(void) {
  size_t size = (1 + below(64)) * 4096;
  char *area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (area == MAP_FAILED) return;
  for (size_t at = 0; at < size; at += 4096) area[at] = 1;
  mprotect(area, size / 2, PROT_READ);
  madvise(area, size, MADV_DONTNEED);
  munmap(area, size);
}

static void files(void) {
  char text[512];
  struct stat st;
  int file = open("/proc/self/stat", O_RDONLY);

  if (file >= 0) {
    whatever(read(file, text, sizeof(text)));
    close(file);
  }
  stat("/usr/bin", &st);
  file = open("/dev/zero", O_RDONLY);
  if (file >= 0) {
    for (int i = 0; i < 50; i++) whatever(read(file, text, sizeof(text)));
    close(file);
  }
}

static void pipes(void) {
  int ends[2];
  char text[256] = "";
  struct pollfd ready;

  if (pipe(ends)) return;
  ready = (struct pollfd){.fd = ends[0], .events = POLLIN};
  for (int i = 0; i < 20; i++) {
    whatever(write(ends[1], text, sizeof(text)));
    poll(&ready, 1, 0);
    whatever(read(ends[0], text, sizeof(text)));
  }
  close(ends[0]);
  close(ends[1]);
}

static void packets(void) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof(to);
  int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);
  char text[400] = "";

  if (in >= 0 && out >= 0 && !bind(in, (struct sockaddr *)&to, length) &&
      !getsockname(in, (struct sockaddr *)&to, &length))
    for (int i = 0; i < 20; i++) {
      whatever(sendto(out, text, sizeof(text), MSG_DONTWAIT, (struct sockaddr *)&to, length));
      whatever(recv(in, text, sizeof(text), MSG_DONTWAIT));
    }
  close(in);
  close(out);
}

static void on_alarm(int signal) { (void)signal; }

static void timers(void) {
  struct itimerval soon = {.it_value.tv_usec = 1 + below(500)};
  struct timespec while_waiting = {.tv_nsec = 1000000};

  setitimer(ITIMER_REAL, &soon, NULL);
  nanosleep(&while_waiting, NULL);
  kill(getpid(), SIGALRM);
}

static void *contend(void *lock) {
  for (int i = 0; i < 100; i++) {
    pthread_mutex_lock(lock);
    sched_yield();
    pthread_mutex_unlock(lock);
  }
  return NULL;
}

static void threads(void) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_t ids[2];
  int made = 0;

  while (made < 2 && !pthread_create(&ids[made], NULL, contend, &lock)) made++;
  while (made > 0) pthread_join(ids[--made], NULL);
}

static void work(unsigned long seed) {
  static void (*const kinds[])(void) = {processes, page_faults, files, pipes, packets, timers, threads};

  chance = seed;
  signal(SIGALRM, on_alarm);
  for (;;) {
    struct timespec pause = {.tv_nsec = below(60) * 1000000};

    for (unsigned i = 1 + below(5); i > 0; i--) kinds[below(sizeof(kinds) / sizeof(kinds[0]))]();
    nanosleep(&pause, NULL);
  }
}

int main(int argc, char **argv) {
  int workers = argc == 3 ? atoi(argv[1]) : 0;
  sigset_t end;
  int received;

  if (workers < 1) {
    fprintf(stderr, "usage: load WORKERS SEED\n");
    return 2;
  }
  sigemptyset(&end);
  sigaddset(&end, SIGTERM);
  sigprocmask(SIG_BLOCK, &end, NULL);
  setpgid(0, 0);
  for (int i = 0; i < workers; i++)
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      work(strtoul(argv[2], NULL, 10) + (unsigned long)i);
    }
  sigwait(&end, &received);
  kill(0, SIGKILL);
  return 0;
}
