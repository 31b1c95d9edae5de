# SPDX-License-Identifier: GPL-2.0-or-later
# The values that a script reads are those that the programs print of themselves, in every form of debuginfo.
. "$SRCDIR/../staprun/guest.inc"
for program in programs/*; do
  "$program" | sed "s/^/${program##*/}: /"
done >expected
"$STAPRUN" -c 'sh -c "for program in programs/*; do ./\$program >/dev/null; done"' "$MODULE" >found
[ "$(wc -l <expected)" -ge 450 ] || echo "only $(wc -l <expected) lines" # 30 a program
diff expected found && echo "as the programs say"
