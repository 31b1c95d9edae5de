// SPDX-License-Identifier: GPL-2.0-or-later
// Passes pointers to look() of which the last four can't be read: to a page that is there, to one whose second half is
// not, to nothing, to a page that nobody may read, to one that was given back, and to one that was never touched.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct node {
  long value;
  struct node *next;
};

__attribute__((noinline, noclone)) long look(const char *what, struct node *node) {
  __asm__ volatile("" ::"r"(what), "r"(node));
  return 1;
}

// The text is where it is in memory: that of a literal may still be in the file only.
static void show(const char *what, struct node *node) {
  char name[16];

  snprintf(name, sizeof(name), "%s", what);
  look(name, node);
}

int main(void) {
  const long page = sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 6 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (pages == MAP_FAILED) return 1;
  madvise(pages, 6 * page, MADV_NOHUGEPAGE);  // a kernel without huge pages refuses
  memset(pages, 'x', 5 * page);
  struct node *there = (struct node *)pages, *split = (struct node *)(pages + 2 * page - sizeof(long));
  there->value = 42, there->next = split;
  split->value = 43;
  if (munmap(pages + 2 * page, page) || mprotect(pages + 3 * page, page, PROT_NONE) ||
      madvise(pages + 4 * page, page, MADV_DONTNEED))
    return 1;
  show("there", there);
  show("split", split);
  show("unmapped", (struct node *)(pages + 2 * page));
  show("protected", (struct node *)(pages + 3 * page));
  show("given back", (struct node *)(pages + 4 * page));
  show("untouched", (struct node *)(pages + 5 * page));
  return pages[4 * page] != 0;
}
