# SPDX-License-Identifier: GPL-2.0-or-later
# Doubles by integer arithmetic give the bits that the processor gives, and the text that the C library writes and reads.
. "$(dirname "$0")/runtime.inc"
unit float -lm
