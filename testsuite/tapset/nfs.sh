# SPDX-License-Identifier: GPL-2.0-or-later
# Each operation on files of NFS, version 3 and 4, as the workload did it.
. "$SRCDIR/nfs.inc"
load_nfs
start_server
compare nfs 3
compare nfs 4.1
compare nfs 3 write=wait
