#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# On a kernel that checks its memory and data races the script and the runtime are checked too: the functions of both call the checks.
config() { zcat /proc/config.gz 2>/dev/null | grep -q "^$1=y$"; }
calls=
! config CONFIG_KASAN || calls=__asan_store8_noabort
! config CONFIG_KCSAN || calls=__tsan_write8
[ -n "$calls" ] || { echo "this kernel checks neither its memory nor its data races"; exit 77; }
# Who calls a function: objdump names the function it is in, then the calls with their relocations.
callers=$(objdump -dr --no-show-raw-insn "$MODULE" | awk -v call="$calls" '/^[0-9a-f]+ </ { f = $2 } index($0, call) { print f }')
for function in stap_map_init probe_; do
  [[ $callers = *"<$function"* ]] || { echo "$function does not call $calls"; exit 1; }
done
