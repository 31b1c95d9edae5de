#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# -x with the number of a process that has ended is an error; a running one is target().
sleep 0 &
pid=$!
wait $pid
"$STAP" --runtime=user -x $pid -e 'probe begin { println("ran") exit() }' 2>&1 | sed "s/$pid/PID/"
echo "status ${PIPESTATUS[0]}"
"$STAP" --runtime=user -x $$ -e 'probe begin { println(target()) exit() }' | sed "s/^$$\$/running/"
