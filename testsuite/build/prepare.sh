# SPDX-License-Identifier: GPL-2.0-or-later
# stap --prepare makes a kernel's runtime once; modules named by -m are the same, byte for byte, however they were made.
set -u
[ -e "/lib/modules/$STAP_RELEASE/build/Makefile" ] || { echo "no headers of kernel '$STAP_RELEASE'"; exit 77; }
export XDG_CACHE_HOME=$PWD/xdg
unset STAP_DIR SYSTEMTAP_DIR
"$STAP" --prepare="$STAP_RELEASE" 2>&1 | sed "s/$STAP_RELEASE/RELEASE/"
"$STAP" --prepare="$STAP_RELEASE" -v 2>&1 | sed "s/$STAP_RELEASE/RELEASE/; s/[0-9][0-9]*/N/g"
ls xdg/stap/runtime/*/

echo 'global n  probe timer.ms(10) { n[pid()] <<< 1 }  probe end { foreach (p in n) println(p, @count(n[p])) }' > plain.stp
echo '%{
#include <linux/module.h>
%}
function loaded:string() %{ STAP_RETURN(THIS_MODULE->name); %}
probe begin { println(loaded()) }' > headers.stp
for script in plain.stp headers.stp; do
    for way in built cached '--disable-cache' '--poison-cache' '--tmpdir ./work'; do
        options=$way
        [ "${way#-}" != "$way" ] || options=
        # shellcheck disable=SC2086
        "$STAP" -g -r "$STAP_RELEASE" -p4 -m same $options -v "$script" > out 2> err || { cat err; continue; }
        cmp same.ko "${first-same.ko}" && echo "$script, $way: $(sed "s,$PWD/,," out), $(grep -q '^Pass 3' err && echo built || echo cached)"
        [ -n "${first-}" ] || { first=first.ko; cp same.ko first.ko; }
    done
    unset first
done
PATH=$PATH:/usr/sbin modinfo -F name same.ko

"$STAP" --prepare=0.0.0-none 2>&1
echo "status $?"
