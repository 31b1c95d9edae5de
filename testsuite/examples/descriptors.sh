#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process opens 120 files, closes 50 of them, and stays until the script has ended; /proc has its descriptors.
. "$SRCDIR/common.inc"

cat >holder.pl <<END
\$0 = 'holder';
open \$file[\$_], '<', '/dev/null' or die for 1..120;
close \$file[\$_] for 1..50;
opendir my \$directory, '/proc/self/fd';
my \$open = grep { !/^\./ } readdir \$directory;
closedir \$directory;
print \$open - 1, "\n"; # without the directory
close STDOUT;
select(undef, undef, undef, 0.05) while -e '/sys/module/$(basename "$MODULE" .ko)';
END
run 'ulimit -n 333
perl holder.pl >open &
echo pid $!
until [ -s open ]; do sleep 0.05; done'
set -- $(awk -v id="$(told pid)" '$1 == "holder" && $2 == id { print $3, $4, $5, $6 }' report)
# Its standard output is closed by then.
[ $# = 4 ] && [ "$1" = 121 ] && [ "$2" -le "$(cat open)" ] && [ "$2" -ge $(($(cat open) - 1)) ] && [ "$3" -ge 123 ] && [ "$3" -le 127 ] && [ "$4" = 333 ] ||
  fail "$(cat open) files are open of 120, the report says '$*'"
