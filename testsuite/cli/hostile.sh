# SPDX-License-Identifier: GPL-2.0-or-later
# What clumsy users hand to stap: each ends soon, with a message and a status that is no signal's.
set -u
# try NAME STAP-ARGUMENT...: status and the first line of what is said.
try() {
	local name=$1 status
	shift
	timeout 60 "$STAP" "$@" > out 2> err < /dev/null
	status=$?
	echo "$name: status $status: $(head -n 1 err | cut -c 1-160 | sed "s|$PWD|PWD|g")"
}
text() { printf '%b' "$2" > "$1.stp"; try "$1" -p2 "$1.stp"; }

echo "--- files"
text empty ''
text blank '\n\n  \n'
text comment-only '# nothing\n'
head -c 20000 "$STAP" > binary.stp; try binary -p2 binary.stp
text nul-bytes 'probe begin { println(1)\0 }'
text utf8-mark '\xef\xbb\xbfprobe begin { println(1) }'
text latin1 'probe begin { println("\xe9") }'
text dos-lines 'probe begin {\r\n  println(1)\r\n}\r\n'
mkdir directory.stp; try directory -p2 directory.stp
try missing -p2 missing.stp
try empty-name -p2 ''
ln -s loop.stp loop.stp; try symlink-loop -p2 loop.stp
{ printf 'probe begin { println('; head -c 300000 /dev/zero | tr '\0' 1; echo ') }'; } > digits.stp; try digits -p2 digits.stp
{ printf 'probe begin { println("'; head -c 300000 /dev/zero | tr '\0' x; echo '") }'; } > long-string.stp; try long-string -p2 long-string.stp
{ printf 'probe begin { x'; head -c 300000 /dev/zero | tr '\0' x; echo ' = 1 }'; } > long-name.stp; try long-name -p2 long-name.stp
{ printf 'probe begin { x = '; head -c 100000 /dev/zero | tr '\0' '('; echo '1 }'; } > parentheses.stp; try parentheses -p2 parentheses.stp
{ printf 'probe begin '; head -c 100000 /dev/zero | tr '\0' '{'; } > braces.stp; try braces -p2 braces.stp
{ printf 'probe begin { x = '; head -c 100000 /dev/zero | tr '\0' '-'; echo '1 }'; } > minuses.stp; try minuses -p2 minuses.stp

echo "--- unfinished"
text probe-only 'probe'
text no-body 'probe begin'
text open-body 'probe begin {'
text open-call 'probe begin { println('
text open-string 'probe begin { println("abc'
text open-comment 'probe begin { } /* abc'
text open-c '%{ int x;'
text open-condition '%( 1 == 1 %? probe begin { }'
text open-macro '@define m %( 1'
text open-foreach 'global a probe begin { foreach (x in a'
text open-index 'global a probe begin { a[1, '
text lone-else 'probe begin { else { } }'
text lone-operator 'probe begin { + }'
text no-semicolon 'probe begin { x = 1 y = 2 println(x y) }'
text bad-keyword 'porbe begin { }'
text keyword-name 'probe begin { if = 1 }'
text number-name 'probe begin { 1x = 1 }'
text assign-call 'probe begin { println(1) = 2 }'
text at-alone 'probe begin { println(@) }'
text dollar-alone 'probe begin { println($) }'
text shell '#!/bin/sh\necho hello\n'
text c-source 'int main(void) { return 0; }\n'
text dtrace 'syscall::read:entry { @[execname] = count(); }\n'
text bpftrace 'kprobe:vfs_read { @[comm] = count(); }\n'
text awk 'BEGIN { print "hello" }\n'

echo "--- meaning"
text string-plus 'probe begin { println("a" + 1) }'
text number-dot 'probe begin { println(1 . 2) }'
text void-argument 'function f() { } probe begin { println(f()) }'
text own-caller 'function f(x) { return f(x) } probe begin { println(f(1)) }'
text macro-of-itself '@define a %( @b %) @define b %( @a %) probe begin { println(@a) }'
text macro-define-inside '@define a %( @define b %( 1 %) %) probe begin { println(@a) }'
text return-in-probe 'probe begin { return 1 }'
text break-in-probe 'probe begin { break }'
text probe-in-probe 'probe begin { probe end { } }'
text function-in-probe 'probe begin { function f() { } }'
text global-in-probe 'probe begin { global x }'
text timer-zero 'probe timer.s(0) { }'
text timer-negative 'probe timer.s(-1) { }'
text timer-huge 'probe timer.s(99999999999999999999) { }'
text huge-array 'global a[99999999999] probe begin { a[1] = 1 println(a[1]) }'
text divide-by-zero-constant 'probe begin { println(1 / 0) }'

echo "--- options"
try nothing
try no-text --runtime=user -e ''
try spaces-only --runtime=user -e '   '
try pass-6 -p6 -e 'probe begin { }'
try pass-text -p x -e 'probe begin { }'
try buffer-zero -s 0 -e 'probe begin { }'
try buffer-huge -s 99999999999 -e 'probe begin { }'
try symbols-nowhere -d /no/such/program -p4 -e 'probe begin { }'
try name-bad -m bad-name -p4 -e 'probe begin { }'
try name-long -m "$(printf '%060d' 1)" -p4 -e 'probe begin { }'
try output-nowhere --runtime=user -o /nonexistent/x -e 'probe begin { exit() }'
try output-directory --runtime=user -o / -e 'probe begin { exit() }'
try tapset-missing -I /nonexistent -p2 -e 'probe begin { }'
try tapset-file -I empty.stp -p2 -e 'probe begin { }'
try tree-missing -r /nonexistent -p4 -e 'probe begin { }'
try release-odd -r '' -p2 -e 'probe begin { }'
try command-missing --runtime=user -c /nonexistent/command -e 'probe begin { }'
try process-missing --runtime=user -x 2147483647 -e 'probe begin { exit() }'
try time-negative -T -1 --runtime=user -e 'probe begin { }'
try define-nothing -D '' -e 'probe begin { }'
try define-huge -D MAXSTRINGLEN=99999999999999 --runtime=user -e 'probe begin { exit() }'
try define-negative -D MAXACTION=-5 --runtime=user -e 'probe begin { exit() }'
try define-map-huge -D MAXMAPENTRIES=999999999999 --runtime=user -e 'global a probe begin { a[1] = 1; println(a[1]); exit() }'
try global-nothing -G = -e 'probe begin { }'
try list-nothing -l ''
try list-odd -l '***((('
try tmpdir-file --tmpdir=empty.stp --runtime=user --disable-cache -e 'probe begin { exit() }'
"$STAP" -p2 -e 'probe begin { println(1) }' > /dev/full 2> err; echo "full output: status $?: $(head -n 1 err)"
"$STAP" -p2 -e 'probe begin { println(1) }' >&- 2> err; echo "closed output: status $?: $(head -n 1 err)"
"$STAP" -p2 -e 'probe begin { nosuch() }' 2>&-; echo "closed error output: status $?"
