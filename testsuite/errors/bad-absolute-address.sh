# SPDX-License-Identifier: GPL-2.0-or-later
# An address where the process has nothing; the process is this shell.
"$STAP" -p2 -e "probe process($$).statement(0x10).absolute { println(1) }" 2>&1 | sed -n "s/$$/PID/; 1p"
