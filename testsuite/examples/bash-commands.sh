#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Three lines for a bash on a pseudo terminal.
. "$SRCDIR/common.inc"

cat >typist.py <<'END'
import os, pty, time
child, terminal = pty.fork()
if child == 0:
    os.execv('/bin/bash', ['bash', '--norc', '--noprofile', '-i'])
# readline asks for the line only when the prompt is there.
for line in (b'echo known text\r', b'cd /tmp\r', b'exit\r'):
    text = b''
    while not text.rstrip().endswith((b'#', b'$')):
        text += os.read(terminal, 1000)
        text = text.replace(b'\x1b[?2004h', b'')
    os.write(terminal, line)
try:
    while os.read(terminal, 1000):
        pass
except OSError:
    pass
os.waitpid(child, 0)
print('pid', child)
END
run 'exec timeout 60 /usr/bin/python3 typist.py'
id=$(told pid)
for line in 'echo known text' 'cd /tmp' 'exit'; do
  expect "^[0-9:]{8} +0 +$id $line\$" "$line"
done
[ "$(wc -l <report)" = 4 ] || fail 'three lines were typed'
