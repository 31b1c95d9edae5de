# SPDX-License-Identifier: GPL-2.0-or-later
# stap --version says one line and succeeds.
"$STAP" --version
