# SPDX-License-Identifier: GPL-2.0-or-later
# A script's metrics are JSON that Python reads, with the values that the script gave.
. "$SRCDIR/../staprun/guest.inc"
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
"$STAPRUN" "$MODULE" & script=$!
wait_for test -e /proc/stap_"$name".d/data.json
files=/proc/stap_$name.d
read_data() { cat "$files/data.json"; }
wait_for read_data > /dev/null 2>&1
cat "$files/metadata.json" "$files/data.json" | tee got | python3 -c '
import json, sys
meta, data = (json.loads(line) for line in sys.stdin)
print(json.dumps(meta, indent=1))
print(data["who"], data["reads"] >= 2)
for cpu in data["cpus"]: print(cpu)
' || { cat got; fail "no JSON"; }
kill -INT $script
wait $script
