# SPDX-License-Identifier: GPL-2.0-or-later
# What the server does, as often as the kernel counts it in /proc/net/rpc/nfsd; both ends have the same file handles.
. "$SRCDIR/nfs.inc"
load_nfs
start_server
compare nfsd 3
compare nfsd 4.1
