#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process writes to a pipe what it has to read from a disk that takes 200 ms first; meanwhile it has the pipe's mutex, and
# another one that writes to the pipe has to wait.
. "$SRCDIR/common.inc"

disk nullb7 64 irqmode=2 completion_nsec=200000000
cat >pipes.py <<END
import mmap, os, time
# Only the pages that are asked for: no read-ahead.
disk = os.open('/dev/$disk', os.O_RDONLY)
os.posix_fadvise(disk, 0, 0, os.POSIX_FADV_RANDOM)
memory = mmap.mmap(disk, 1 << 20, mmap.MAP_SHARED, mmap.PROT_READ)
incoming, outgoing = os.pipe()
if os.fork() == 0:
    open('/proc/self/comm', 'w').write('waiter')
    time.sleep(0.05)
    os.write(outgoing, b'small')
    os._exit(0)
os.write(outgoing, memoryview(memory)[4096:8192])
os.wait()
END
run 'exec /usr/bin/python3 pipes.py'
set -- $(sed -n 's/^mutex: \([0-9]*\) waits, \([0-9]*\) us in all, [0-9]* us at most, the last one of waiter([0-9]*)$/\1 \2/p' report | head -n 1)
[ $# = 2 ] && [ "$1" = 1 ] && [ "$2" -ge 50000 ] && [ "$2" -le 1500000 ] || fail "a wait of 150 ms, the report says '$*'"
sed -n '/last one of waiter/,/^[a-z]/p' report | grep -q ' : \(anon_\)\{0,1\}pipe_write+' || fail 'the stack does not show pipe_write()'
