# SPDX-License-Identifier: GPL-2.0-or-later
# Options stand before the script or behind it; `--` ends them; behind the script, what is no option is its argument.
set -u
echo 'probe begin { for (i = 1; i <= argc; i++) printdln(" ", i, argv[i]); println(target() > 0); exit() }' > arguments.stp
try() {
    echo "stap $*"
    "$STAP" "$@" 2>&1 < /dev/null
    echo "status $?"
}
try arguments.stp --runtime=user one -c true two -T 5
try --runtime=user arguments.stp -5 - --no-such-thing -Z -x 1
try --runtime=user -- arguments.stp -x 1 -- -v
try arguments.stp --runtime=user -x 1 -- -c true
try --runtime=user -e 'probe begin { println($1 + $2); exit() }' -5 -kT 3 -7 2>&1 | sed 's|directory /.*|directory|'
try one -p1 -e 'probe never { println(@1) }'
try -l begin -p2 one
try arguments.stp --runtime=sun
try arguments.stp --guru -p1
try -5 arguments.stp
# An option behind the script counts for what is kept of it.
echo 'probe begin { println(%( guru_mode == 1 %? "guru" %: "plain" %)); exit() }' > guru.stp
export SYSTEMTAP_DIR=$PWD/cache
try guru.stp --runtime=user
try guru.stp --runtime=user -g
try -g --runtime=user guru.stp
exit 0
