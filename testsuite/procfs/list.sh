# SPDX-License-Identifier: GPL-2.0-or-later
# The forms of procfs probes, with the variable that each has.
for point in 'procfs.*' 'procfs("a/b").write' 'procfs("x").umask(1).maxsize(5).read'; do
  "$STAP" -L "$point" || echo "status $?"
done
"$STAP" -p2 -e 'probe procfs("a").write { println($vale, $value->x) $value = "x" }' 2>&1
true
