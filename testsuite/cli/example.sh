# SPDX-License-Identifier: GPL-2.0-or-later
# Examples are found by name and by words, shown, and run like a script of one's own.
set -u
here=$PWD
"$STAP" --example > all
echo "examples not listed: $(cd "$TOP/examples" && ls */*.stp | sed 's/\.stp$//' | while IFS=/ read -r topic name; do
  grep -q "^$name  *$topic  *[^ ]" "$here/all" || echo "$topic/$name"; done)"
echo "lines too many: $(($(wc -l < all) - $(ls "$TOP"/examples/*/*.stp | wc -l)))"
"$STAP" --example TCP latency | sed 's/ .*//'
for name in flight-recorder flight-recorder.stp general/flight-recorder; do
  "$STAP" --example --show $name > shown
  head -c "$(wc -c < "$TOP/examples/general/flight-recorder.stp")" shown | cmp - "$TOP/examples/general/flight-recorder.stp"
done
grep -A 1 '^// run:' shown
"$STAP" -p1 shown a > /dev/null && echo "what is shown is a script"
# Arguments are the script's own, which this one can't do without.
"$STAP" --example flight-recorder -p1 name 12 | grep -c '"name"'
"$STAP" -p1 --example flight-recorder 2>&1 | grep -m 1 error
# The limits of its description hold, unless an option says otherwise.
"$STAP" -p3 --example folded-stacks | grep -o 'max_action_interruptible = [0-9]*'
"$STAP" -p3 -DMAXACTION_INTERRUPTIBLE=77 --example folded-stacks | grep -o 'max_action_interruptible = [0-9]*'
"$STAP" --example flight-recordr
"$STAP" --example flight-recordr --show
"$STAP" --example nothing like that
"$STAP" --show x.stp
"$STAP" --example flight-recorder -e 'probe begin {}'
[ $? = 1 ]
