# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's own functions: parameters, inlined copies, what can't be probed.
. "$SRCDIR/kernel.inc"
need_debuginfo
stap -L 'kernel.function("vfs_read").call'
stap -p2 -e 'probe kernel.function("vfs_read").return { println($return, $count, $file->f_path->dentry->d_name->len) }' | grep '^kernel'
stap -p2 -e 'probe kernel.function("start_kernel") { }' 2>&1 | grep -E '^error|note:'
stap -p2 -DMAXSTRINGLEN=4096 -e 'probe kernel.function("vfs_read").return { println(@entry(execname())) }' 2>&1 | grep -E '^error|hint:'
