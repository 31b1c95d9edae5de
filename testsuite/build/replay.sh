# SPDX-License-Identifier: GPL-2.0-or-later
# A replayed module has the sections, flags, module information and kernel symbols of one that kbuild makes.
. "$SRCDIR/common.inc"

build cache replayed.ko || fail "replay"

mkdir kbuild
cp -r "$runtime/kernel" "$runtime/abi" "$runtime/core" "$runtime/host.h" kbuild
mv kbuild/kernel/Kbuild kbuild/Kbuild
rm kbuild/kernel/template.c
cp script.c kbuild/script.c
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C "$tree" M="$scratch/kbuild" STAP_MODULE=replayed modules > kbuild.log 2>&1 ||
    { cat kbuild.log; fail "kbuild"; }

# name, type and flags; not debug information, which replayed modules do without
sections() {
    LC_ALL=C readelf -SW "$1" | sed -n 's/^ *\[ *[0-9]*\] //p' | awk '$1 !~ /debug|^Name$|NULL/ { print $1, $2, $7 ~ /[A-Z]/ ? $7 : "" }' | sort
}
symbols() { nm -u "$1" | sort; }
# the template's thunks and memory functions have versions too: a superset
information() { PATH=$PATH:/usr/sbin modinfo "$1" | grep -v '^filename:' | sort; }
sections replayed.ko > replayed.sections
sections kbuild/replayed.ko > kbuild.sections
information replayed.ko > replayed.information
information kbuild/replayed.ko > kbuild.information
symbols replayed.ko > replayed.symbols
symbols kbuild/replayed.ko > kbuild.symbols
for what in sections information symbols; do
    diff kbuild.$what replayed.$what || fail "$what differ"
done

build cache again.ko || fail "second build"
cmp replayed.ko again.ko || fail "not reproducible"
echo same
