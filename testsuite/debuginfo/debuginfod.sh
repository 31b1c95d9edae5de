# SPDX-License-Identifier: GPL-2.0-or-later
# With DEBUGINFOD_URLS, what only DWARF can answer is fetched; what BTF answers is not.
. "$SRCDIR/kernel.inc"
ls /usr/lib/*/libdebuginfod.so.1 /usr/lib*/libdebuginfod.so.1 > libraries 2>&1 || grep -q '^/' libraries || { echo "no libdebuginfod"; exit 77; }
file=$(find -L "$cache/debug" -name 'veth.ko*' 2> find.log | head -n 1)
[ -n "$file" ] || { echo "no debuginfo of veth"; exit 77; }
without_debuginfo
id=$(eu-readelf -n "$file" | sed -n 's/.*Build ID: //p')
mkdir -p "server/buildid/$id"
cp "$file" "server/buildid/$id/debuginfo"
export DEBUGINFOD_URLS=file://$PWD/server
show() { sed "s|$STAP_RELEASE|RELEASE|g; s/:[0-9]*\"/:N\"/"; }
stap -l 'module("veth").function("veth_xmit")' | show
stap -l 'module("veth").function("veth_xmit@drivers/net/veth.c")' | show
stap -p2 -e 'probe module("veth").function("veth_xmit") { println($$parms) }' 2>&1 | show
stap -p2 -e 'probe module("veth").function("veth_xmit") { println($$locals) }' 2>&1 | show
rm -r server "$XDG_CACHE_HOME/debuginfod_client"
stap -p2 -e 'probe module("veth").function("veth_xmit") { println($$locals) }' 2>&1 | grep -E '^error|hint:' | show
