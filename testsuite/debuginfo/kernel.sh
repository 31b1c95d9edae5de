# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's own functions: parameters, inlined copies, what can't be probed.
[ -n "$STAP_RELEASE" ] || { echo "no kernel headers"; exit 77; }
out=$("$STAP" -r "$STAP_RELEASE" -L 'kernel.function("vfs_read").call' 2>&1)
case $out in *no-debuginfo*) echo "no debuginfo of the kernel"; exit 77 ;; esac
echo "$out"
"$STAP" -r "$STAP_RELEASE" -p2 -e 'probe kernel.function("vfs_read").return { println($return, $count, $file->f_path->dentry->d_name->len) }' | grep '^kernel'
"$STAP" -r "$STAP_RELEASE" -p2 -e 'probe kernel.function("start_kernel") { }' 2>&1 | grep -E '^error|note:'
