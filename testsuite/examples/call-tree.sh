#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# mkdir(2) on tmpfs: shmem_mkdir() in vfs_mkdir(), and shmem_mknod() in that.
. "$SRCDIR/common.inc"

mkdir fs && mount -t tmpfs tmpfs fs
program maker <<'END'
mkdir 'fs/known' or die;
mkdir 'fs/known' and die; # ends before the file system is asked
END
run 'exec perl program.pl'
umount fs
sed -E 's/^ *[0-9]+ /T /; s/\([0-9]+\)/(N)/' report >found
cat >expected <<'END'
maker(N) vfs_mkdir
T   -> shmem_mkdir
T     -> shmem_mknod
T     <- shmem_mknod = return=0x0
T   <- shmem_mkdir = return=0x0
T maker(N) vfs_mkdir done
END
cmp found expected || fail "another tree: $(diff expected found)"
