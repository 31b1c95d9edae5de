#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What renice, chrt and taskset are asked for.
. "$SRCDIR/common.inc"

run 'sleep 60 & id=$!
echo pid $id
renice -n 7 -p $id
chrt --rr --pid 13 $id
taskset --pid 2 $id
kill $id'
id=$(told pid)
expect "^[0-9:]{8} renice +[0-9]+ -> sleep +$id nice 0 to 7\$" 'renice'
expect "^[0-9:]{8} chrt +[0-9]+ -> sleep +$id policy other to round robin, real-time priority 13\$" 'chrt'
expect "^[0-9:]{8} taskset +[0-9]+ -> sleep +$id may run on 0x2\$" 'taskset'
