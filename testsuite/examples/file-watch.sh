#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What perl does with a file one after the other, and nothing of what happens to its neighbour.
. "$SRCDIR/common.inc"

program toucher <<'END'
chdir '/run/watch' or die;
open my $file, '+>', 'file' or die;
syswrite $file, 'text';
syswrite $file, 'text';
sysread $file, $_, 10;
chmod 0640, $file;
truncate $file, 3;
close $file;
link 'file', 'twin';
open my $other, '>', 'other' or die;
rename 'other', 'file';
rename 'file', 'elsewhere';
open $other, '>>', 'file' or die;
unlink 'file';
END
mkdir /run/watch
run 'exec perl program.pl'
rm -r /run/watch
sed -n 's/^[0-9:]\{8\} *0 toucher *[0-9]* [a-z]* *//p' report >found
sed 1d report | grep -v ' toucher ' && fail 'somebody else is there'
cat >expected <<'END'
opens it to read and write, newly made
writes to it
reads it
sets its mode to 640
cuts it to 3 bytes
gives it the name twin too
puts other in its place
renames it to elsewhere
opens it to write, newly made
deletes it
END
cmp found expected || fail "other things: $(diff expected found)"
