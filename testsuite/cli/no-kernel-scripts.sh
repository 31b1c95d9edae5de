# SPDX-License-Identifier: GPL-2.0-or-later
# Where the running kernel can run no script, stap says why and what else there is, and ./try takes the guest.
# What a machine shows of its kernel is made here: /proc is replaced in a name space of its own.
set -u
if [ "${1-}" != inside ]; then
	unshare -rm true 2> /dev/null || { echo "no name space of its own for file systems"; exit 77; }
	exec unshare -rm bash "$0" inside
fi
top=$TOP
. "$TOP/scripts/setup.sh"
running=$(uname -r)
script='probe begin { println("it ran"); exit() }'
export STAP_DIR=$PWD/stap XDG_CACHE_HOME=$PWD/cache
mkdir proc none

# /proc with an entry or two of another machine: the true ones are behind links.
mount -t tmpfs proc proc
mkdir proc/true proc/sys proc/sys/kernel
mount --rbind /proc proc/true
for entry in self mounts filesystems version; do ln -s "true/$entry" "proc/$entry"; done
mount --rbind proc /proc

heading() { echo "--- $*"; }
say_why() {
	"$@" 2>&1 | sed "s/$running/RELEASE/g"
	echo "status ${PIPESTATUS[0]}"
}
# A kernel for the guest, as far as its list is concerned.
put_guest_kernel() {
	mkdir -p "$XDG_CACHE_HOME/stap/kernels/6.1.0-none/lib/modules/6.1.0-none/kernel" "$XDG_CACHE_HOME/stap/kernels/6.1.0-none/boot"
	touch "$XDG_CACHE_HOME/stap/kernels/6.1.0-none/boot/vmlinuz-6.1.0-none"
}
# What ./try would run.
tried() {
	(export STAP_RELEASE=6.1.0-none; choose_guest "$@"; echo "stap ${guest[*]:+${guest[*]} }$*") 2>&1 | sed "s/$running/RELEASE/g"
}

mount --bind none /lib/modules
[ ! -d /boot ] || mount --bind none /boot

heading "no /proc/modules, and no kernel for the guest either"
say_why "$STAP" -e "$script"
put_guest_kernel
heading "no /proc/modules"
say_why "$STAP" -e "$script"
say_why "$STAP" --runtime=user -e "$script"
tried -e SCRIPT
tried --runtime=user -e SCRIPT
tried --vm=OTHER -e SCRIPT

touch /proc/modules
heading "modules are switched off"
echo 1 > /proc/sys/kernel/modules_disabled
say_why "$STAP" -e "$script"
tried -e SCRIPT
echo 0 > /proc/sys/kernel/modules_disabled

heading "not root"
say_why unshare -U --map-user=1000 "$STAP" -e "$script"

heading "no headers"
say_why "$STAP" -e "$script"
tried -e SCRIPT
# Building needs no kernel that loads modules, but its headers all the same.
rm /proc/modules
say_why "$STAP" -p4 -e "$script"

heading "all is there"
touch /proc/modules
mkdir -p "none/$running/build"
touch "none/$running/build/Makefile"
tried -e SCRIPT
