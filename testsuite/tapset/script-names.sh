#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# No function of the library touches a global of the script: every identifier of every tapset file is one, and all functions
# are called; then those globals that changed are printed.
set -eu
words='probe global private function if else for foreach while break continue return next delete try catch in limit
  kernel_v kernel_vr arch systemtap_v guru_mode runtime'
names=$(sed 's,//.*,,' "$TOP"/tapsets/*.stp | sed 's/"[^"]*"//g' | grep -o '[@$]*\<[A-Za-z_][A-Za-z_0-9]*' | grep -v '[@$]' |
  sort -u | grep -vxF "$(printf '%s\n' $words)")
{
  for name in $names; do
    echo "global $name = 12345"
  done
  # name:type (parameter:type, ...), a line each
  "$STAP" --runtime=user --dump-functions | sed 's, /\*.*,,' | grep -v -e '^abort:' -e '^exit:' | while IFS='(' read -r function parameters; do
    arguments=$(echo "${parameters%)}" | sed 's/[a-zA-Z_0-9]*:long/1/g; s/[a-zA-Z_0-9]*:string/"true"/g')
    echo "probe begin { try { ${function%%:*}($arguments) } catch { } }"
  done
  echo 'probe begin(1) { exit() }'
  for name in $names; do
    echo "probe end { if ($name != 12345) println(\"changed: $name\") }"
  done
} >names.stp
[ "$(grep -c '^global' names.stp)" -gt 150 ] && [ "$(grep -c catch names.stp)" -gt 100 ]
echo 'probe end { println("compared") }' >>names.stp
"$STAP" --runtime=user -g names.stp >out 2>err || { echo "exit status $?"; head err; exit 1; }
grep -q '^compared$' out || { echo "the globals were not compared"; exit 1; }
! grep '^changed: ' out
