# SPDX-License-Identifier: GPL-2.0-or-later
# Random scripts print what the oracle, which walks the syntax tree, says they should print.
#
# ORACLE_SCRIPTS (300) scripts are made from the seeds after ORACLE_SEED (0), 15 to a file. Half of the files have short
# strings, so that many are cut; every third is compiled without optimisations. A file that differs is kept.
set -u
per_file=15 count=${ORACLE_SCRIPTS:-300} first=${ORACLE_SEED:-0}
export per_file

check_file() {
  local seed=$1 oracle=$BUILD/testsuite/oracle/oracle
  local options="-w -DMAXERRORS=1000000 -DMAXACTION=100000000 -DMAXNESTING=60"
  [ $((seed % 2)) = 0 ] || options="$options -DMAXSTRINGLEN=20"
  [ $((seed % 3)) != 0 ] || options="$options -u"
  "$oracle" generate "$seed" "$per_file" > "$seed.stp" || return
  # shellcheck disable=SC2086 # options are words
  {
    "$oracle" expect --runtime=user $options "$seed.stp" > "$seed.expected" || return
    "$STAP" --runtime=user --disable-cache $options "$seed.stp" > "$seed.printed" 2> "$seed.errors"
  }
  if cmp -s "$seed.expected" "$seed.printed"; then
    rm -f "$seed".*
  else
    echo "seed $seed differs: stap --runtime=user $options $PWD/$seed.stp"
    diff -a "$seed.expected" "$seed.printed" | head -n 6
  fi
}
export -f check_file

files=$(((count + per_file - 1) / per_file))
seq $((first + 1)) $((first + files)) | xargs -P "${TEST_JOBS:-2}" -I{} bash -c 'check_file {} || echo "seed {}: no answer"' > report
cat report
[ ! -s report ]
