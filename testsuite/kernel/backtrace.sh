#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Kernel stacks in every context: each frame's name is what /proc/kallsyms says, the chains are the known ones, and all
# functions of the stack and symbol tapsets say the same.
set -u
address_of() { awk -v name="$1" -v module="$2" '$3 == name && $4 == module { print $1; exit }' /proc/kallsyms; }

"$STAPRUN" -c 'sh -c "i=0; while [ \$i -lt 20000 ]; do i=\$((i + 1)); done; exec dd if=/dev/zero of=/dev/null bs=1048577 count=300 status=none"' \
  "$MODULE" kernel_address="$(address_of vfs_read '')" module_address="$(address_of p9_client_rpc '[9pnet]')" >out 2>err || {
  echo "staprun ended with status $?: $(cat err)"
  exit 1
}
perl "$SRCDIR/backtrace.pl" out
