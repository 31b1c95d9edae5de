# SPDX-License-Identifier: GPL-2.0-or-later
# Rust functions by name, in both manglings, with debuginfo and by symbols alone; what a method's parameters are.
command -v rustc > /dev/null || { echo "no rustc"; exit 77; }
cp "$SRCDIR/rust.rs" shapes.rs
rustc -g -O shapes.rs -o legacy && rustc -g -O -C symbol-mangling-version=v0 shapes.rs -o v0 &&
  rustc -O -C symbol-mangling-version=v0 -C strip=debuginfo shapes.rs -o symbols || exit 77
list() { # PROGRAM NAME...
  for name in "${@:2}"; do
    echo "$1 $name:"
    timeout 60 "$STAP" -L "process(\"./$1\").function(\"$name\").call" 2>&1 | sed 's/process("[^"]*")/process(PROGRAM)/' | sort
  done
}
# The older mangling has no generic arguments.
list legacy shape::Rect::grow grow 'shapes::shape::Rect::*' '*Area*::area'
for program in v0 symbols; do
  list $program shape::Rect::grow grow 'shapes::shape::Rect::*' 'shape::largest<i64>' 'largest*' '*Area*::area'
done
