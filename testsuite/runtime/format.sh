# SPDX-License-Identifier: GPL-2.0-or-later
# printf formatting: documented examples, flags, widths, memory dumps, faults, cuts, what a reader asks of a format.
. "$(dirname "$0")/runtime.inc"
unit format
