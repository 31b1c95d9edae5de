# SPDX-License-Identifier: GPL-2.0-or-later
# DWARF and BTF agree on all exported functions, their parameters' places, and the members of the structures they lead to.
. "$SRCDIR/kernel.inc"
need_debuginfo
"$BUILD/testsuite/debuginfo/btf-sweep" "$STAP_RELEASE"
for module in virtio bridge; do
  stap -l "module(\"$module\").function(\"*@*\").exported" > functions 2>&1 || continue
  "$BUILD/testsuite/debuginfo/btf-sweep" "$STAP_RELEASE" "$module" | grep unexplained
done
