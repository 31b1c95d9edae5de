# SPDX-License-Identifier: GPL-2.0-or-later
# Statements, labels, inlined copies and callees of a module are hit as often as it says itself, with the variables that are there.
. "$SRCDIR/module.inc"
module="module(\"$PWD/work.ko\")"
cat > places.stp <<END
global odd, even, after, out, copies, from_work, from_tally, returned, first, at_address, sums
probe $module.statement("work@work.c:$(line odd)") { odd++; sums += \$i }
probe $module.statement("work@work.c:$(line even)") { even++ }
probe $module.statement("*@work.c:$(line after-loop)") { after++; printf("n %d, sum %d, i %s\n", \$n, \$sum, @defined(\$i) ? "there" : "gone") }
probe $module.statement("tally@work.c:$(line in-copy)") { copies++ }
probe $module.function("work").label("out") { out++ }
probe $module.function("work").callee("leaf").call { from_work++ }
probe $module.function("tally").callee("leaf") { from_tally++ }
probe $module.function("run").callees(2) { if (ppfunc() == "leaf") first++ }
probe $module.function("run").callee("leaf").return { returned++ }
probe $module.statement($(nm work.ko | sed -n 's/^\([0-9a-f]*\) t work$/0x\1/p')) { at_address++ }
probe end {
  printf("odd %d (%d), even %d, after the loop %d, out %d, copies %d\n", odd, sums, even, after, out, copies)
  printf("leaf: of work %d, of tally %d, returned to run %d, under run %d\n", from_work, from_tally, returned, first)
  println("at the address ", at_address)
}
END
compile places
cat > run <<'END'
cd "$1" && insmod work.ko || exit
odd=$(cat /sys/module/work/parameters/odd)
even=$(cat /sys/module/work/parameters/even)
runs=$(cat /sys/module/work/parameters/runs)
./staprun -c 'echo 7 > /sys/module/work/parameters/run; echo 4 > /sys/module/work/parameters/run' places.ko
echo "module: odd $(($(cat /sys/module/work/parameters/odd) - odd)), even $(($(cat /sys/module/work/parameters/even) - even)), runs $(($(cat /sys/module/work/parameters/runs) - runs))"
rmmod work
END
in_guest run
