#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each write to a pseudo terminal has its other side's line discipline fed by flush_to_ldisc(), which is work.
. "$SRCDIR/common.inc"

cat >terminal.py <<'END'
import os, pty, tty
master, slave = pty.openpty()
tty.setraw(slave)
for i in range(80):
    os.write(slave, b'x')
    os.read(master, 1)
END
run 'exec /usr/bin/python3 terminal.py'
set -- $(awk '$1 == "flush_to_ldisc" { print $2, $3, $4, $5, $6 }' report)
[ $# = 5 ] && [ "$1" -ge 80 ] && [ "$1" -le 90 ] && [ "$2" -le "$3" ] && [ "$4" -le "$5" ] && [ "$3" -lt 1000000 ] || fail "80 pieces of work, the report says '$*'"
