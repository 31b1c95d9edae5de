#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Who may open and start a loaded script: whoever loaded it, with CAP_PERFMON or CAP_SYS_ADMIN of the initial user namespace.
. "$SRCDIR/../staprun/guest.inc"

open=$(mktemp -d) # other users may not reach the scratch directory
chmod 755 "$open"

# Opens the script, or takes it at descriptor 3, and asks for a start without addresses. Says how far it came. A module whose file
# was closed after such a try has no second one.
cat >"$open/try.pl" <<'END'
my $file;
if ($ARGV[0] eq "-") { open($file, "+<&=", 3) or die; }
elsif (!open($file, "+<", $ARGV[0])) { print "not opened: $!\n"; exit; }
my $request = "\0" x 56;
print ioctl($file, 0x40385301, $request) ? "started\n" : "not started: $!\n";
END
file=/proc/stap_$name
none='--bounding-set=-all --inh-caps=-all'

insmod "$MODULE" || fail "the module does not load"
echo "root: $(perl "$open/try.pl" $file)"
echo "no capability: $(setpriv $none perl "$open/try.pl" $file)"
echo "perfmon only: $(setpriv --bounding-set=-all,+perfmon --inh-caps=-all perl "$open/try.pl" $file)"
echo "sys_admin only: $(setpriv --bounding-set=-all,+sys_admin --inh-caps=-all perl "$open/try.pl" $file)"
echo "root of another user namespace: $(unshare --user --map-root-user perl "$open/try.pl" $file)"
caps=+perfmon,+sys_admin,+dac_override
echo "another user, all capabilities: $(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=$caps \
  --ambient-caps=$caps perl "$open/try.pl" $file)"
exec 3<>$file
echo "passed on to no capability: $(setpriv $none perl "$open/try.pl" -)"
echo "passed on to another user: $(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=$caps --ambient-caps=$caps \
  perl "$open/try.pl" -)"
exec 3>&-
rmmod "$name"

# A user who may load modules is the one who may open this one, and root is not.
cp "$MODULE" "$open/script.ko"
load=+sys_module,+perfmon
setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=$load --ambient-caps=$load insmod "$open/script.ko" ||
  fail "a user with CAP_SYS_MODULE can't load"
echo "loaded by another user, that user: $(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=$load \
  --ambient-caps=$load perl "$open/try.pl" $file)"
echo "loaded by another user, root: $(perl "$open/try.pl" $file)"
rmmod "$name"
rm -r "$open"
