#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process looks for a file 9 times by open and 5 times by stat, and once for one that is there.
. "$SRCDIR/common.inc"

: >there
program seeker <<'END'
for (1..9) { open my $file, '<', 'not-here/config' }
for (1..5) { stat 'nowhere' }
open my $file, '<', 'there' or die;
mkdir 'not-here/deeper';
END
run 'exec perl program.pl'
expect '^ +9 seeker +openat +not-here/config$' 'open'
expect '^ +5 seeker +(newfstatat|stat|statx) +nowhere$' 'stat'
expect '^ +1 seeker +mkdir +not-here/deeper$' 'mkdir'
! grep -q ' there$' report || fail 'a file that exists is there'
