# SPDX-License-Identifier: GPL-2.0-or-later
# Many builders of one script at once, some of a damaged entry: each gets a whole object, nothing is left over.
set -u
export XDG_CACHE_HOME=$PWD/xdg
unset STAP_DIR SYSTEMTAP_DIR
for round in 1 2; do
    pids=()
    for i in 1 2 3 4; do
        "$STAP" --runtime=user -e 'probe begin { println("whole") exit() }' > out.$i 2> err.$i &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid" || echo "failed: $(cat err.*)"; done
    cat out.*
    find xdg -name '*.tmp.*'
    for object in xdg/stap/scripts/*/*.so; do : > "$object"; done
done
find xdg -name '*.so' | wc -l
