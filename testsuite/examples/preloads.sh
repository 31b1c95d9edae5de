#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program with one of each, and one without.
. "$SRCDIR/common.inc"

run 'unset LD_LIBRARY_PATH
LD_PRELOAD=libm.so.6 env true one
LD_LIBRARY_PATH=/nowhere /usr/bin/true two
/usr/bin/true three'
expect '^[0-9:]{8} +0 env +[0-9]+ sh +LD_PRELOAD=libm\.so\.6 +env true one$' 'LD_PRELOAD'
expect '^[0-9:]{8} +0 true +[0-9]+ sh +LD_PRELOAD=libm\.so\.6 +true one$' 'LD_PRELOAD, inherited'
expect '^[0-9:]{8} +0 true +[0-9]+ sh +LD_LIBRARY_PATH=/nowhere +/usr/bin/true two$' 'LD_LIBRARY_PATH'
! grep -q three report || fail 'a program without is there'
