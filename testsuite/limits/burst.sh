# SPDX-License-Identifier: GPL-2.0-or-later
# Nothing of a burst is lost.
"$STAP" --runtime=user -DMAXACTION=1000000 -DSTP_NO_OVERLOAD "$SCRIPT" 2> err | awk '$1 != n++ { print "not in order: " $1; exit } END { print n }'
cat err
