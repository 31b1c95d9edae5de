# SPDX-License-Identifier: GPL-2.0-or-later
# Each kernel example of the language reference compiles, or is refused as the reference says.
set -u
. "$SRCDIR/examples.inc"
[ -n "$STAP_RELEASE" ] || { echo "no kernel headers"; exit 77; }
case $("$STAP" -r "$STAP_RELEASE" -l 'kernel.function("vfs_read")' 2>&1) in *@fs/read_write.c*) ;; *) echo "no debuginfo of the kernel"; exit 77 ;; esac
run_examples "$TOP/doc/language.md" kernel
