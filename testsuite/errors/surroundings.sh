# SPDX-License-Identifier: GPL-2.0-or-later
# What is wrong around stap: no directory for temporary files, no headers, no place for -m, no kernel for the guest.
set -u
try() { "$@" 2>&1 < /dev/null | sed "s|$BUILD|BUILD|; s|$PWD|PWD|g" | cut -c 1-200; echo "status ${PIPESTATUS[0]}"; }
script='probe begin { println(1); exit() }'

mkdir empty
PATH=$PWD/empty /usr/bin/env -i PATH="$PWD/empty" HOME="$PWD" "$STAP" -p4 --runtime=user --disable-cache -e "$script" 2>&1; echo "status $?"
TMPDIR=/no/such/directory try "$STAP" -p4 --runtime=user --disable-cache -e "$script"

try "$STAP" -r 0.0.1-none -e 'probe begin { println(no_such_function()) }'

# No headers of that kernel; headers whose makefile does not work.
try "$STAP" -p4 -r 0.0.1-none --disable-cache -e "$script"
mkdir -p tree/include/generated tree/include/config
echo 0.0.1-broken > tree/include/config/kernel.release
touch tree/include/generated/autoconf.h
printf 'modules:\n\t@echo no such rule; exit 3\n' > tree/Makefile
try "$STAP" -p4 -r "$PWD/tree" --disable-cache -e "$script" | sed 's/(make .*/(make ...):/; /^make:/d'

mkdir cache kept
export STAP_DIR=$PWD/kept
(cd cache && "$STAP" -p4 -m named --runtime=user -e "$script" > /dev/null)
(cd /proc && try "$STAP" -p4 -m named --runtime=user -e "$script")

# The absolute name of the output is longer than an argument may be.
long=$(printf '%0131065d' 7)
try "$STAP" --runtime=user -o "$long" -e "$script" | sed 's/0000*7/LONG/'

ls /boot/vmlinuz* > /dev/null 2>&1 && { echo "a kernel is installed here"; exit 77; }
XDG_CACHE_HOME=$PWD/cache try "$STAP" --vm -e "$script"
