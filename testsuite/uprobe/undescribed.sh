# SPDX-License-Identifier: GPL-2.0-or-later
# A variable of a program that has no debuginfo that can be read: what keeps it from being read is said.
command -v objcopy > /dev/null || { echo "no objcopy"; exit 77; }
cp "$SRCDIR/program.c" .
gcc -O1 program.c -o without
gcc -O1 -g program.c -o packed && objcopy --compress-debug-sections=zstd packed 2> /dev/null || { echo "no zstd in objcopy"; exit 77; }
gcc -O1 -g -gsplit-dwarf program.c -o split && rm *.dwo
gcc -O1 -g program.c -o whole && objcopy --compress-debug-sections=zlib whole
for program in without packed split whole; do
  "$STAP" -p2 -e "probe process(\"./$program\").function(\"add\") { println(\$times) }" 2>&1 | sed -n "s|$PWD/||; s/^  note: //p; s/^process.*function(.*/it is read/p"
done
"$STAP" -p2 -e 'probe process("./packed").function("add") { println($$locals) }' 2>&1 | sed "s|$PWD/||"
