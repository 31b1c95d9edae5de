# SPDX-License-Identifier: GPL-2.0-or-later
# Whatever the runtime and a script call indirectly may be called so where the kernel checks it.
grep -q '\.ibt_endbr_seal' <(readelf -SW "$MODULE") || { echo "this kernel does not check indirect branches"; exit 77; }
perl "$SRCDIR/branch-targets.pl" "$MODULE"
