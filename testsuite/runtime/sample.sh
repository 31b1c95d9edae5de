# SPDX-License-Identifier: GPL-2.0-or-later
# The hand-written model of emitted C runs in a process, sanitized; globals can be set; the output goes to a file.
. "$(dirname "$0")/runtime.inc"
script sample-program
so=$work/sample-program.so
"$staprun" "$so"
"$staprun" -o "$work/file" "$so" last=set ticks=3 && cat "$work/file"
"$staprun" "$so" nosuch=1 2>&1; echo "status $?"
"$staprun" "$so" ticks=x 2>&1; echo "status $?"
