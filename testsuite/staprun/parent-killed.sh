#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# SIGKILL of stap ends the script as SIGTERM does; SIGKILL of staprun ends the script's process and the -c command.
set -u
children() { cat "/proc/$1/task/$1/children" 2> /dev/null; }
gone() { # gone PID: it has ended (or is a zombie its new parent has not collected)
  ! [ -e "/proc/$1" ] || grep -q '^State:.*Z' "/proc/$1/status" 2> /dev/null
}
wait_for() { # wait_for COMMAND...: until it succeeds, for 20 s at most
  local tries=400
  until "$@"; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || { echo "waited in vain for: $*"; exit 1; }
    sleep 0.05
  done
}

# start: the script runs, and $processes are staprun, the script's process and the command
start() {
  rm -f out
  "$STAP" --runtime=user -c 'sleep 1000' -e 'probe begin { println("started") } probe end { println("ended") }' > out &
  stap=$!
  wait_for grep -qs started out
  staprun=$(children $stap)
  processes="$staprun $(children ${staprun% })"
  echo "$(echo $processes | wc -w) processes"
}

start
kill -KILL $stap
wait $stap 2> /dev/null
for pid in $processes; do wait_for gone $pid; done
tail -n 1 out

start
kill -KILL ${staprun% }
for pid in $processes; do wait_for gone $pid; done
wait $stap
echo "stap: status $?"
