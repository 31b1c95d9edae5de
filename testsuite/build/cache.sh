# SPDX-License-Identifier: GPL-2.0-or-later
# The runtime is prepared once; a damaged entry is prepared again; builders at once agree; nothing is left over.
. "$SRCDIR/common.inc"

pids=()
for i in 1 2 3; do
    build cache "module.$i.ko" -v > "log.$i" 2>&1 &
    pids+=($!)
done
for pid in "${pids[@]}"; do
    wait "$pid" || fail "a builder at once with others: $(cat log.*)"
done
echo "prepared: $(cat log.* | grep -c '^Preparing the runtime')"
cmp module.1.ko module.2.ko && cmp module.1.ko module.3.ko || fail "different modules"
echo "left over: $(find cache/runtime -mindepth 1 -maxdepth 1 -name 'stap-*' | wc -l)"

truncate -s 1000 "$(entry cache)/runtime.o"
build cache damaged.ko -v > log 2>&1 || fail "after damage: $(cat log)"
echo "prepared after damage: $(grep -c '^Preparing the runtime' log)"
cmp module.1.ko damaged.ko || fail "a different module after damage"

echo 'int broken(' >> script.c
build cache broken.ko > log 2>&1 && fail "a broken script was compiled"
grep -q 'script.c:.*error' log || fail "no compiler message: $(cat log)"
[ ! -e broken.ko ] || fail "a module of a broken script"

release=0.0.0-none
build cache none.ko > log 2>&1 && fail "a kernel that is not there"
sed "s/^/> /" log
