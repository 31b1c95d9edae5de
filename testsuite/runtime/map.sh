# SPDX-License-Identifier: GPL-2.0-or-later
# Arrays against a naive model: random operations, order of insertion, eviction, overflow, sorting and its stability.
. "$(dirname "$0")/runtime.inc"
unit map
