# SPDX-License-Identifier: GPL-2.0-or-later
# Warnings are shown, suppressed by -w, and errors with -W.
set -u
script='global g probe begin { println(g + 1, l + 1) }'
for option in -v0 -w -W; do
    [ $option = -v0 ] && option=-p2
    echo "stap $option"
    "$STAP" -p2 $option -e "$script" 2>&1 > /dev/null
    echo "status $?"
done
