#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# True is started by a shell that another one has started; both tell their pids.
. "$SRCDIR/common.inc"

program outer <<'END'
print "outer $$\n";
system 'sh', '-c', 'echo inner $$; /usr/bin/true; :';
END
run 'perl program.pl; :'
expect "^[0-9:]{8} [0-9]+ uid 0: true\([0-9]+\) <- sh\($(told inner)\) <- outer\($(told outer)\) <- sh\([0-9]+\) <- " 'the chain'
[ "$(wc -l <report)" = 1 ] || fail 'there are other programs'
