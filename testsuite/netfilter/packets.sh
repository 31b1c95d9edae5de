# SPDX-License-Identifier: GPL-2.0-or-later
# The sender knows how many packets there are: in this namespace, in one that is there already, in one that comes.
. "$SRCDIR/../staprun/guest.inc"
perl_packets="ip link set lo up && perl $SRCDIR/packets.pl"
unshare -n sleep 1000 & # a namespace of its own
sleeper=$!
namespace_is_there() { [ "$(readlink /proc/$sleeper/ns/net)" != "$(readlink /proc/self/ns/net)" ]; }
wait_for namespace_is_there
"$STAPRUN" -c "sh -c '$perl_packets 20; nsenter -t $sleeper -n sh -c \"$perl_packets 30\"; unshare -n sh -c \"$perl_packets 50\"'" "$MODULE" ||
  fail "staprun ended with status $?"
kill $sleeper
