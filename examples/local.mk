# SPDX-License-Identifier: GPL-2.0-or-later
# The example scripts: every file is installed.

data_trees += examples=examples
EXTRA_DIST += examples
