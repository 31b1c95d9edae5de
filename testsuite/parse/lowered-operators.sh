# SPDX-License-Identifier: GPL-2.0-or-later
# -p2 prints what elaboration has made of a condition's operators in the script language: it parses to the same again.
set -eu
operators='
@kderef(8, x + 1)
@uderef(4, x * (x + 1))
@kregister(3)
@uregister(5)
@kderef(1, @kderef(8, x)) + 2
(@uderef(2, 7) + 1) * 3
-@kderef(8, x)
@kderef(8, x) ? @uderef(1, x) : x
!@kderef(8, x) || x in a
'
printed() { "$STAP" --runtime=user -u -g -p2 "$1" | sed -n 's,^begin if (\(.*\)) /\* <- .*,\1,p'; }
status=0
while read -r operator; do
  [ -n "$operator" ] || continue
  echo "global x, a probe begin if ($operator) { x = 1; a[x] = x }" > first.stp
  once=$(printed first.stp)
  [ "$once" = "$operator" ] || { echo "$operator is printed as $once"; status=1; }
done <<< "$operators"
exit $status
