# SPDX-License-Identifier: GPL-2.0-or-later
# One perl runs before the script starts and is none of the target's, and another is a child of its command.
. "$SRCDIR/../staprun/guest.inc"
cat >touch.pl <<'PERL'
$0 = shift;
open my $ready, '>', "$0.ready";
select undef, undef, undef, 0.01 until -e 'go';
my $pages = "\0" x (300 * 4096);
PERL
perl touch.pl early &
wait_for test -e early.ready
"$STAPRUN" -c "bash $SRCDIR/program-workload $!" "$MODULE" || fail "staprun ended with status $?"
