# SPDX-License-Identifier: GPL-2.0-or-later
# The limits that -D sets stand in one table (translator/base/limits.cc). Each of its rows fills one member of struct Limits,
# stap(1) and doc/language.md have the same names and defaults, and the completions offer each name.
set -u
status=0
wrong() { echo "$@"; status=1; }

# NAME MEMBER DEFAULT, which is "-" for a limit that has none and "switch" for a switch
sed -n 's/^ *{"\([A-Z_]*\)", &Limits::\([a-z_]*\)\(.*\)}.*/\1, \2\3/p' "$TOP/translator/base/limits.cc" |
  awk -F', ' '{ print $1, $2, NF == 2 ? "switch" : $5 == "computed" ? "-" : $5 }' > table
[ "$(grep -c . table)" -gt 15 ] || wrong "the table of limits was not found"
cut -d' ' -f1,3 table | sort > limits

sed -n '/^struct Limits {/,/^};/s/^ *[a-z0-9_:<>]* \([a-z_]*\);.*/\1/p' "$TOP/translator/base/limits.h" | sort > members
cut -d' ' -f2 table | sort | diff members - || wrong "the table fills other members than struct Limits has"

# In the manual's section a name is bold and its default is not: .BR MAXTRYLOCK " 100, " TRYLOCKDELAY " 10"
sed -n '/^\.SH LIMITS/,/^\.SH DIAGNOSTICS/s/^\.BR\{0,1\} //p' "$TOP/doc/stap.1" | tr -d '\\",' |
  awk '{ for (i = 1; i <= NF; i++)
           if ($i ~ /^-D[A-Z_]+$/) print substr($i, 3), "switch"
           else if ($i ~ /^[A-Z][A-Z_]+$/) print $i, $(i + 1) ~ /^-?[0-9]+$/ ? $(i + 1) : "-" }' | sort > described
diff limits described || wrong "stap.1 has other limits or defaults (right) than the table (left)"

# "MAXMAPENTRIES elements, 2048 unless changed"
grep -oE '[A-Z_]{6,}[ a-z(,]*[0-9]+ unless changed' "$TOP/doc/language.md" |
  sed 's/^\([A-Z_]*\).* \(.*[0-9]\) unless changed/\1 \2/; s/(//' | sort > mentioned
[ "$(grep -c . mentioned)" -ge 4 ] || wrong "the defaults in language.md were not found"
grep -vxFf limits mentioned && wrong "language.md has other defaults than the table"

for completions in bash/stap zsh/_stap; do
  for name in $(cut -d' ' -f1 limits); do
    grep -qw "$name" "$TOP/contrib/completions/$completions" || wrong "$name is not in contrib/completions/$completions"
  done
done
exit $status
