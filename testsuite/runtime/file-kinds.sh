# SPDX-License-Identifier: GPL-2.0-or-later
# staprun tells a process script by what the file is, not by its name, and refuses what is no script.
. "$(dirname "$0")/runtime.inc"
script sample-program
cp "$work/sample-program.so" "$work/process.ko"
"$staprun" "$work/process.ko" | head -n 1
cd "$work" || exit 1
cp sample-program.so plain
"$staprun" plain last=here | head -n 1
echo 'probe begin { }' > text.ko
echo 'int n;' | $CC -x c -c -o object.ko -
cp /dev/null empty.so
for file in text.ko object.ko empty.so missing.ko; do
    "$staprun" $file 2>&1
    echo "status $?"
done
