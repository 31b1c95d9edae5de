# SPDX-License-Identifier: GPL-2.0-or-later
# The cache stays within its limit: what was used longest ago goes, and nothing that is in use.
set -u
export XDG_CACHE_HOME=$PWD/xdg
unset STAP_DIR SYSTEMTAP_DIR
cache=xdg/stap
compile() { "$STAP" --runtime=user -p4 -e "probe begin { println($1) exit() }"; }
kept() { find $cache/scripts -name '*.so' | wc -l; }

old=$(compile 1) used=$(compile 2) new=$(compile 3)
echo "kept: $(kept)"
cat $cache/cache_mb_limit $cache/cache_clean_interval_s

# All entries are older than a minute, one of them by a day; then one is used.
find $cache/scripts -type f -exec touch -d '-1 hour' {} +
touch -d '-1 day' "${old%.so}".*
[ "$(compile 2)" = "$used" ] || echo "another object"
"$STAP" --clean-cache
echo "within the limit: $(kept)"
echo 0 > $cache/cache_mb_limit
"$STAP" --clean-cache -v 2>&1 | sed "s|$PWD/||"
for object in "$old" "$used" "$new"; do
    [ -e "$object" ] && echo there || echo gone
done

# The limit is kept by itself, at the interval.
compile 4 > /dev/null
find $cache/scripts -type f -exec touch -d '-1 hour' {} +
compile 5 > /dev/null
echo "too early: $(kept)"
touch -d '-1 hour' $cache/cache_clean_interval_s
compile 6 > /dev/null
echo "in time: $(kept)"
echo nonsense > $cache/cache_mb_limit
"$STAP" --clean-cache && echo "the default limit: $(kept)"

# What was read out of debuginfo and kernel images counts too, and is not gone while it was used lately; locks stay.
echo 6 > $cache/cache_mb_limit
mkdir -p $cache/index $cache/btf
for file in index/aa index/bb btf/old; do head -c 3M /dev/urandom > $cache/$file; done
touch $cache/index/aa.lock
touch -d '-2 hours' $cache/index/aa
touch -d '-1 hour' $cache/index/bb
touch -d '-1 day' $cache/btf/old $cache/index/aa.lock
"$STAP" --clean-cache
ls $cache/index $cache/btf
touch $cache/index/bb
echo 0 > $cache/cache_mb_limit
"$STAP" --clean-cache
ls $cache/index $cache/btf
rm -r $cache/index $cache/btf
echo 256 > $cache/cache_mb_limit

# What a killed build left goes after a day.
mkdir -p $cache/runtime/stap-aaaaaa/work $cache/runtime/stap-bbbbbb
touch -d '-2 days' $cache/runtime/stap-aaaaaa
"$STAP" --clean-cache
ls $cache/runtime
