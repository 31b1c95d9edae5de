#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process that has the kernel make random numbers: chacha_permute() and its kin have most of the time.
. "$SRCDIR/common.inc"

# Two seconds of it, however fast the machine is.
run 'timeout 2 dd if=/dev/urandom of=/dev/null bs=64k status=none || :'
set -- $(sed -n 's/^\([0-9]*\) looks: \([0-9]*\) idle, \([0-9]*\) in programs, \([0-9]*\) in the kernel$/\1 \2 \3 \4/p' report)
[ $# = 4 ] && [ "$1" = $(($2 + $3 + $4)) ] && [ "$1" -gt 50 ] && [ "$4" -gt "$3" ] || fail "the looks do not add up: $*"
chacha=$(awk '$3 ~ /chacha|random|blake/ { sum += $1 } END { print sum }' report)
[ "$chacha" -ge $(($4 / 10)) ] || fail "$chacha of $4 looks in the kernel are where random numbers are made"
