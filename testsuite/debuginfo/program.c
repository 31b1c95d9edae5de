// SPDX-License-Identifier: GPL-2.0-or-later
// A program whose debuginfo program.sh reads. The comments "function NAME" mark the lines of the declarations.
struct point {
  int x, y;
  struct point *next;
};
static int total = 7;
__attribute__((noinline)) int add(struct point *p, int times) {  // function add
  total += times;
  return p->next->y + p->x * times + total;
}
// Its variable lives on the stack: the address leaves the function.
void fill(struct point *where);                     // no function: only declared here
__attribute__((noinline)) int on_stack(int seed) {  // function on_stack
  struct point local = {seed, seed, &local};
  fill(&local);
  return local.x + local.y;
}
void fill(struct point *where) {  // function fill
  where->x++;
}
int main(int argc, char **argv) {  // function main
  struct point p = {argc, argv[0][0], &p};
  return add(&p, argc) + on_stack(argc) == 12345;
}
