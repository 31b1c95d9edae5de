# SPDX-License-Identifier: GPL-2.0-or-later
# The disk's own statistics (/sys/block/nullb0/stat) grow as the probes count; the workload knows what it read and wrote.
. "$SRCDIR/../staprun/guest.inc"
modprobe null_blk memory_backed=1 gb=1 && modprobe ext4 || exit 77
mkfs.ext4 -q -O ^has_journal -E lazy_itable_init=0 /dev/nullb0 && mkdir at && mount /dev/nullb0 at || exit 77
sync
"$STAPRUN" -c "perl $SRCDIR/files.pl at/file nullb0" -o script "$MODULE" >workload || fail "staprun ended with status $?"
grep -v '^disk: ' script
head -1 workload
kernel=$(tail -1 workload) probes=$(sed -n 's/^disk: //p' script)
[ "$probes" = "$kernel" ] || printf 'the disk: %s\nthe probes: %s\n' "$kernel" "$probes"
umount at
