# SPDX-License-Identifier: GPL-2.0-or-later
# `**` in a list: the forms that take arguments, as --dump-probe-types has them, and what there is of a program that is named.
cat > listed.c <<'END'
#include <unistd.h>
__attribute__((noipa)) int touch(int n) { return n + 1; }
int main(void) { return touch(getppid()); }
END
gcc -O1 -g listed.c -o listed || exit 1
# Of the forms without aliases nothing is left out, and nothing else is there.
"$STAP" --dump-probe-types | grep '(' > types
"$STAP" -l '**' | grep '(string)\|(number)' | grep -vxFf types
"$STAP" -l '**' > all
grep -vxFf all types
"$STAP" -l 'process("./listed").**' | sed "s|$(pwd -P)|HERE|" | grep -v library > of_program
grep -v '(string)\|(number)\|__cxa' of_program
# The program's forms are those of process(string).
sed -n 's|process("./listed")|process(string)|p' of_program | grep '(string).*(string)\|(number)' | sort > forms
grep '^process(string)' types | grep -v library | grep '(string).*(string)\|(number)' | LC_ALL=C sort | diff - <(LC_ALL=C sort forms) && echo "the same forms"
"$STAP" -l 'process("./nothing").**'; echo $?
"$STAP" -l 'timer.**' | grep -x 'timer.s(number)'
