# SPDX-License-Identifier: GPL-2.0-or-later
# Local time is what date(1) says in several time zones, half hours and summer time included.
set -eu
now=$(date +%s)
script="probe oneshot { println(tz_name(), \" \", -tz_gmtoff()); println(tz_ctime($now)) }"
for zone in UTC0 CET-1 IST-5:30 NST3:30 PST8 XYZ-12ABC,0/0,364/23; do
  offset=$(TZ=$zone date -d @$now +%:::z | awk -F: '{ s = $1 < 0 || $1 ~ /^-/ ? -1 : 1; print $1 * 3600 + s * ($2 * 60 + $3) }')
  { echo "$(TZ=$zone date -d @$now +%Z) $offset"; TZ=$zone LC_ALL=C date -d @$now '+%a %b %e %T %Y %Z'; } > expected
  TZ=$zone "$STAP" --runtime=user -e "$script" > got
  diff expected got || { echo "in time zone $zone"; exit 1; }
done
