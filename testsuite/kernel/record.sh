# SPDX-License-Identifier: GPL-2.0-or-later
# The fields of trace events are what the kernel's own tracing shows of the same events, all of them.
. "$SRCDIR/../staprun/guest.inc"
tracing=/sys/kernel/tracing
mountpoint -q $tracing || mount -t tracefs none $tracing || exit 77
events='sched/sched_process_exec sched/sched_process_exit sched/sched_switch migrate/mm_migrate_pages'
cp /bin/sleep stap-record
cat >work <<'END'
./stap-record 0.02
./stap-record 0
echo 1 >/proc/sys/vm/compact_memory
END
echo 16384 >$tracing/buffer_size_kb
echo >$tracing/trace
for event in $events; do echo 1 >$tracing/events/$event/enable; done
"$STAPRUN" -c 'sh ./work' "$MODULE" >ours
for event in $events; do echo 0 >$tracing/events/$event/enable; done
# Fields that came later than 6.1 are left out.
sed -nE 's/ prev_state=[A-Z+]*( ==>)/\1/; s/ (nr_split|group_dead)=[a-z0-9]+//; s/.*: ((sched|mm)_[a-z_]+: .*)/\1/p' $tracing/trace |
  grep -E 'stap-record|^mm_migrate' >theirs
for event in exec:2 exit:2 switch:4 migrate_pages:1; do
  [ "$(grep -c "${event%:*}: " ours)" -ge "${event#*:}" ] || echo "few of $event"
done
diff <(sort theirs) <(sort ours) && echo "as the kernel's own"
