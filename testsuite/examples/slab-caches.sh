#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process opens 400 files, and a child of it holds them until the script has ended.
. "$SRCDIR/common.inc"

{
  echo 'open $file[$_], q(<), q(/dev/null) or die for 1..400;'
  echo "if (!fork) { select(undef, undef, undef, 0.05) while -e '/sys/module/$(basename "$MODULE" .ko)'; exit }"
} | program opener
run 'ulimit -n 1024; exec perl program.pl >workload'
# filp: struct file. Others open and close files meanwhile, and give them back a little later.
set -- $(awk '$1 == "filp" { print $2, $3, $4, $5 }' report)
[ $# = 4 ] && [ "$1" -ge 400 ] && [ "${3#+}" -ge 400 ] && [ "${3#+}" -le 550 ] && [ "$3" = "+$(($1 - $2))" ] || fail "400 files are open, the report says '$*'"
size=$(awk '$1 == "filp" { print $4 }' /proc/slabinfo)
[ "${4#+}" = $((${3#+} * size / 1024)) ] || fail "files of $size bytes, the report says $4 KiB"
