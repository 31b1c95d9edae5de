# SPDX-License-Identifier: GPL-2.0-or-later
# What -D switches change in the code: the build-ids that are checked, how many calls a return probe follows.
set -u
[ -n "$STAP_RELEASE" ] || { echo "no kernel headers are installed"; exit 77; }
code() { "$STAP" -r "$STAP_RELEASE" -p3 "$@" -e 'probe kernel.function("vfs_read").return, kernel.function("vfs_write").return.maxactive(7) { }'; }
echo "build-ids checked: $(code | grep -c '\.modules = ') $(code -DSTP_NO_BUILDID_CHECK | grep -c '\.modules = ')"
echo "followed: $(code | grep -o 'max_active = [0-9]*' | xargs), $(code -DKRETACTIVE=5 | grep -o 'max_active = [0-9]*' | xargs)"
