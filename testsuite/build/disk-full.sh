# SPDX-License-Identifier: GPL-2.0-or-later
# A full disk is an error with its own id where there is no way on, a warning where only the cache suffers.
set -u
if [ "${1-}" != inside ]; then
    unshare -rm true 2> /dev/null || { echo "no name space of its own for file systems"; exit 77; }
    exec unshare -rm bash "$0" inside
fi
err=$PWD/err
unset STAP_DIR SYSTEMTAP_DIR TMPDIR
mkdir full room
mount -t tmpfs -o size=64k full full || exit 77
export XDG_CACHE_HOME=$PWD/room TMPDIR=$PWD/full
stap() {
    "$STAP" --runtime=user "$@" -e 'probe begin { println("it ran") exit() }' 2> $err
    echo "status $?"
    sed "s|$PWD/||g; s|stap-[A-Za-z0-9]\{6\}/stap_[0-9a-f]*|NAME|g" $err | grep -E '^(error|WARNING)|hint:' | sed 's/\(: Pass 4: compilation failed:\).*/\1/'
}
stap
find full -mindepth 1
find room -name '*.so'

export TMPDIR=$PWD/room XDG_CACHE_HOME=$PWD/full
mkdir -p full/stap
head -c 100000 /dev/zero > full/filler 2> /dev/null
stap | sed 's|/scripts/.*: No space|...: No space|'
find full/stap -type f
cd full && stap --disable-cache -m name | sed 's|: /.*/|: |'
ls
cd ..
umount full
