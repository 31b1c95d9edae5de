# SPDX-License-Identifier: GPL-2.0-or-later
# An installed stap finds its library, its runtime, staprun and what starts the guest. It is installed below a directory
# of the test, which then lies over the prefix, in a name space of its own.
set -u
prefix=$(sed -n 's/^prefix = //p' "$BUILD/Makefile")
[ -d "$prefix" ] || { echo "there is no directory $prefix"; exit 77; }
if [ "${1-}" != inside ]; then
	unshare -rm true 2> /dev/null || { echo "no name space of its own for file systems"; exit 77; }
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$BUILD" install DESTDIR="$PWD/root" > install.log 2>&1 || { cat install.log; exit 1; }
	exec unshare -rm bash "$0" inside
fi
unset SYSTEMTAP_TAPSET
export STAP_DIR=$PWD/stap
mount --bind "root$prefix" "$prefix" || exit 77
"$prefix/bin/stap" --runtime=user -e 'probe begin { println("length ", strlen("four")); exit() }'
"$prefix/bin/stap" --runtime=user -v -p4 -m named -e 'probe begin { println(strlen("four")); exit() }' 2> /dev/null | sed "s|$PWD|PWD|"
"$prefix/bin/staprun" ./named.so
"$prefix/libexec/stap/stap-vm" --list > /dev/null && echo "the guest's script runs"
for helper in stap-vm-host stap-vm-agent mkinitramfs; do [ -x "$prefix/libexec/stap/$helper" ] || echo "no $helper"; done
