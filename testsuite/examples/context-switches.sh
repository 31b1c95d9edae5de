#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's own count of a process's switches, before and after it sleeps 300 times.
. "$SRCDIR/common.inc"

program switcher <<'END'
sub switches {
  open my $status, '<', '/proc/self/status' or die;
  my $text = join '', <$status>;
  return $text =~ /^voluntary_ctxt_switches:\s*(\d+)\nnonvoluntary_ctxt_switches:\s*(\d+)/m;
}
select(undef, undef, undef, 0.001) for 1..300;
my @now = switches();
print "pid $$\nswitches @now\n";
END
run 'exec perl program.pl'
# What the process did under its earlier names, as the shell, counts too.
set -- $(awk -v id="$(told pid)" '$2 == id { waited += $3; taken += $4 } END { print waited, taken }' report) $(told switches)
[ $# = 4 ] && [ "$1" -ge 300 ] && [ "$2" -ge "$4" ] && [ "$2" -le $(($4 + 20)) ] || fail "the kernel counted $3 and $4, the report says $1 and $2"
within 10 "$1" "$3" 'voluntary switches'
