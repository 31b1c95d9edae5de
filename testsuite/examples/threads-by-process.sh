#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program of 12 threads, of which all end, each after at least 10 ms.
. "$SRCDIR/common.inc"

cat >threads.py <<'END'
import threading, time, os
threads = [threading.Thread(target=time.sleep, args=(0.01,)) for i in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print('pid', os.getpid())
END
run 'exec /usr/bin/python3 threads.py'
set -- $(awk -v id="$(told pid)" '$2 == id { print $3, $4, $5, $6 }' report)
[ $# = 4 ] && [ "$1 $2" = '12 12' ] && [ "$3" -ge "$4" ] && [ "$4" -ge 10000 ] || fail "12 threads of 10 ms, the report says '$*'"
