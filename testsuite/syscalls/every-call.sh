# SPDX-License-Identifier: GPL-2.0-or-later
# Every system call that the kernel's headers have a number for is in the table, each alias that the kernel has a function for is
# listed with its variables, and the whole table parses, with a value of its own for what was left out of the lists.
headers=$(find "/lib/modules/$STAP_RELEASE/build/" /usr/include/x86_64-linux-gnu/asm -name unistd_64.h 2>/dev/null | head -n 1)
[ -n "$headers" ] || { echo "no asm/unistd_64.h"; exit 77; }

# Numbers that no kernel of today serves.
unserved='create_module get_kernel_syms query_module nfsservctl getpmsg putpmsg afs_syscall tuxcall security epoll_ctl_old epoll_wait_old vserver'
status=0
while read -r name number; do
  case " $unserved " in *" $name "*) continue ;; esac
  grep -q "^$number " "$TOP/tapsets/syscalls.table" || { echo "$name ($number) is not in the table"; status=1; }
done <<LIST
$(sed -n 's/^#define __NR_\([a-z_0-9]*\) \([0-9]*\)$/\1 \2/p' "$headers")
LIST

for family in syscall nd_syscall tp_syscall; do
  "$STAP" -r "$STAP_RELEASE" -L "$family.*" >"$family.list" || exit 1
  count=$(grep -c ' name:string.* argstr:string$' "$family.list")
  [ "$count" -ge 330 ] || { echo "$family.* lists $count aliases only"; status=1; }
  [ "$count" = "$(wc -l <"$family.list")" ] || { echo "not all have name and argstr:"; grep -v argstr "$family.list"; status=1; }
  "$STAP" -r "$STAP_RELEASE" -p2 -e "probe $family.*.return { println(name, retval, retstr) }" >out || { cat out; exit 1; }
done
# By thought, of the manual: what openat and connect have.
grep -qx 'syscall.openat name:string dfd:long dfd_str:string filename_uaddr:long filename:string filename_unquoted:string flags:long flags_str:string mode:long argstr:string' syscall.list ||
  { grep openat syscall.list; status=1; }
# A kind that is not defined would be a parameter that nobody sees.
awk '/^kind / { sub(/:$/, "", $2); kinds[$2] = 1 }
     /^[-0-9]/ { for (i = 4; i <= NF; i++) if ($i !~ /^@/) { split($i, part, /[=:]/); if (!(part[2] in kinds)) { print "no kind " part[2] ": " $0; bad = 1 } } }
     END { exit bad }' "$TOP/tapsets/syscalls.table" || status=1
exit $status
