# SPDX-License-Identifier: GPL-2.0-or-later
# A script's arrays in Prometheus's text form, made anew for each reader.
. "$SRCDIR/../staprun/guest.inc"
"$STAPRUN" "$MODULE" & script=$!
metrics() { cat /proc/stap_"$name".d/prometheus 2>/dev/null; }
made() { metrics > first && [ -s first ]; }
wait_for made
metrics > second
scrapes() { sed -n 's/^scrapes{x="n"} //p' "$1"; }
echo "one more: $(($(scrapes second) - $(scrapes first)))"
grep -v ^scrapes second
kill -INT $script
wait $script
