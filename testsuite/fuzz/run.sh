# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the fuzzer, which nothing else needs, and runs it over its corpus and the scripts of the suite.
# FUZZ_SECONDS (20) long, from seed FUZZ_SEED (1).
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL
make -s -C "$BUILD" -j2 testsuite/fuzz/fuzz > build.log 2>&1 || { tail -n 20 build.log; exit 1; }
export SYSTEMTAP_TAPSET="$TOP/tapsets"
"$BUILD/testsuite/fuzz/fuzz" -s "${FUZZ_SEED:-1}" -t "${FUZZ_SECONDS:-20}" "$SRCDIR/corpus" "$TESTSUITE/language" "$TESTSUITE/errors" "$TESTSUITE/limits" "$TESTSUITE/parse" 2> summary
status=$?
cat summary
exit $status
