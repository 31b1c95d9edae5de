#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Several staprun start two scripts of one module name at the same time, again and again. Each runs the script that it was given, or says
# that one of the name runs already; in each round one at least runs, and nothing stays loaded.
. "$SRCDIR/guest.inc"

mkdir other
perl -0777 -pe 's/the first script/the other script/g; s/first end/other end/g' "$MODULE" >"other/$name.ko"
cmp -s "$MODULE" "other/$name.ko" && fail "the scripts are the same"

for round in $(seq 40); do
  pids=()
  for i in 0 1 2 3; do
    case $i in
    0 | 2) module=$MODULE ;;
    *) module=other/$name.ko ;;
    esac
    "$STAPRUN" -s 1 "$module" >$i.out 2>$i.err &
    pids+=($!)
  done
  ran=0
  for i in 0 1 2 3; do
    wait "${pids[i]}"
    case $?:$i:$(tr '\n' ' ' <$i.out) in
    "0:0:the first script first end " | "0:2:the first script first end ") ran=$((ran + 1)) ;;
    "0:1:the other script other end " | "0:3:the other script other end ") ran=$((ran + 1)) ;;
    1:?:) grep -q 'is running already' $i.err || fail "round $round, $i: $(cat $i.err)" ;;
    *) fail "round $round, $i: $(cat $i.out $i.err)" ;;
    esac
    [ "$(grep -c WARNING $i.err)" = 0 ] || fail "round $round, $i: $(cat $i.err)"
  done
  [ $ran -gt 0 ] || fail "round $round: none ran: $(cat ./*.err)"
  [ ! -d "/sys/module/$name" ] || fail "round $round: the module stays"
done
