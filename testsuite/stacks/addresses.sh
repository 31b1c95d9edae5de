# SPDX-License-Identifier: GPL-2.0-or-later
# The programs run one after the other, and have ended when the script ends. What changes from run to run is left out, how deep
# unnamed stacks are too.
for programs in './first; ./left' './left; ./right'; do
  "$STAPRUN" -c "sh -c '$programs'" "$MODULE" | sed 's/0x[0-9a-f]*/0x-/g; s,\[/.*/\([^/]*\)\],[\1],; /libc/d; / : _start/d' | uniq
done
