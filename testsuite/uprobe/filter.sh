# SPDX-License-Identifier: GPL-2.0-or-later
# Whether a process has the breakpoint is read from its memory.
. "$SRCDIR/caller.inc"
start_caller inside
start_caller before
tell before c
"$STAPRUN" -v -x "${pid_of[inside]}" "$MODULE" 2> log & script=$!
wait_for grep -q 'is running' log
start_caller after
expect_text inside breakpoint
expect_text before 'as in the file'
expect_text after 'as in the file'
tell before cfvxc
tell after cfvxc
expect_text before 'as in the file'
expect_text after 'as in the file'
tell inside cfvc
expect_text inside breakpoint
tell inside xcvf
expect_text inside breakpoint
kill -INT $script
wait $script || fail "staprun ended with status $?"
grep -q ': by uretprobe: 1 probe' log || fail "no mechanism is named: $(cat log)"
expect_text inside 'as in the file'
tell inside cfv
for name in inside before after; do end_caller $name; done
