# SPDX-License-Identifier: GPL-2.0-or-later
# -l prints points as a script may name them, also those that a wildcard finds.
"$STAP" -l begin
"$STAP" -l 'beg*'
"$STAP" -l 'timer.prof*'
"$STAP" -L 'end(5)'
"$STAP" -l 'one*ot'
"$STAP" -l 'no_such_point' 2> /dev/null || echo "none: $?"
