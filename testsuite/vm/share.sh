#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the guest writes reaches this machine under --share directories, and nowhere else.
. "$(dirname "$0")/guest.inc"

mkdir "$scratch/a dir, shared" "$scratch/private"
echo old > "$scratch/private/file"
cd "$scratch/private"
head -c 3000000 /dev/urandom > data
"$STAP_VM" --share "$scratch/a dir, shared" --run sh -c '
    cp data "../a dir, shared/copy" && echo new > file && cat file && mv file moved && ls > "../a dir, shared/list"' > "$scratch/out"
expect_status 0 $?
cmp data "$scratch/a dir, shared/copy" || fail "the shared copy differs"
[ "$(cat "$scratch/out")" = new ] || fail "the guest cannot write to its overlay"
[ "$(cat "$scratch/a dir, shared/list")" = $'data\nmoved' ] || fail "the guest does not see its own changes"
[ "$(cat file)" = old ] && [ ! -e moved ] || fail "the guest changed this machine"
