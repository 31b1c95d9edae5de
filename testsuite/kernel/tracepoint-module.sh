# SPDX-License-Identifier: GPL-2.0-or-later
# Files made on an ext4 image are counted by the tracepoint in the module, whether or not the module was taken away meanwhile.
. "$SRCDIR/../staprun/guest.inc"
for module in loop ext4; do modprobe $module || exit 77; done
dd if=/dev/zero of=image bs=1M count=8 status=none && mkfs.ext4 -q image || exit 77
mkdir at
cat >work <<'END'
mount -o loop image at && touch at/1 at/2 at/3 at/4 at/5 at/6 at/7 && umount at || exit
modprobe -r ext4 || exit # with the probe attached
grep -q '^ext4 ' /proc/modules && echo "ext4 is still there"
modprobe ext4 && mount -o loop image at && (umask 077 && mkdir at/directory) && touch at/1 at/8 at/9
umount at
END
"$STAPRUN" -c 'sh ./work' "$MODULE"
modprobe -r ext4 && echo "unloaded"
