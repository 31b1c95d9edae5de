# SPDX-License-Identifier: GPL-2.0-or-later
# A session's rules: states, priorities, errors and their limit, skipped hits, locks that never leak, overload.
. "$(dirname "$0")/runtime.inc"
unit session
