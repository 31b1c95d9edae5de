# SPDX-License-Identifier: GPL-2.0-or-later
# -L names functions, inlined ones too, with their parameters and types.
. "$SRCDIR/object.inc"
"$STAP" -L "$point(\"*\")" && "$STAP" -L "$point(\"*\").return" && "$STAP" -l "$point(\"t*@sample.c:43\")" && "$STAP" -l "$point(\"twice\").inline"
