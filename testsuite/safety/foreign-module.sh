#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# staprun takes away no module but what a killed staprun of the same user left: not another one's, not one in use, not another
# user's. -d unloads scripts only.
. "$SRCDIR/../staprun/guest.inc"

modprobe dummy || exit 77
"$STAPRUN" -d dummy && fail "-d unloads a module that is no script"
"$STAPRUN" -d no_such && fail "-d of nothing succeeds"
[ -d /sys/module/dummy ] || fail "dummy is gone"

# The script under the name that another module has. A kernel with KASAN has other copies of the name behind zeros.
perl -0777 -pe 's/(\0{24})\Q'"$name"'\E/$1 . "dummy" . "\0" x (length("'"$name"'") - 5)/ge' "$MODULE" >dummy.ko
"$STAPRUN" dummy.ko && fail "it runs in the place of another module"
[ -d /sys/module/dummy ] || fail "dummy is gone"

"$STAPRUN" "$MODULE" >out &
pid=$!
wait_for grep -q started out
"$STAPRUN" "$MODULE" && fail "it runs twice"
"$STAPRUN" -d "$name" && fail "-d unloads a running script"
kill -INT $pid
wait $pid || fail "the first staprun ended with status $?"

open=$(mktemp -d)
chmod 755 "$open"
cp "$MODULE" "$open/script.ko"
setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+sys_module --ambient-caps=+sys_module insmod "$open/script.ko" ||
  fail "a user with CAP_SYS_MODULE can't load"
rm -r "$open"
"$STAPRUN" "$MODULE" && fail "another user's script is replaced"
"$STAPRUN" -d "$name" || fail "root can't unload another user's idle script"

insmod "$MODULE"
"$STAPRUN" -T 1 "$MODULE" || fail "an idle script of the same user is not replaced"
