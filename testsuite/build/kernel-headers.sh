# SPDX-License-Identifier: GPL-2.0-or-later
# Embedded C with kernel headers and other kernel symbols goes through kbuild; without kbuild such symbols are an error.
. "$SRCDIR/common.inc"

cp script.c plain.c
{ echo '#include <linux/module.h>'; echo '#include <linux/slab.h>'; cat plain.c
  echo 'int embedded(void); int embedded(void) { return sysfs_streq(THIS_MODULE->name, "x"); }'; } > script.c
build cache headers.ko -e || fail "with headers"
nm -u headers.ko | grep -o 'sysfs_streq'
PATH=$PATH:/usr/sbin modinfo -F name headers.ko

{ cat plain.c; echo 'int sysfs_streq(const char *, const char *); int embedded(void) { return sysfs_streq("a", "b"); }'; } > script.c
build cache symbol.ko > log 2>&1 && fail "an unknown symbol"
cat log
