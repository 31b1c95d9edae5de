#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Output that can't be written is lost: it is counted and said, the account stays exact, and the exit status is 1.
set -u
script='probe begin { for (i = 0; i < 20000; i++) printf("line %d of many\n", i) } probe end { println("end") }'
object=$("$STAP" --runtime=user -p4 -DMAXACTION=1000000 -e "$script") || exit 1

# account FILE: the numbers produced, delivered and lost
account() {
  sed -n 's/^staprun: records: \([0-9]*\) produced = \([0-9]*\) delivered + \([0-9]*\) lost$/\1 \2 \3/p' "$1"
}

"$STAPRUN" -v -s 8 "$object" > /dev/full 2> err
echo "/dev/full: status $?, $(account err)"
grep -v '^staprun:' err

"$STAPRUN" -v -s 8 -o /dev/full "$object" 2> err
echo "-o /dev/full: status $?, $(account err)"
grep -v '^staprun:' err

"$STAPRUN" -v -s 8 "$object" 2> err | true
echo "no reader: status ${PIPESTATUS[0]}"
read -r produced delivered lost < <(account err)
[ $((delivered + lost)) = "$produced" ] && grep -qx "WARNING: $lost records could not be written: Broken pipe" err || cat err

# A file system of 64 KiB, in a mount namespace of its own: some records fit, and one is cut in two.
# shellcheck disable=SC2016
unshare -rm sh -c 'mkdir small && mount -t tmpfs -o size=64k small small && exec "$@"' sh true 2> /dev/null || exit 0
unshare -rm sh -c 'mount -t tmpfs -o size=64k small small && "$0" -v -s 8 -o small/out "$1"; echo "small disk: status $?"; wc -l < small/out > lines' \
  "$STAPRUN" "$object" 2> err
read -r produced delivered lost < <(account err)
echo "$produced records; in the file: $([ "$(cat lines)" = "$delivered" ] && echo all that was delivered)"
[ $((delivered + lost)) = "$produced" ] && [ "$delivered" -gt 1000 ] || cat err
grep -v '^staprun:' err | sed "s/$lost/LOST/"
