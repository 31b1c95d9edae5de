#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# setresuid and setresgid with known numbers, and back.
. "$SRCDIR/common.inc"

program changer <<'END'
syscall(119, 0, 4321, 0) == 0 or die; # setresgid
syscall(117, 0, 1234, 0) == 0 or die; # setresuid
syscall(117, 0, 0, 0) == 0 or die;
syscall(117, 1234, 1234, 1234) == 0 or die;
syscall(117, 1234, 1234, 1234) == 0 or die; # changes nothing
syscall(117, 0, 0, 0) == -1 or die; # is refused
END
run 'exec perl program.pl'
awk '$2 == "changer" { print $4, $5, $7 }' report >found
cat >expected <<'END'
group 0/0/0 0/4321/0
user 0/0/0 0/1234/0
user 0/1234/0 0/0/0
user 0/0/0 1234/1234/1234
END
cmp found expected || fail "other changes: $(diff expected found)"
