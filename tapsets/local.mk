# SPDX-License-Identifier: GPL-2.0-or-later
# The tapset library: every file is installed.

data_trees += tapsets=tapsets
EXTRA_DIST += tapsets
