# SPDX-License-Identifier: GPL-2.0-or-later
# The library's comments are printed by subject and by name, also those of a directory of the user's own.
set -u
here=$PWD
mkdir own
cat > own/colour.stp <<'END'
// SPDX-License-Identifier: GPL-2.0-or-later
// Colours of things: their names, e.g. of an apple. More of it is not needed.
//
// Nothing fails.

// The name of a colour by its number, 0 to 2; "" else. This text goes on for longer than a terminal is wide, so that it has to be filled.
//   0  red
//   1  green
function colour_name:string (number:long, upper:long) { return "red" }
private function hidden() { return 1 }
function __hidden() { return 1 }

// Something turns red. thing: what.
probe colour.red = begin { thing = "apple" }
probe colour.green = begin { thing = "pear" }
END
cat > own/colour.stpm <<'END'
// SPDX-License-Identifier: GPL-2.0-or-later
// Macros of colours.

// Red - or so.
@define red(text) %( @text %)
END
"$STAP" -I own --help-tapset colour
"$STAP" -I own --help-tapset colour --format=man
"$STAP" -I own --help-tapset colour.green @red 'colour_*'
"$STAP" -I own --help-tapset | grep -A 1 '^colour'
"$STAP" --help-tapset > all
echo "subjects without a line: $(cd "$TOP/tapsets" && ls *.stp | sed 's/\.stp$//' | while read -r name; do
  grep -q '^function [^_]\|^probe [^_][^ ]* +*=' $name.stp && ! grep -q "^$name  *[^ ]" "$here/all" && echo "$name"; done)"
echo "too wide: $(grep -cE '^.{80}' all)"
"$STAP" --help-tapset syscall.openat
"$STAP" --help-tapset colur -I own
"$STAP" --help-tapset --format=man
"$STAP" --help-tapset pid --format=man
[ $? = 1 ]
