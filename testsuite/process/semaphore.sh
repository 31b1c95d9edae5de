# SPDX-License-Identifier: GPL-2.0-or-later
. "$SRCDIR/../staprun/guest.inc"
./semaphore
"$STAPRUN" -c ./semaphore "$MODULE"
./semaphore
