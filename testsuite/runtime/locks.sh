# SPDX-License-Identifier: GPL-2.0-or-later
# The locks of globals: readers share, waiting writers go first, and a hit waits as long as the limits say.
. "$(dirname "$0")/runtime.inc"
unit locks
