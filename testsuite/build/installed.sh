# SPDX-License-Identifier: GPL-2.0-or-later
# An installed stap finds its library, its runtime, staprun and what starts the guest.
. "$SRCDIR/installed.inc"
export STAP_DIR=$PWD/stap
"$prefix/bin/stap" --runtime=user -e 'probe begin { println("length ", strlen("four")); exit() }'
"$prefix/bin/stap" --runtime=user -v -p4 -m named -e 'probe begin { println(strlen("four")); exit() }' 2> /dev/null | sed "s|$PWD|PWD|"
"$prefix/bin/staprun" ./named.so
"$prefix/libexec/stap/stap-vm" --list > /dev/null && echo "the guest's script runs"
for helper in stap-vm-host stap-vm-agent mkinitramfs; do [ -x "$prefix/libexec/stap/$helper" ] || echo "no $helper"; done
