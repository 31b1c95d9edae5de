// SPDX-License-Identifier: GPL-2.0-or-later
// A library with thread-local variables and the program that calls it from three threads, loaded from the start or by
// dlopen().
#ifdef LIBRARY
__attribute__((visibility("hidden"))) __thread long filler[3] = {7, 8, 9};
static __thread int calls = 100;

__attribute__((noipa)) int count(int thread) {
  filler[1] += thread;
  return calls += thread;
}
#else
#  include <dlfcn.h>
#  include <pthread.h>
#  include <stddef.h>

static int (*count_of)(int);

static void *run(void *number) {
  for (int i = 0; i < 3; i++) count_of((int)(long)number);
  return NULL;
}

int main(int count, char **arguments) {
  pthread_t threads[3];
  void *library = dlopen(arguments[1], RTLD_NOW);

  count_of = library ? (int (*)(int))dlsym(library, "count") : NULL;
  if (count < 2 || !count_of) return 1;
  for (long i = 0; i < 3; i++) {
    pthread_create(&threads[i], NULL, run, (void *)(i + 1));
    pthread_join(threads[i], NULL);
  }
  return 0;
}
#endif
