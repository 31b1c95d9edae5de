# SPDX-License-Identifier: GPL-2.0-or-later
# Macros, conditions and aliases that multiply or nest without an end in sight.
set -u
try() { "$STAP" -p2 "$1" 2>&1 | cut -c 1-150; echo "status ${PIPESTATUS[0]}"; }

{
  echo '@define m0 %( 1 + 1 %)'
  for i in $(seq 1 24); do echo "@define m$i %( @m$((i - 1)) + @m$((i - 1)) %)"; done
  echo 'probe begin { println(@m24) }'
} > macro-too-big.stp
try macro-too-big.stp

{
  echo '@define m0 %( 1 %)'
  for i in $(seq 1 210); do echo "@define m$i %( @m$((i - 1)) %)"; done
  echo 'probe begin { println(@m210) }'
} > macro-too-deep.stp
try macro-too-deep.stp

{
  echo 'probe begin {'
  for _ in $(seq 1 210); do echo '%( 1 == 1 %?'; done
  for _ in $(seq 1 210); do echo '%)'; done
  echo '}'
} > condition-too-deep.stp
try condition-too-deep.stp

{
  echo 'probe a0 = begin { }'
  for i in $(seq 1 16); do echo "probe a$i = a$((i - 1)), a$((i - 1)) { }"; done
  echo 'probe a16 { }'
} > too-many-probe-points.stp
try too-many-probe-points.stp
