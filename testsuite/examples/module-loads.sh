#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module of the kernel comes and goes; a device that is asked for makes the kernel want one.
. "$SRCDIR/common.inc"

modprobe -r dummy 2>/dev/null || :
run 'modprobe dummy numdummies=0
rmmod dummy
perl -e "socket(my \$s, 30, 1, 0)"' # AF_TIPC, whose module is not there or loads now
expect '^[0-9:]{8} +0 modprobe +[0-9]+ sh +load +dummy$' 'the module that comes'
expect '^[0-9:]{8} +0 rmmod +[0-9]+ sh +unload +dummy$' 'the module that goes'
expect '^[0-9:]{8} +0 perl +[0-9]+ sh +wanted +net-pf-30' 'the one that is asked for'
