#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process binds itself to processor 0 and to processor 1 twenty times; /proc/PID/sched has the kernel's count.
. "$SRCDIR/common.inc"

[ "$(nproc)" -ge 2 ] || exit 77
program mover <<'END'
sub count { open my $sched, '<', '/proc/self/sched' or die; return join('', <$sched>) =~ /nr_migrations\s*:\s*(\d+)/ ? $1 : die }
sub bind_to { my $mask = pack 'Q', 1 << $_[0]; syscall(203, 0, 8, $mask) >= 0 or die } # sched_setaffinity
bind_to(0);
my $before = count();
for (1..20) { bind_to(1); bind_to(0) }
printf "moves %d %d\n", $$, count() - $before;
END
run 'exec perl program.pl'
set -- $(told moves)
[ "$2" -ge 40 ] || fail "the kernel counted $2 moves"
found=$(awk -v id="$1" '$1 == "mover" && $2 == id { print $3 }' report)
[ -n "$found" ] && [ "$found" -ge "$2" ] && [ "$found" -le $(($2 + 3)) ] || fail "the kernel counted $2 moves, the report says '$found'"
expect "^mover +$1 .* 0 -> 1: (20|21|22) " 'one way'
expect "^mover +$1 .* 1 -> 0: (20|21|22) " 'the other way'
