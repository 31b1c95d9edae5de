# SPDX-License-Identifier: GPL-2.0-or-later
# What BTF can't answer, or must not be trusted in, is refused with the reason, and with where an answer can be had.
. "$SRCDIR/kernel.inc"
without_debuginfo
try() { stap -p2 -e "$1" 2>&1 | grep -E '^error|note:|hint:' | sed "s|$STAP_RELEASE|RELEASE|g"; }
try 'probe kernel.function("vfs_read").inline { }'
try 'probe kernel.function("vfs_read@fs/read_write.c") { }'
try 'probe kernel.function("vfs_read") { println($$locals) }'
try 'probe kernel.function("vfs_read") { println($ret) }'
try 'probe kernel.function("vfs_read").return { println($nothing) }'
try 'probe kernel.function("vfs_read").return { println($coutn) }'
try 'probe kernel.function("vfs_read") { println(@var("jiffies", "kernel")) }'
try 'probe kernel.function("vfs_raed") { }'
try 'probe kernel.function("sys_open") { }'
try 'probe kernel.function("start_kernel") { }'
try 'probe kernel.function("memcpy") { }'
try 'probe kernel.function("finish_task_switch") { }'
try 'probe kernel.function("finish_task_switch.isra.0") { }'
try 'probe kernel.function("type_show") { }'
try 'probe kernel.function("entry_SYSCALL_64") { }'
try 'probe module("veth").function("no_such_function") { }'
