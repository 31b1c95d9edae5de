# SPDX-License-Identifier: GPL-2.0-or-later
# A server begins, clients come, call, are told to come back later, and go: as the kernel counts it in /proc.
. "$SRCDIR/nfs.inc"
load_nfs
nfs_calls() { sed -n 's/^rpc \([0-9]*\) .*/\1/p' /proc/net/rpc/nfs; }
server_requests() { sed -n 's/^rpc \([0-9]*\) .*/\1/p' /proc/net/rpc/nfsd; }
procedure() { awk -v place=$(($1 + 3)) '$1 == "proc3" { print $place }' /proc/net/rpc/nfs; }

"$STAPRUN" -o facts "$MODULE" & script=$!
touch facts
wait_for grep -q '^ready' facts
calls=$(nfs_calls) lookups=$(procedure 3) getattrs=$(procedure 1) removes=$(procedure 12)
start_server
requests=$(server_requests)
mount_nfs 3
python3 "$SRCDIR/nfs.py" "$place/v3" 3 >workload || fail "workload: $?"

# The first read of a file with a lease must wait until its holder knows.
echo text >"$place/export/leased"
python3 - "$place/export/leased" "$place/hold" <<'END' & holder=$!
import fcntl, os, signal, sys
fd = os.open(sys.argv[1], os.O_RDWR)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGIO])
fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)
open(sys.argv[2], 'w').close()
signal.sigwait([signal.SIGIO])
fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
END
wait_for test -e "$place/hold"
cat "$place/v3/leased"
wait $holder

# While nobody tells the server what it exports, it drops requests.
kill -STOP "${daemons[1]}"
exportfs -f
cat "$place/v3/leased" & reader=$!
ls "$place/v3" >/dev/null & lister=$!
wait_for grep -q '^dropped' facts
kill -CONT "${daemons[1]}"
wait $reader $lister

# A server of version 4.0 sees whether it can call its client.
mount_nfs 4.0
cat "$place/v4.0/leased"
wait_for grep -q '^asynchronous' facts
umount "$place/v4.0"
# The directory's attributes are asked for now, so that they need not be asked for while it is unmounted.
stat "$place/v3" >/dev/null
sums=$(awk -v place="$place/v3" '
  $1 == "device" { here = $5 == place }
  here && $1 ~ /^[A-Z]+:$/ && NF >= 9 { operations += $2; transmissions += $3; sent += $5; received += $6 }
  END { print operations, transmissions, sent, received }' /proc/self/mountstats)
umount "$place/v3"
calls=$(($(nfs_calls) - calls)) lookups=$(($(procedure 3) - lookups)) getattrs=$(($(procedure 1) - getattrs)) removes=$(($(procedure 12) - removes))
requests=$(($(server_requests) - requests))
cat /proc/net/rpc/nfsd > nfsd
stop_nfs
trap - EXIT
kill -INT $script
wait $script || fail "staprun: $?"

# equal WHAT PROBES KERNEL
equal() { [ "$2" = "$3" ] || echo "$1: the probes say $2, the kernel $3"; }
# total PATTERN FIELD: the sum of that word of the lines
total() { awk -v pattern="^$1" -v field="$2" '$0 ~ pattern { sum += $field } END { print sum + 0 }' facts; }

equal lookups "$(total 'sync 3 LOOKUP' 4)" "$lookups"
equal getattrs "$(total 'sync 1 GETATTR' 4)" "$getattrs"
equal removes "$(total 'sync 12 REMOVE' 4)" "$removes"
equal calls $(($(total 'tasks (100003|100227) ' 4) + $(total 'restarted 100003 ' 4))) "$calls"
equal 'released tasks' "$(total 'tasks (100003|100227) ' 6)" "$(total 'tasks (100003|100227) ' 4)"
equal 'requests processed' "$(total 'processed nfsd ' 5)" "$requests"
equal 'requests answered' "$(total 'processed nfsd ' 7)" "$requests"
equal 'counters of the mount' "$(total 'shut ' 2) $(total 'shut ' 3) $(total 'shut ' 4) $(($(total 'shut ' 5)))" "$sums"
set -- $(sed -n 's/^net //p; s/^rpc //p' nfsd)
equal 'counters of the server' "$(sed -n 's/^destroyed //p' facts)" "100003 nfsd: $1 packets, $4 connections, $5 requests, $7 and $8 bad"
[ "$(total 'received ' 2)" -ge "$requests" ] && [ "$(total 'received ' 4)" -ge "$requests" ] || grep '^received' facts
grep -E '^(client nfs .* as 1:|clone nfs|bound nfs|async [0-9]|restarted|delayed|executed|service|registered|wrong)' facts
sed -n 's/.*\(dropped .*\)/\1/p' facts
