# SPDX-License-Identifier: GPL-2.0-or-later
# Each operation on files of NFS, version 3 and 4, as the workload did it. With write=wait pages are released as nfs.py says.
. "$SRCDIR/nfs.inc"
load_nfs
start_server
compare nfs 4.1
compare nfs 3 write=wait
