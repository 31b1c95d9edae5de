# SPDX-License-Identifier: GPL-2.0-or-later
# The throw-away guest: scripts that boot it, and what runs in it.

data_trees += vm=vm
EXTRA_DIST += vm
