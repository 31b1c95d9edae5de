# SPDX-License-Identifier: GPL-2.0-or-later
# Each example has a whole description and a test, and examples/INDEX.md is what the descriptions say.
set -u
"$TOP/scripts/example-index" > written || exit 1
[ "$(grep -c '^| \[' written)" -gt 80 ] || { echo "there are few examples"; exit 1; }
diff "$TOP/examples/INDEX.md" written || { echo "write it anew: scripts/example-index > examples/INDEX.md"; exit 1; }
