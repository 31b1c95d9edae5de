# SPDX-License-Identifier: GPL-2.0-or-later
# Random scripts print what the oracle, which walks the syntax tree, says they should print, compiled with and without -u.
#
# ORACLE_SCRIPTS (300) scripts are made from the seeds after ORACLE_SEED (0), 15 to a file. Half of the files have short
# strings, so that many are cut, and histograms of another shape. Of sixteen files gcc optimises one, since that takes most of
# the time, and compiles one with UBSan. A file that differs is kept.
set -u
per_file=15 count=${ORACLE_SCRIPTS:-300} first=${ORACLE_SEED:-0}
PLAIN_GCC=$(command -v gcc)
export per_file PLAIN_GCC

# The user runtime's compiler is the gcc that is found first.
mkdir -p bin
cat > bin/gcc <<'END'
#!/bin/sh
exec "$PLAIN_GCC" "$@" $ORACLE_CFLAGS
END
chmod +x bin/gcc

# compare SEED OPTION...: what stap with these options prints, beside what is expected
compare() {
  local seed=$1
  shift
  PATH=$PWD/bin:$PATH "$STAP" --runtime=user --disable-cache "$@" "$seed.stp" > "$seed.printed" 2> "$seed.errors" || :
  if ! cmp -s "$seed.expected" "$seed.printed"; then
    echo "seed $seed differs: stap --runtime=user $* $PWD/$seed.stp"
    diff -a "$seed.expected" "$seed.printed" | head -n 6
  elif grep -aE 'runtime error|Sanitizer' "$seed.errors"; then
    echo "seed $seed has a sanitizer's report: stap --runtime=user $* $PWD/$seed.stp"
  else
    return 0
  fi
  return 1
}

check_file() {
  local seed=$1 oracle=$BUILD/testsuite/oracle/oracle status=0
  local options="-w -DMAXERRORS=1000000 -DMAXACTION=100000000 -DMAXNESTING=60"
  [ $((seed % 2)) = 0 ] || options="$options -DMAXSTRINGLEN=20 -DHIST_WIDTH=$((seed % 60 + 3)) -DHIST_ELISION=$((seed % 7 - 1))"
  export ORACLE_CFLAGS=-O0
  [ $((seed % 16)) != 3 ] || ORACLE_CFLAGS="-O0 -fsanitize=undefined -fno-sanitize-recover=undefined"
  "$oracle" generate "$seed" "$per_file" > "$seed.stp" || return
  # shellcheck disable=SC2086 # options are words
  {
    "$oracle" expect --runtime=user $options "$seed.stp" > "$seed.expected" || return
    compare "$seed" -u $options || status=1
    [ $((seed % 16)) != 6 ] || ORACLE_CFLAGS=
    [ $status = 1 ] || compare "$seed" $options || status=1
  }
  [ $status = 1 ] || rm -f "$seed".*
}
export -f check_file compare

files=$(((count + per_file - 1) / per_file))
seq $((first + 1)) $((first + files)) | xargs -P "${TEST_JOBS:-2}" -I{} bash -c 'check_file {} || echo "seed {}: no answer"' > report
cat report
[ ! -s report ]
