#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A child that is waited for after a second, one that is not until the end, and one at once.
. "$SRCDIR/common.inc"

program careless <<'END'
sub child { my $name = shift; my $id = fork // die; if (!$id) { $0 = $name; exit } return $id }
my ($never, $late) = (child('never'), child('late'));
waitpid child('soon'), 0;
select(undef, undef, undef, 1);
waitpid $late, 0;
open my $stat, '<', "/proc/$never/stat";
my ($state) = <$stat> =~ /^.*\) (\S)/;
print "state $state\npids $$ $never $late\n";
END
run 'perl program.pl'
[ "$(told state)" = Z ] || fail 'the kernel does not say that the process is a zombie'
set -- $(told pids)
expect "^careless +$1 -> late +$3 +[0-9]+m1\.[0-9]+s\$" 'the child that is waited for late'
expect "^careless +$1 -> never +$2 " 'the child that is never waited for'
