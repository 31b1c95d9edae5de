#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Decoded arguments and results are those that strace prints of the same run of the same program, call by call.
set -eu
command -v strace >/dev/null || { echo "strace is not installed"; exit 77; }

status=0
for family in files memory signals sockets ipc processes; do
  rm -rf "$family" && mkdir "$family"
  (cd "$family" && "$STAPRUN" -o report -c "strace -v -s 300 -o trace ../calls $family" "$MODULE") || echo "$family: staprun: $?"
  perl "$SRCDIR/strace-compare.pl" "$family/trace" "$family/report" >"$family/differences" || {
    status=1
    sed "s/^/$family: /" "$family/differences"
  }
done
exit $status
