#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module is a module by what the file is: under a name without an ending, and under that of a shared object.
for name in script script.so; do
    cp "$MODULE" $name && "$STAPRUN" ./$name || exit 1
done
