#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A text with a new line and an escape sequence, on a pseudo terminal.
. "$SRCDIR/common.inc"

cat >terminal.py <<'END'
import os, pty
master, slave = pty.openpty()
print('name', os.path.basename(os.ttyname(slave)))
open('/proc/self/comm', 'w').write('typist')
os.write(slave, b'first line\n')
os.write(slave, b'\x1b[1mbold "text"\x1b[0m')
END
run 'exec /usr/bin/python3 terminal.py'
name=$(told name)
expect "^[0-9:]{8} $name typist\([0-9]+\): \"first line\\\\n\"\$" 'the first text'
expect "^[0-9:]{8} $name typist\([0-9]+\): \"\\\\033\[1mbold \\\\\"text\\\\\"\\\\033\[0m\"\$" 'the second text'
