# SPDX-License-Identifier: GPL-2.0-or-later
# The program knows how often it writes and reads; the same word in another process is not watched.
. "$SRCDIR/../staprun/guest.inc"
command -v gcc >/dev/null || { echo "no gcc"; exit 77; }
gcc -O1 -pthread "$SRCDIR/process.c" -o watched || fail "the program does not compile"
cp watched other
"$STAPRUN" -c 'sh -c "./watched"' "$MODULE" || fail "staprun ended with status $?"
