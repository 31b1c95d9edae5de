# SPDX-License-Identifier: GPL-2.0-or-later
# -u leaves every optimisation out: scripts print the same, identical handlers are not merged.
set -u
for script in "$TESTSUITE"/language/arithmetic*.stp "$TESTSUITE"/language/string-*.stp "$TESTSUITE"/language/try-*.stp \
    "$TESTSUITE"/language/dead-*.stp "$TESTSUITE"/language/foreach-[sv]*.stp "$TESTSUITE"/language/overload-*.stp \
    "$TESTSUITE"/language/evaluation-*.stp "$TESTSUITE"/language/logical*.stp "$TESTSUITE"/language/ternary*.stp "$TESTSUITE"/language/value-[nuw]*.stp; do
    name=$(basename "$script" .stp)
    "$STAP" -u -w --runtime=user "$script" > got 2>&1
    cmp -s got "${script%.stp}.out" || { echo "$name differs:"; diff got "${script%.stp}.out"; }
done
handlers() { "$STAP" "$@" -p3 -e 'probe timer.s(1), timer.s(2), timer.s(3) { println("same") }' | grep -c '^static void probe_'; }
handlers
handlers -u
