// SPDX-License-Identifier: GPL-2.0-or-later
// Two threads and a mutex: one takes it COUNT times for MS milliseconds, the other waits for it each time: locker COUNT
// MS. Prints where the mutex is, and the pid.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t taken, done;
static int count;

static __attribute__((noinline)) void take_lock(void) {
  pthread_mutex_lock(&lock);
  __asm__ volatile("");
}

static __attribute__((noinline)) void *waiter(void *nothing) {
  for (int i = 0; i < count; i++) {
    sem_wait(&taken);
    take_lock();
    pthread_mutex_unlock(&lock);
    sem_post(&done);
  }
  return nothing;
}

int main(int words, char **word) {
  if (words < 3) return 2;
  count = atoi(word[1]);
  useconds_t us = (useconds_t)atoi(word[2]) * 1000;
  printf("lock %#lx\npid %d\n", (unsigned long)&lock, getpid());
  sem_init(&taken, 0, 0);
  sem_init(&done, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  for (int i = 0; i < count; i++) {
    pthread_mutex_lock(&lock);
    sem_post(&taken);
    usleep(us);
    pthread_mutex_unlock(&lock);
    sem_wait(&done);
  }
  return pthread_join(thread, NULL);
}
