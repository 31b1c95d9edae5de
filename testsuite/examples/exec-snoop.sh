#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that a shell starts are there with their arguments, its own pid as their parent's; so is one that fails.
. "$SRCDIR/common.inc"

run 'echo shell $$
for i in 1 2 3; do /usr/bin/env true argument-$i "two words"; done
/no/such/program 2>/dev/null || :'
shell=$(told shell)
# env starts true in its own process, with a parent that is the shell.
for i in 1 2 3; do
  expect "^[0-9:]{8} +0 +[0-9]+ +$shell sh +0 +true argument-$i two words\$" "program $i"
  expect "^[0-9:]{8} +0 +[0-9]+ +$shell sh +0 +/usr/bin/env true argument-$i two words\$" "env $i"
done
expect "^[0-9:]{8} +0 +[0-9]+ +$shell sh +ENOENT +\"/no/such/program\"\$" 'the failure'
