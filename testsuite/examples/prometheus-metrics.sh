#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a process says that it wrote and asked in vain is in the file.
. "$SRCDIR/common.inc"

name=$(basename "$MODULE" .ko)
program metered <<'END'
open my $file, '>', '/dev/null' or die;
syswrite $file, 'x' x 5000 for 1..8;
rmdir '/no/such/place' for 1..17;
END
run "perl program.pl; cat /proc/stap_$name.d/*prometheus*"
grep -qx 'stap_written_bytes_total{program="metered"} 40000' workload || fail '40000 bytes were written'
failed=$(told 'stap_failed_system_calls_total{program="metered"}')
# Perl asks of a file whether it is a terminal, in vain.
[ "$failed" -ge 17 ] && [ "$failed" -le 19 ] || fail "17 calls failed, and perhaps two of Perl's own, not $failed"
grep -q '^stap_system_calls_total{program="metered"} [0-9]*$' workload || fail 'the calls are missing'
