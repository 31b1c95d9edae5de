# SPDX-License-Identifier: GPL-2.0-or-later
# doc/tapset-coverage says of each name of the tapset reference what is true, and no reason is given for a name that is there.
set -u
"$TOP/scripts/tapset-coverage" "$STAP" > written || exit 1
[ "$(grep -c '^| `' written)" -gt 750 ] || { echo "the reference's names were not found"; exit 1; }
diff "$TOP/doc/tapset-coverage" written || { echo "write it anew: scripts/tapset-coverage stap > doc/tapset-coverage"; exit 1; }
