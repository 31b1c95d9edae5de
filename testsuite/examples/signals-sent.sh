#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Signals that a process sends to its child: as many as it counts, with both pids; and those of the kernel.
. "$SRCDIR/common.inc"

program signaller <<'END'
my $child = fork // die;
if (!$child) {
  $0 = 'receiver';
  $SIG{USR1} = sub { $got++ };
  open my $ready, '>', 'ready' or die; close $ready;
  select(undef, undef, undef, 0.05) while $got < 7;
  exit 3;
}
select(undef, undef, undef, 0.05) until -e 'ready';
# One signal after the other: a second one that finds the first pending is lost.
for (1..7) { kill 'USR1', $child; select(undef, undef, undef, 0.2) }
kill 'WINCH', $$; # ignored by default
waitpid $child, 0;
print "pids $$ $child\n";
END
run 'exec perl program.pl'
set -- $(told pids)
[ "$(grep -c "^[0-9:]* signaller  *$1 -> receiver  *$2 SIGUSR1  *delivered\$" report)" = 7 ] || fail '7 signals were sent'
expect "signaller +$1 -> signaller +$1 SIGWINCH +ignored\$" 'a signal that is ignored'
expect "^[0-9:]+ kernel +$2 -> signaller +$1 SIGCHLD +(delivered|ignored)\$" 'the end of the child'
expect '^signaller +-> receiver +SIGUSR1 +7$' 'the sum'
