// SPDX-License-Identifier: GPL-2.0-or-later
// A kernel module whose functions the tests of this directory probe. Writing a number to its parameter `run` calls
// them, and it counts itself what a script should see. Tests find its lines by their comments.
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

static int odd, even, runs, started;
module_param(odd, int, 0444);
module_param(even, int, 0444);
module_param(runs, int, 0444);
module_param(started, int, 0444);

static noinline void leaf(int n) {
  WRITE_ONCE(runs, READ_ONCE(runs) + (n < 0));
  barrier();
}

static __always_inline void tally(int n) {
  int twice = n * 2;

  leaf(twice);  // line in-copy
  barrier();
}

static noinline int work(int n) {
  volatile int sum = 0;
  int i;

  for (i = 0; i < n; i++) {
    if (i & 1) {
      WRITE_ONCE(odd, READ_ONCE(odd) + 1);  // line odd
      tally(i);
    } else {
      WRITE_ONCE(even, READ_ONCE(even) + 1);
      leaf(i);  // line even
    }
    sum += i;
  }
  if (sum > 1000000) goto out;
  leaf(sum);  // line after-loop
out:
  barrier();
  WRITE_ONCE(runs, READ_ONCE(runs) + 1);
  return sum + n;
}

int work_shared(int n);
noinline int work_shared(int n) {
  barrier();
  return n + 1;
}
EXPORT_SYMBOL_GPL(work_shared);

static noinline void unprobed(void) { barrier(); }
NOKPROBE_SYMBOL(unprobed);

static noinline noinstr void uninstrumented(void) { barrier(); }

static int run(const char *value, const struct kernel_param *parameter) {
  int n, rc = kstrtoint(value, 10, &n);

  if (!rc) {
    leaf(-1000);  // another caller
    work(n);
    WRITE_ONCE(runs, READ_ONCE(runs) - 1);  // leaf's
    work_shared(n);
    unprobed();
    uninstrumented();
  }
  return rc;
}

static const struct kernel_param_ops run_ops = {.set = run};
module_param_cb(run, &run_ops, NULL, 0200);

static noinline int __init begin_work(int n) {
  WRITE_ONCE(started, READ_ONCE(started) + n);
  barrier();
  return 0;
}

static int __init work_init(void) {
  begin_work(1);
  begin_work(2);
  return work(3) < 0;
}

static void __exit work_exit(void) {
  work(1);
  pr_info("work ends: runs %d, odd %d, started %d\n", runs, odd, started);
}

module_init(work_init);
module_exit(work_exit);
MODULE_DESCRIPTION("Functions to be probed");
MODULE_LICENSE("GPL");
