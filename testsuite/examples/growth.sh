#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process maps 40 times 1 MiB, unmaps 15 of them, extends its heap by 3 MiB and one mapping by 2 MiB.
. "$SRCDIR/common.inc"

cat >grower.py <<'END'
import ctypes, os
open('/proc/self/comm', 'w').write('grower')
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
call = lambda number, *words: libc.syscall(number, *[ctypes.c_long(word) for word in words])
size = lambda: int(open('/proc/self/statm').read().split()[0]) * 4
before = size()
places = [call(9, 0, 1 << 20, 3, 0x22, -1, 0) for i in range(40)]
for place in places[:15]:
    call(11, place, 1 << 20)
end = call(12, 0)
call(12, end + (3 << 20))
call(25, places[30], 1 << 20, 3 << 20, 1)
print('kib', os.getpid(), size() - before, flush=True)
os._exit(0)
END
run 'exec /usr/bin/python3 grower.py'
set -- $(told kib)
[ "$2" -ge $((30 * 1024)) ] && [ "$2" -lt $((31 * 1024)) ] || fail "the kernel says that the process grew by $2 KiB"
# Python's own few mappings come on top.
awk -v id="$1" '$1 == "grower" && $2 == id {
  exit !($3 >= 40960 && $3 < 43008 && $4 <= -15360 && $4 > -17408 && $5 >= 3072 && $5 < 4096 && $6 == 2048 && $7 == $3 + $4 + $5 + $6)
} END { if (!NR) exit 1 }' report || fail 'other sizes than the process asked for'
expect "^grower +$1 " 'the process'
