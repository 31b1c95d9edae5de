# SPDX-License-Identifier: GPL-2.0-or-later
# Probes of a module that is loaded, unloaded and loaded again while the script runs, its initialisation included; nothing
# else that comes to lie at the same place, nor another build of the module, is hit.
. "$SRCDIR/module.inc"
build_module same_code other
build_module another work -fno-gcse
module="module(\"$PWD/work.ko\")"
cat > late.stp <<END
global begun, begun_sum, calls, results, initialised, odd, odd_sum, copies, leaves, shared, named, variable
probe $module.function("begin_work") { begun++; begun_sum += \$n }
probe $module.function("work_init").return { initialised .= sprintf(" %d", \$return) }
probe $module.function("work").call { calls++ }
probe $module.function("work").return { results .= sprintf(" %d", \$return) }
probe $module.statement("work@work.c:$(line odd)") { odd++; odd_sum += \$i }
probe $module.function("tally").inline { copies++ }
probe $module.function("leaf") { leaves++ }
probe $module.function("work_shared").return.maxactive(3), $module.function("work_shared").exported { shared++ }
probe kprobe.module("work").function("leaf") { named++ }
probe $module.function("work_exit") { variable .= sprintf(" %d", @var("odd@work.c")) }
probe end {
  printf("begin_work %d (%d), work_init returned%s\n", begun, begun_sum, initialised)
  printf("work %d, returned%s, odd %d (%d), copies %d, leaf %d (%d)\n", calls, results, odd, odd_sum, copies, leaves, named)
  printf("work_shared %d, odd was%s\n", shared, variable)
}
END
compile late
cat > steps <<'END'
values() { cd /sys/module/$1/parameters; echo "started $(cat started), odd $(cat odd), even $(cat even), runs $(cat runs)"; cd - > /dev/null; }
at() { cat /sys/module/$1/sections/.text; }
insmod work.ko && echo 7 > /sys/module/work/parameters/run
echo "work: $(values work)"
place=$(at work)
rmmod work
for try in 1 2 3 4 5 6 7 8 9 10; do
  insmod same_code/other.ko
  [ "$(at other)" != "$place" ] || { echo "another module is at the same place"; break; }
  rmmod other
done
echo 9 > /sys/module/other/parameters/run
rmmod other
insmod work.ko && echo 4 > /sys/module/work/parameters/run
echo "work again: $(values work)"
rmmod work
insmod another/work.ko && echo 9 > /sys/module/work/parameters/run
rmmod work
END
cat > run <<'END'
cd "$1"
./staprun -c 'sh ./steps' late.ko 2> messages
sed 's/: its build-id is [0-9a-f]\{40\}, the script.s [0-9a-f]\{40\}$/, with both build-ids/' messages
END
in_guest run
