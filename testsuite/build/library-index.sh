# SPDX-License-Identifier: GPL-2.0-or-later
# The library's files are read once; then only those that changed and those that are needed, whatever way files change.
set -u
export XDG_CACHE_HOME=$PWD/xdg
unset STAP_DIR SYSTEMTAP_DIR
export SYSTEMTAP_TAPSET=$PWD/lib
mkdir lib
for i in $(seq 600); do
    printf 'global g%d = %d\nfunction f%d:long() { return %d }\nprobe a%d.x = never { v = g%d }\n' "$i" "$i" "$i" "$i" "$i" "$i" > "lib/$i.stp"
done
printf '@define m1 %%( 11 %%)\n@define both %%( @m1 + 1 %%)\n' > lib/one.stpm
printf '@define m2 %%( 22 %%)\n' > lib/two.stpm

# What of the library was read, and what became of the script.
p3() {
    local what=$1
    shift
    "$STAP" --runtime=user -v -p3 "$@" > out 2> err || echo "status $?"
    sed -n 's/.*(\([0-9]*\) read) .*/'"$what"': \1 read/p; /^error/p; /hint/p' err
}
p3 'first' -e 'probe begin { println(f7()) }'
p3 'again' -e 'probe begin { println(f7()) }'
grep -c 'result = 7;' out
p3 'a global' -e 'probe begin { println(g8) }'
p3 'an alias' -e 'probe a9.x { println(v) }'
p3 'some aliases' -e 'probe a59*.x { println(v) }'
p3 'a macro of a macro' -e 'probe begin { println(@both) }'
p3 'two macro files' -e 'probe begin { println(@both, @m2) }'
p3 'near names' -e 'probe begin { f6001() }'

echo 'function f7:string() { return "other" }' > lib/7.stp
p3 'a file changed' -e 'probe begin { println(f7()) }'
grep -q '"other"' out && echo 'other'
touch -r lib/7.stp stamp
echo 'function f7:string() { return "OTHER" }' > new; touch -r stamp new; mv new lib/7.stp
p3 'replaced, same size and time' -e 'probe begin { println(f7()) }'
grep -q '"OTHER"' out && echo 'OTHER'
mv lib/8.stp lib/x8.stp
p3 'renamed' -e 'probe begin { println(f8()) }'
rm lib/x8.stp
p3 'removed' -e 'probe begin { println(f8()) }'
mkdir lib/x86_64
echo 'function f9:string() { return "of the architecture" }' > lib/x86_64/9.stp
p3 'a more specific folder' -e 'probe begin { println(f9()) }'
grep -q 'of the architecture' out && echo 'its own'

# -I comes first, and a relative one is where one stands.
mkdir -p there/mine elsewhere/mine
echo 'function f10:long() { return 1000 } function own() { return 1 }' > there/mine/a.stp
echo 'function own() { return 2 }' > elsewhere/mine/a.stp
(cd there && p3 '-I' -I mine -e 'probe begin { println(f10(), own()) }' && grep -c 'result = 1000;' out)
(cd there && p3 '-I again' -I mine -e 'probe begin { println(f10(), own()) }')
(cd elsewhere && p3 'another -I' -I mine -e 'probe begin { println(own()) }' && grep -c 'result = 2;' out)

for list in xdg/stap/tapsets/*; do truncate -s -3 "$list"; done
p3 'damaged' -e 'probe begin { println(f11()) }'
p3 'mended' -e 'probe begin { println(f11()) }'
p3 'no cache' --disable-cache -e 'probe begin { println(f11()) }'
