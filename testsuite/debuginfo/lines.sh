# SPDX-License-Identifier: GPL-2.0-or-later
# Functions by file and line out of the index: from the declaration to the last line, and not the next function's; of a module too.
. "$SRCDIR/kernel.inc"
need_debuginfo
lines() { stap -l "kernel.function(\"$1\")" 2>&1 | sed 's/:[0-9]*")/:N")/' | head -n 3; }
declared=$(stap -l 'kernel.function("vfs_read").call' | sed 's/.*:\([0-9]*\)".*/\1/')
echo "declared: ${declared:+yes}"
lines "vfs_read@fs/read_write.c:$declared"
lines "vfs_read@fs/read_write.c:$((declared + 5))"
lines "vfs_read@fs/read_write.c+5"
lines "vfs_read@fs/read_write.c:$((declared - 1))" | sed -n 's/[[:punct:]].*//p' | head -n 1
lines "*@fs/read_write.c:$((declared + 5))" | sort -u
lines "vfs_read@fs/read_write.c:$declared-$((declared + 500))"
before=$(ls "$cache/index" | grep -vc lock)
stap -l 'module("ext4").function("ext4_file_open@fs/ext4/file.c+3")' > module && sed 's/:[0-9]*")/:N")/' module
echo "indexes: $before, then $(ls "$cache/index" | grep -vc lock)"
stap -l 'module("ext4").function("ext4_file_open@fs/ext4/file.c+3")' | cmp - module && echo "same again"
