#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One process holds a lock by flock(2), then one by fcntl(2), for half a second each; another one waits for both.
. "$SRCDIR/common.inc"

cat >locks.py <<'END'
import fcntl, os, time
def name(text): open('/proc/self/comm', 'w').write(text)
for path, lock in (('first', fcntl.flock), ('second', fcntl.lockf)):
    ready, told = os.pipe()
    child = os.fork()
    if child == 0:
        name('holder')
        file = open(path, 'w')
        lock(file, fcntl.LOCK_EX)
        os.write(told, b'x')
        time.sleep(0.5)
        os._exit(0)
    name('waiter')
    os.read(ready, 1)
    file = open(path, 'w')
    lock(file, fcntl.LOCK_EX)
    lock(file, fcntl.LOCK_UN)
    os.waitpid(child, 0)
    print('holder', child)
END
run 'exec /usr/bin/python3 locks.py'
set -- $(told holder)
for file in first second; do
  expect "^holder +$1 +1 +[01] +[0-9]+ +[0-9]+ .* $(pwd -P)/$file\$" "the holder of $file"
  expect "^waiter +[0-9]+ +1 +1 +[3-9][0-9]{5} +[3-9][0-9]{5} holder\($1\) +$(pwd -P)/$file\$" "who waits for $file"
  shift
done
