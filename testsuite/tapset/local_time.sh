# SPDX-License-Identifier: GPL-2.0-or-later
# A script in the kernel knows the time zone of its staprun: 5:30 h east of UTC here.
. "$SRCDIR/../staprun/guest.inc"
TZ=IST-5:30 "$STAPRUN" "$MODULE"
