# SPDX-License-Identifier: GPL-2.0-or-later
# Each example of the language reference prints what the reference says.
set -u
. "$SRCDIR/examples.inc"
run_examples "$TOP/doc/language.md" process
