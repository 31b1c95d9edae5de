#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Mapping the control file and its ioctls don't wait for each other's memory: no deadlock of its lock with mmap_lock.
. "$SRCDIR/../staprun/guest.inc"

insmod "$MODULE" || fail "the module does not load"
"$BUILD/testsuite/safety/control-lock" "/proc/stap_$name"
status=$?
rmmod "$name"
exit $status
