# SPDX-License-Identifier: GPL-2.0-or-later
# The same of a module of the kernel's by its BTF alone: its initialisation makes as many devices as are there afterwards.
. "$SRCDIR/module.inc"
case $STAP_RELEASE in 5.*) echo "modules of this kernel have no BTF"; exit 77 ;; esac
cat > types.stp <<END
global added, result = "none"
probe module("loop").function("loop_init").return { result = sprintf("%d after %d devices", \$return, added) }
probe module("loop").function("loop_add") { if (\$i == added) added++ }
probe end { println("loop_init returned ", result) }
END
SYSTEMTAP_DEBUGINFO_PATH=/nowhere compile types
cat > run <<'END'
cd "$1"
./staprun -c 'modprobe loop; echo "$(ls -d /sys/block/loop* | wc -l) are there"' types.ko 2>&1
END
in_guest run
