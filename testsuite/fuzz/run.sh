# SPDX-License-Identifier: GPL-2.0-or-later
# A bounded run of the fuzzer over its corpus and the suite's own scripts: FUZZ_SECONDS (20), seed FUZZ_SEED (1).
set -u
export SYSTEMTAP_TAPSET="$TOP/tapsets"
"$BUILD/testsuite/fuzz/fuzz" -s "${FUZZ_SEED:-1}" -t "${FUZZ_SECONDS:-20}" "$SRCDIR/corpus" "$TESTSUITE/language" "$TESTSUITE/errors" "$TESTSUITE/limits" "$TESTSUITE/parse" 2> summary
status=$?
cat summary
exit $status
