# SPDX-License-Identifier: GPL-2.0-or-later
# Each time that a timer is due it is hit or counted: as skipped, or as an overrun. The sum is the time over the interval.
set -u
run() {
  if [ -n "${MODULE-}" ]; then "$STAPRUN" "$MODULE"; else "$STAP" --runtime=user -DSTP_NO_OVERLOAD -DMAXSKIPPED=-1 "$SCRIPT"; fi
}
read -r hits nanoseconds < <(run 2>err) || { cat err; exit 1; }
skipped=$(sed -n 's/^WARNING: Number of errors: 0, skipped probes: //p' err)
late=$(sed -n 's/^WARNING: Late timer: timer\.us(20) was due \([0-9]*\) times more than it was hit$/\1/p' err)
counted=$((hits + ${skipped:-0} + ${late:-0})) due=$((nanoseconds / 20000))
echo "$hits hits, ${skipped:-no} skipped, ${late:-no} overruns: $counted of $due"
cat err
[ "$counted" -ge $((due - due / 10)) ] && [ "$counted" -le $((due + due / 10)) ]
