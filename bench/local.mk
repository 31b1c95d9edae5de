# SPDX-License-Identifier: GPL-2.0-or-later
# The commands behind every speed claim; not installed.

EXTRA_DIST += bench
