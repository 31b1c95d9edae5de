#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What mkdir(1) does is seen by all of them, whichever comes first.
set -eu
rm -rf known
"$STAPRUN" -o report -c 'mkdir -m 0750 known' "$MODULE" && "$STAPRUN" -o again -c 'mkdir known' "$MODULE" || true
sort report again >found
for family in syscall nd_syscall tp_syscall; do
  echo "$family.mkdir: mkdir(\"known\", 0750), \"known\" and known, 488"
  echo "$family.mkdir: mkdir(\"known\", 0777), \"known\" and known, 511"
  echo "$family.mkdir.return: mkdir = 0, 0"
  echo "$family.mkdir.return: mkdir = -17 (EEXIST), -17"
done >expected
printf '%s\n' 'syscall_any: 83' 'syscall_any: 83' 'syscall_any.return: 83 = 0' 'syscall_any.return: 83 = -17' >>expected
sort expected | diff - found
