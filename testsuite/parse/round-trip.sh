# SPDX-License-Identifier: GPL-2.0-or-later
# What -p1 prints parses again, to a tree that prints the same: every script here, the examples and the tapset library,
# whose files get a probe, since most have none.
set -eu
status=0
for script in "$SRCDIR"/*.stp "$TOP"/tapsets/*.stp $(find "$TOP"/examples -name '*.stp'); do
    cp "$script" "$TMPDIR/script.stp"
    case $script in "$TOP"/tapsets/*) echo 'probe never { }' >> "$TMPDIR/script.stp" ;; esac
    "$STAP" -g -w -p1 "$TMPDIR/script.stp" 1 5 9 > "$TMPDIR/once.stp" || { echo "$script is not parsed"; status=1; continue; }
    "$STAP" -g -w -p1 "$TMPDIR/once.stp" > "$TMPDIR/twice.stp" || { echo "$script: its print is not parsed"; status=1; continue; }
    cmp "$TMPDIR/once.stp" "$TMPDIR/twice.stp" || { echo "$script: printed differently"; status=1; }
done
exit $status
