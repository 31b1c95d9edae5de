# SPDX-License-Identifier: GPL-2.0-or-later
# The programs run one after the other, and have ended when the script ends. Shown are the three frames that are the programs' own, without
# the addresses, which change from run to run.
for programs in './first; ./left' './left; ./right'; do
  "$STAPRUN" -c "sh -c '$programs'" "$MODULE" | awk '/^ / { if (n++ < 3) print; next } { n = 0; print }' |
    sed 's/0x[0-9a-f]*/0x-/g; s,\[/.*/\([^/]*\)\],[\1],'
done
