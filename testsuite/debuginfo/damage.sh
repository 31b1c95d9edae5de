# SPDX-License-Identifier: GPL-2.0-or-later
# Damaged DWARF and BTF are read to some end, never beyond their bytes.
. "$SRCDIR/kernel.inc"
for version in 4 5; do
  gcc -gdwarf-$version -O2 -shared -fPIC "$SRCDIR/sample.c" -o "sample.$version" || exit 1
  "$BUILD/testsuite/debuginfo/damage" dwarf "sample.$version" 3000 || exit 1
done
"$BUILD/testsuite/debuginfo/damage" btf "$STAP_RELEASE" 4
