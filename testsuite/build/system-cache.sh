# SPDX-License-Identifier: GPL-2.0-or-later
# What root keeps in the system's cache serves a user who has no cache: runtimes, headers, kernels for guests, debuginfo.
# Nothing there is used that another user could have written.
as_root=yes
. "$SRCDIR/installed.inc"
release=${STAP_RELEASE:-none}
own=${XDG_CACHE_HOME:-$HOME/.cache}/stap
unset STAP_DIR SYSTEMTAP_DIR XDG_CACHE_HOME
[ -e "/lib/modules/$release/build/Makefile" ] || { echo "no headers of a kernel"; exit 77; }
[ "$(sed -n 's/^localstatedir = //p' "$BUILD/Makefile")" = '${prefix}/var' ] || { echo "another localstatedir"; exit 77; }
system=$prefix/var/cache/stap
other=65534
tmp=$(mktemp -d) || exit 77
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
install -d -o $other "$tmp/user"

fail() {
	echo "FAILED: $*"
	exit 1
}
user() { # user ARG...: stap, run by a user without a home
	(cd / && env -i PATH="$PATH" TMPDIR="$tmp/user" setpriv --reuid $other --regid $other --clear-groups "$prefix/bin/stap" "$@")
}
hello='probe begin { println("hello ", 6 * 7) exit() }'

# --- a kernel's headers, which are used or not ---
tree=$system/kernels/9.9.9/lib/modules/9.9.9/build
mkdir -p "$tree"
touch "$tree/Makefile"
echo CONFIG_FOUND=y > "$tree/.config"
seen='probe begin { println(%( CONFIG_FOUND == "y" %? "used" %: "not used" %)) }'
look() { # look CASE: whether they are
	echo "$1: $(user -r 9.9.9 -p1 -e "$seen" 2>&1 | grep -o '\(not \)\?used')"
}
root_looks() { echo "$1, for root: $(HOME=/ "$prefix/bin/stap" -r 9.9.9 -p1 -e "$seen" 2>&1 | grep -o '\(not \)\?used')"; }
look "root's alone"
for file in "$tree/Makefile" "$tree" "$system/kernels/9.9.9" "$system/kernels" "$system" "$prefix/var"; do
	name=${file#"$prefix/"}
	mode=$(stat -c %a "$file")
	chmod g+w "$file"
	look "$name writable by a group"
	chmod "$mode" "$file"
	chmod o+w "$file"
	look "$name writable by all"
	chmod "$mode" "$file"
	chown 1 "$file"
	look "$name of another user"
	chown 0 "$file"
done
chmod 1777 "$prefix/var"
look "below a sticky directory"
chmod 755 "$prefix/var"
chown $other "$tree/.config"
look "a file of the user's own"
root_looks "the same file"
chown 0 "$tree/.config"
mv "$system/kernels" "$prefix/elsewhere"
ln -s ../../../elsewhere "$system/kernels"
look "through a link"
chown -h 1 "$system/kernels"
look "through a link of another user"
rm "$system/kernels"
mv "$prefix/elsewhere" "$system/kernels"
look "root's alone again"

# --- the runtime ---
"$prefix/bin/stap" --prepare="$release" > log 2>&1 || fail "$(cat log)"
compile() { # compile CASE
	user -w -v -r "$release" -p4 -e "$hello" > "$tmp/out" 2>&1 || fail "$(cat "$tmp/out")"
	echo "$1: runtimes compiled: $(grep -c '^Preparing the runtime' "$tmp/out")"
}
compile "prepared by root"
chmod g+w "$system"/runtime/*/runtime.o
compile "writable by a group"
chmod g-w "$system"/runtime/*/runtime.o

# --- debuginfo and its index; a kernel for the guest ---
share() { # share NAME: of the tests' own cache
	[ -d "$own/$1" ] && mkdir -p "$system/$1" && mount --bind "$own/$1" "$system/$1"
}
if share debug && share index && [ -e "$system/debug/usr/lib/debug/boot/vmlinux-$release" ]; then
	user -w -r "$release" -l 'kernel.function("vfs_read@fs/read_write.c").call'
else
	echo 'kernel.function("vfs_read@fs/read_write.c:0").call'
fi
if share "kernels/$release" && command -v qemu-system-x86_64 busybox > /dev/null; then
	user -w --vm="$release" -e "$hello"
else
	echo "hello 42"
fi
