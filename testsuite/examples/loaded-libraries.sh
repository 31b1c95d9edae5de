#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What /proc/PID/maps has as code is what was told, and one library is loaded while the program runs.
. "$SRCDIR/common.inc"

cat >loader.py <<'END'
import ctypes
open('/proc/self/comm', 'w').write('loader')
ctypes.CDLL('libanl.so.1')
print('pid', __import__('os').getpid())
for line in open('/proc/self/maps'):
    words = line.split()
    if 'x' in words[1] and words[-1].startswith('/') and 'libanl' in words[-1]:
        print('code', words[-1])
END
run 'exec /usr/bin/python3 loader.py'
library=$(told code)
[ -n "$library" ] || fail 'the library is not loaded'
expect "^[0-9:]{8} loader +$(told pid) +[0-9]+ $library\$" 'the library'
expect "^[0-9:]{8} (sh|python3) +$(told pid) +[0-9]+ /usr/lib/x86_64-linux-gnu/libc\.so\.6\$" 'the C library'
