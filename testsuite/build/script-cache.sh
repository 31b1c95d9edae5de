# SPDX-License-Identifier: GPL-2.0-or-later
# The same script gives the same object from the cache; whatever could change it is a miss; damage is noticed.
set -u
export XDG_CACHE_HOME=$PWD/xdg
unset STAP_DIR SYSTEMTAP_DIR
mkdir lib
echo 'function lib_answer() { return 42 }' > lib/answer.stp
echo 'probe begin { println(lib_answer(), " ", $1) exit() }' > script.stp

# How often passes ran: "built" or "cached", then what the script printed.
again() {
    local what=$1
    shift
    "$STAP" --runtime=user -v "$@" > out 2> err || { echo "$what: failed"; cat err; }
    echo "$what: $(grep -q '^Pass 3:' err && echo built || echo cached): $(cat out)"
}
run() { again "$1" -I lib "${@:2}"; }
object() { echo xdg/stap/scripts/*/"$(sed -n 's/.*"\(stap_.*\.so\)".*/\1/p' err)"; }

run 'first' script.stp 1
run 'second' script.stp 1
run 'another argument' script.stp 2
run 'another option' -DMAXACTION=500 script.stp 1
run 'run-time options' -vv -o /dev/stdout -T 20 script.stp 1
run 'not read' --disable-cache script.stp 1
run 'poisoned' --poison-cache script.stp 1
run 'after that' script.stp 1
cp script.stp other.stp
run 'another name' other.stp 1

echo 'function lib_answer() { return 43 }' > lib/answer.stp
run 'tapset changed' script.stp 1
run 'and again' script.stp 1
echo 'function lib_other() { return 43 }' > lib/other.stp
run 'tapset file added' script.stp 1
rm lib/other.stp
run 'and removed' script.stp 1

object=$(object)
size=$(stat -c %s "$object")
truncate -s $((size - 1)) "$object"
run 'shorter' script.stp 1
printf 'X' | dd of="$object" bs=1 seek=$((size / 2)) conv=notrunc status=none
run 'a byte changed' script.stp 1
rm "$object"
run 'object gone' script.stp 1
for meta in xdg/stap/scripts/*/*.meta; do echo x > "$meta"; done
run 'meta damaged' script.stp 1
run 'mended' script.stp 1

# A process's script, too, may have asked for the kernel's configuration.
mkdir -p tree/include/config
echo 6.1.0-test > tree/include/config/kernel.release
echo 'probe begin { println(%( CONFIG_HZ == 100 %? "slow" %: "fast" %)) exit() }' > ticks.stp
echo CONFIG_HZ=100 > tree/.config
run 'configured' -r "$PWD/tree" ticks.stp
run 'the same' -r "$PWD/tree" ticks.stp
echo CONFIG_HZ=1000 > tree/.config
run 'configured otherwise' -r "$PWD/tree" ticks.stp

# Warnings are repeated.
echo 'probe begin { exit() } function unused() { return 1 } probe never { }' > warn.stp
"$STAP" --runtime=user warn.stp 7 > out.1 2> err.1
"$STAP" --runtime=user warn.stp 7 > out.2 2> err.2
cmp err.1 err.2 && grep -c '^WARNING' err.2

# Another user's directory, or one that a group can write to, is not used.
mkdir -p -m 755 bad/cache
chmod 775 bad/cache
STAP_DIR=$PWD/bad run 'open to others' script.stp 1
grep '^WARNING' err | sed "s,$PWD/,,"
ls -A bad/cache
STAP_DIR=$PWD/own run 'elsewhere' script.stp 1
ls own
HOME=$PWD/home XDG_CACHE_HOME= run 'at home' script.stp 1
ls home/.cache
