# SPDX-License-Identifier: GPL-2.0-or-later
# What the command line cannot mean is an error with an id, and exit status 1.
set -u
try() {
    echo "stap $*"
    "$STAP" "$@" 2>&1 < /dev/null
    echo "status $?"
}
try
try --vn
try -Z
try --save-uprobes -e 'probe never { }'
try -p 6 -e 'probe never { }'
try -e
try -e 'probe never { }' -e 'probe never { }'
try -G x -e 'probe never { }'
try -D 1+1=2 -e 'probe never { }'
try --runtime=moon -e 'probe never { }'
try --color=blue -e 'probe never { }'
try -m bad-name -e 'probe never { }'
try -m '' -e 'probe never { }'
try -p1 -E '' -e 'probe never { }'
try -p1 -I '' -e 'probe never { }'
try -p1 -I /no/such/directory -e 'probe never { }'
try -p1 -I /dev/null -e 'probe never { }'
TMPDIR=/dev/null try -p1 -e 'probe never { }'
TMPDIR=/no/such/directory try -p1 --tmpdir=work -e 'probe never { }'
try --vm --runtime=user -e 'probe never { }'
try --vm-run true -e 'probe never { }'
try --vm --vm-run true -c true -e 'probe never { }'
try --vm -x 1 -e 'probe never { }'
try --vm=5.0 -r 6.0 -e 'probe never { }'
try -c true -x 1 -e 'probe never { }'
try -x 0 -e 'probe never { }'
try -p1 /no/such/script.stp
try -p1 -r /no/such/tree -e 'probe never { }'
try -p1 -e 'probe never { x = $1 }' 7 8
try -p1 -W -e 'probe never { }' 8
try -p1 --color=always -e 'probe'
echo 'probe never { println("standard input") }' | "$STAP" -p1 -
exit 0
