#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the stress calls wrong in what one run left: lost hits that nobody counted, counts that differ, text that the oracle does not expect.
judge=$TOP/testsuite/stress/judge failed=0
printf '# seed 1\n# comparable\n' >script
printf 'first\nlast\n' >expected
agree='staprun: records: 5 produced = 5 delivered + 0 lost'

# verdict WANT MODE FAULTS RC OUT ERR: WANT is a pattern of what it says; "" for nothing
verdict() {
  local said
  printf "$5" >run.out
  printf '%s\n' "$6" >run.err
  echo "$4" >run.rc
  said=$("$judge" run script expected "$2" "$3") || said="status $?: $said"
  # shellcheck disable=SC2053 # a pattern it shall be
  [[ $said == $1 ]] && return
  echo "said '$said', not '$1': $2 $3 $4 $5 $6"
  failed=1
}

verdict '' time 0 0 'first\n{{hit 1}}{{hit 2 x}}last\n{{total 2 2 2 1}}' "$agree"
verdict '' time 0 0 'first\nlast\n{{total 2 2 2 0}}' "$agree"
verdict 'it did not print what the oracle says' time 0 0 'other\nlast\n{{total 2 2 2 0}}' "$agree"
verdict '2 hits, 1 delivered, 0 records lost' time 0 0 'first\n{{hit 1}}last\n{{total 2 2 2 1}}' "$agree"
verdict '' time 0 0 'first\n{{hit 1}}last\n{{total 2 2 2 1}}' 'staprun: records: 5 produced = 4 delivered + 1 lost'
verdict 'records: 5 produced*' time 0 0 'first\nlast\n{{total 2 2 2 0}}' 'staprun: records: 5 produced = 3 delivered + 1 lost'
verdict 'hits: 3 in a global*' time 0 0 'first\nlast\n{{total 3 2 3 0}}' "$agree"
verdict 'the end probe printed nothing' int 0 0 'first\n' "$agree"
verdict '' int 0 1 'first\n' "ERROR: Skipped too many probes, check MAXSKIPPED
$agree"
verdict 'an error of another kind*' int 0 1 'first\nlast\n{{total 2 2 2 0}}' "ERROR: cannot map the rings
$agree"
verdict '' kill 0 137 'fir' ''
verdict '' int 0 130 '' ''
verdict 'staprun was ended by signal 11' int 0 139 '' ''
verdict '' exit 5 1 '' 'ERROR: Out of memory'
verdict '' time 3 137 'fir' ''
verdict 'staprun was ended by signal 9' time 0 137 'fir' ''
verdict '' opener 0 1 '' "ERROR: can't open /proc/stap_s_1: Device or resource busy"
verdict 'staprun accounts for no records' exit 0 0 'first\nlast\n{{total 2 2 2 0}}' ''
exit $failed
