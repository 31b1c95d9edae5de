# SPDX-License-Identifier: GPL-2.0-or-later
# What the client asks of the server, as often as the kernel counts it in /proc/net/rpc/nfs.
. "$SRCDIR/nfs.inc"
load_nfs
start_server
compare nfs_proc 3
compare nfs_proc 4.1
