# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel of which nothing is known: every form of a function probe says so.
export SYSTEMTAP_DEBUGINFO_PATH=/nonexistent
unset DEBUGINFOD_URLS
for form in '' .call .inline .exported .return '.return.maxactive(5)'; do
  "$STAP" -r 0.0.0-none -l "kernel.function(\"vfs_read\")$form" 2>&1 | grep -E '^error|note:'
done
"$STAP" -r 0.0.0-none -l 'module("veth").function("*").call' 2>&1 | grep -E '^error|hint:'
