#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that proves its locking stops doing so at the first fault it finds, at boot too: what ran before this test was watched.
[ -r /proc/lockdep_stats ] || { echo "this kernel does not prove its locking"; exit 77; }
grep -q '^ debug_locks: *1$' /proc/lockdep_stats || { grep debug_locks /proc/lockdep_stats; exit 1; }
