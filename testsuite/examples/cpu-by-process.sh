#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process's own clock of its processor time.
. "$SRCDIR/common.inc"

program spinner <<'END'
use Time::HiRes qw(clock_gettime CLOCK_PROCESS_CPUTIME_ID);
my $start = clock_gettime(CLOCK_PROCESS_CPUTIME_ID);
1 while clock_gettime(CLOCK_PROCESS_CPUTIME_ID) - $start < 0.8;
printf "cpu %d %d\n", $$, clock_gettime(CLOCK_PROCESS_CPUTIME_ID) * 1e6;
# So that the last stretch has ended when the script does.
select(undef, undef, undef, 0.01);
END
run 'perl program.pl'
set -- $(told cpu)
found=$(awk -v id="$1" '$2 == id { sum += $3 } END { print sum }' report)
within 15 "$found" "$2" 'microseconds of processor time'
