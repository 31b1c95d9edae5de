# SPDX-License-Identifier: GPL-2.0-or-later
# Names of a process's addresses come from a library that is loaded for them alone; without it they are addresses, and that is said.
cat > named.stp <<'END'
%{ extern int getppid(void); %}
function where:long() %{ /* pure */ STAP_RETVALUE = (long)getppid; %}
probe begin { println(usymname(where())) println(usymdata(where())) print_usyms(sprintf("0x%x", where() + 1)) }
probe timer.s(20) { exit() }
END
"$STAP" --runtime=user -g -p4 -m named named.stp > /dev/null || exit 1
"$STAP" --runtime=user -p4 -m plain -e 'probe begin { println("hello") exit() }' > /dev/null || exit 1
# Runs until all is printed. The process must be there as long as its mappings are looked at.
run() {
  "$1" ./named.so > out 2> err & pid=$!
  for _ in $(seq 150); do [ "$(grep -c '' out)" -ge 3 ] && break; sleep 0.1; done
  kill -INT $pid; wait $pid
}
run "$STAPRUN"
libc=$(ldd "$STAPRUN" | sed -n 's/.*libc\.so\.6 => \([^ ]*\) .*/\1/p')
libc=$(realpath "$libc")
size=$(readelf -W --dyn-syms "$libc" | awk '$8 ~ /^getppid(@@.*)?$/ { print $3; exit }')
[ "$(head -n 2 out)" = "getppid
getppid+0x0/0x$(printf %x "$size") [$libc]" ] || { echo "names are wrong:"; cat out err; exit 1; }
sed -n '3s/^ 0x[0-9a-f]* : //p' out | grep -qxF "getppid+0x1/0x$(printf %x "$size") [$libc]" || { echo "the stack's name is wrong:"; cat out; exit 1; }

if ldd "$STAPRUN" | grep libdw; then echo "staprun is linked with libdw"; exit 1; fi
LD_DEBUG=files "$STAPRUN" ./plain.so 2>&1 | grep libdw && { echo "libdw is loaded for nothing"; exit 1; }

# A copy elsewhere is not the build tree's, and finds the library of an installed stap or none.
elsewhere=$(mktemp -d) || exit 1
trap 'rm -rf "$elsewhere"' EXIT
cp "$STAPRUN" "$elsewhere/staprun"
run "$elsewhere/staprun"
grep -q '^getppid' out || { grep -q '^WARNING: addresses of processes have no names' err && grep -qx '0x[0-9a-f]*' out; } || { echo "without the library:"; cat out err; exit 1; }
