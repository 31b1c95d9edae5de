# SPDX-License-Identifier: GPL-2.0-or-later
# No two headers of the translator define a type of the same name: the linker would take one's functions for both.
cd "$TOP/translator" || exit 1
find . -name '*.h' -not -path './regex/*' -exec grep -hoE '^(struct|class|enum class|enum|union) +[A-Za-z_0-9]+[^;]*\{' {} + |
  sed -E 's/^(struct|class|enum class|enum|union) +([A-Za-z_0-9]+).*/\2/' | sort > "$TMPDIR/names"
[ "$(wc -l < "$TMPDIR/names")" -gt 100 ] || { echo "hardly any type was found: is this script looking at the right place?"; exit 1; }
twice=$(uniq -d "$TMPDIR/names")
[ -z "$twice" ] || { echo "defined in more than one header:" $twice; exit 1; }
