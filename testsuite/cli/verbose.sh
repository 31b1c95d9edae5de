# SPDX-License-Identifier: GPL-2.0-or-later
# -v says what each pass did, with its memory and time; --vp says it, or more, of single passes.
set -u
export XDG_CACHE_HOME=$PWD/xdg
figures() { sed -E 's/ using [0-9]+KB, in [0-9]+usr\/[0-9]+sys\/[0-9]+real ms\.$/ (memory, time)/; s/stap_[0-9a-f]{16}/NAME/; s/library of [0-9]+/library of N/; s/\([0-9]+ read\)/(N read)/'; }
script='probe begin { exit() }'
for options in -v -v '--vp 01' '--vp 00001' '--vp 10010 -v --disable-cache' '-v -p2' '-v -p3' '-v -p4'; do
    echo "== $options"
    # shellcheck disable=SC2086
    "$STAP" --runtime=user $options -e "$script" 2>&1 > /dev/null | figures | sed -E 's/^(gcc|cc) -.*/the compile command/'
done
