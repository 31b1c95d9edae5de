# SPDX-License-Identifier: GPL-2.0-or-later
# What -l and -L print of events, marks and the linkage table, and what is said of a variable that a mark does not have.
gcc -O2 "$SRCDIR/mark.c" -o mark && gcc -O1 -fno-builtin "$SRCDIR/plt.c" -o plt || exit 77
here=$(pwd -P)
list() { "$STAP" -r "${STAP_RELEASE:-none}" "$@" 2>&1 | sed "s|$here|HERE|"; }
list -L 'process("./mark").mark("*")'
list -l 'process("./mark").provider("demo").mark("s*")'
list -L 'process("./plt").plt("[ag]*")'
list -l 'process("./plt").plt.return' | grep abs
list -L 'process.syscall*'
list -l 'process(1).**' | grep -v '(string)\|(number)\|function\|plt'
list -l 'process("./plt").thread.*'
list -p2 -e 'probe process("./mark").mark("step") { println($arg3) $arg1 = 1 }'
list -p2 -e 'probe process("./mark").mark("forms") { println($arg19, $arg20, $arg23) }' | grep -v '^ *[0-9]* |\|^ *|\|-->'
list -p2 -e 'probe process("./mark").provider("dem").mark("step") { }' | grep hint
