#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Files and lines of the kernel's addresses are those that addr2line finds, and without debuginfo they are the addresses.
set -eu
roots=${SYSTEMTAP_DEBUGINFO_PATH:-/usr/lib/debug:${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/stap/debug/usr/lib/debug:/root/.cache/stap/debug/usr/lib/debug}
vmlinux=
for root in $(echo "$roots" | tr : ' '); do
  [ -n "$vmlinux" ] || [ ! -r "$root/boot/vmlinux-$(uname -r)" ] || vmlinux=$root/boot/vmlinux-$(uname -r)
done
run() { "$STAPRUN" -c 'dd if=/etc/debian_version of=/dev/null bs=77 count=1 status=none' "$MODULE" > "$1"; }

SYSTEMTAP_DEBUGINFO_PATH=/nonexistent run without
address=$(sed -n 's/^ \(0x[0-9a-f]*\) : vfs_read+.*/\1/p' without)
[ "$(sed -n 1p without)" = "$address|$address|$address" ] || { echo "without debuginfo: $(cat without)"; exit 1; }
[ -n "$vmlinux" ] || { echo "no debuginfo of the kernel"; exit 77; }

SYSTEMTAP_DEBUGINFO_PATH=$roots run with
sed -n 's/^ \(0x[0-9a-f]*\) : [^(]*+0x.* at \(.*:[0-9]*\)$/\1 \2/p' with > frames
[ "$(wc -l < frames)" -ge 3 ] || { echo "few frames have lines: $(cat with)"; exit 1; }
# The file has the addresses before they were moved. What a call returns to may be the next line's: the call is before.
text=$(awk '$3 == "_stext" { print $1; exit }' /proc/kallsyms)
linked=$(readelf -W -S "$vmlinux" | awk '$2 == ".text" || $3 == ".text" { for (i = 1; i <= NF; i++) if ($i == "PROGBITS") print $(i + 1) }')
first=1
while read -r frame place; do
  at=$(printf '0x%x' $((frame - 0x$text + 0x$linked - (1 - first))))
  first=0
  want=$(addr2line -i -e "$vmlinux" "$at" | tail -n 1 | sed 's/ (discriminator.*//')
  case $want in *"${place#./}") ;; *) echo "$frame is at $place, not $want"; exit 1 ;; esac
done < frames
