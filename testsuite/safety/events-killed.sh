# SPDX-License-Identifier: GPL-2.0-or-later
# staprun is killed while files are read and all probes are hit: nothing stays, and the next run finds all as it was.
. "$SRCDIR/../staprun/guest.inc"
ip link set lo up
file=/proc/stap_$name.d/counts
answers() { cat $file; }
gone() { [ ! -e /proc/stap_"$name".d ]; }
perl -e 'use IO::Socket::INET; $s = IO::Socket::INET->new(Proto => "udp", PeerAddr => "127.0.0.1", PeerPort => 9);
         while (1) { $s->send("x"); $p = "\0" x 40960 }' &
load="$!"
while :; do cat $file; echo 3 >$file; echo 0 >/proc/sys/kernel/panic; done >/dev/null 2>&1 &
load="$load $!"
for round in 1 2 3; do
	"$STAPRUN" "$MODULE" >out 2>err &
	pid=$!
	wait_for answers >/dev/null 2>&1
	exec 7<$file # stays open
	kill -KILL $pid
	wait $pid
	wait_for gone
	read -r x <&7 && fail "a file of a script that has ended gave '$x'"
	exec 7<&-
	"$STAPRUN" -d "$name" || fail "the module can't be unloaded"
	echo "round $round"
done 2>/dev/null
kill $load
wait $load 2>/dev/null
true
