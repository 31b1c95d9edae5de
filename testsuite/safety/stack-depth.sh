# SPDX-License-Identifier: GPL-2.0-or-later
# The runtime's functions need no more stack than runtime/abi/stack.h says: gcc's call graphs with the frames, added up.
# What the kernel's functions below need is not seen; half of the bound is left to them.
bound=$(awk '/define STAP_RUNTIME_STACK/ { print $3 }' "$TOP/runtime/abi/stack.h")
[ "$bound" -gt 0 ] || exit 1
echo 'int f(void) { return 0; }' > probe.c
${CC:-gcc} -O2 -fcallgraph-info=su -c probe.c 2> /dev/null || { echo "gcc has no -fcallgraph-info"; exit 77; }
rm -f probe.*
for file in "$TOP"/runtime/core/*.c; do
	${CC:-gcc} -std=gnu11 -O2 -ffreestanding -fno-stack-protector -I"$TOP/runtime" -I"$TOP/runtime/abi" -fcallgraph-info=su \
		-c "$file" -o "$(basename "$file" .c).o" || exit 1
done

# deepest FROM: the bytes of the deepest chain of calls from functions whose names match, with the return addresses, then
# the chain. Recursion and frames without a bound fail. What runs on the context's own stack is not followed from outside.
deepest() {
	awk -v from="$1" '
	function quoted(key,   at, rest) {
		at = index($0, key ": \"")
		rest = substr($0, at + length(key) + 3)
		return at ? substr(rest, 1, index(rest, "\"") - 1) : ""
	}
	function depth(name,   i, n, list, d, best) {
		if (name in done) return done[name]
		if (running[name]) { print "recursion: " name > "/dev/stderr"; bad = 1; return 0 }
		running[name] = 1
		n = split(callees[name], list, " ")
		for (i = 1; i <= n; i++)
			if ((d = depth(list[i])) > best) { best = d; callee[name] = list[i] }
		running[name] = 0
		return done[name] = best + frame[name] + 8
	}
	/^node:/ {
		if (match($0, /[0-9]+ bytes/)) frame[quoted("title")] = substr($0, RSTART, RLENGTH) + 0
		if ($0 ~ /\(dynamic/) { print "no bound: " quoted("title") > "/dev/stderr"; bad = 1 }
	}
	/^edge:/ { callees[quoted("sourcename")] = callees[quoted("sourcename")] " " quoted("targetname") }
	END {
		for (name in frame)
			if (name ~ from && depth(name) > most) { most = depth(name); first = name }
		printf "%d", most
		for (name = first; name; name = callee[name]) printf " %s(%d)", name, frame[name]
		print ""
		exit bad
	}' ./*.ci
}

on_own=$(deepest '^stap_') && on_hit=$(deepest '^stap_hit(_entry)?$') || exit 1
echo "on the context's stack: $on_own"
echo "on the stack of the hit: $on_hit"
[ "${on_own%% *}" -gt 100 ] && [ "${on_own%% *}" -le $((bound / 2)) ] || exit 1
[ "${on_hit%% *}" -gt 50 ] && [ "${on_hit%% *}" -le 512 ]
