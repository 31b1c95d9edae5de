# SPDX-License-Identifier: GPL-2.0-or-later
# With no debuginfo: functions, parameters, types, members and pretty-printing come from BTF in the kernel's image and in modules.
. "$SRCDIR/kernel.inc"
without_debuginfo
stap -L 'kernel.function("vfs_read")'
stap -L 'kernel.function("vfs_read").return'
stap -L 'module("veth").function("veth_xmit")'
stap -l 'module("veth").function("veth_get_*")'
echo "exported: $(stap -l 'kernel.function("*").exported' | wc -l)"

# lowered SCRIPT: the handler's C, without what differs between kernels
lowered() { stap -p3 -e "$1" | grep -E '^		\.function = |\.symbol = |stap_format formats|^	\{\{"'; }
lowered 'probe kernel.function("vfs_read") { println($$parms); println($$vars); println($file$); println($file->f_path$) }'
lowered 'probe kernel.function("vfs_read").return { println($return, @entry($count), $file->f_path->dentry->d_name->len) }'
lowered 'probe kernel.function("vfs_read") { println(@cast($file, "struct file")->f_flags, @cast($pos, "loff_t")) }'
lowered 'probe module("veth").function("veth_xmit") { println($skb->len, $dev->name[0], @defined($skb->no_such_member), @defined($local)) }'
echo "unpacked once: $(find "$cache/btf" -type f | wc -l)"
