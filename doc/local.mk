# SPDX-License-Identifier: GPL-2.0-or-later
# Documents. A manual page is added to dist_man_MANS, as doc/stap.1; its section is its suffix.

dist_man_MANS += doc/stap.1
EXTRA_DIST += doc
