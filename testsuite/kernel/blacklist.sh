# SPDX-License-Identifier: GPL-2.0-or-later
# None of the functions that stap would probe is on the running kernel's own list of those that it refuses.
[ -n "$STAP_RELEASE" ] && [ -n "$STAP_VM" ] || { echo "no guest"; exit 77; }
unset DEBUGINFOD_URLS
"$STAP" -r "$STAP_RELEASE" -v -l 'kernel.function("*").call' 2> left | sed 's/^kernel\.function("\([^@"]*\).*/\1/' | sort -u > listed
[ -s listed ] || { echo "no debuginfo and no BTF of $STAP_RELEASE"; exit 77; }
grep -q 'functions left out, each because it is on the kernel.s list' left && echo "the list is known"
# Names that only one function has.
cat > ask <<'END'
mount -t debugfs none /sys/kernel/debug 2> /dev/null
awk '$2 ~ /[tT]/ { count[$3]++ } END { for (name in count) if (count[name] == 1) print name }' /proc/kallsyms | sort > /tmp/unique
awk '{ print $2 }' /sys/kernel/debug/kprobes/blacklist | sort -u | comm -12 - /tmp/unique
END
"$STAP_VM" --release "$STAP_RELEASE" --timeout 200 --run bash "$PWD/ask" > blacklist || exit 1
[ "$(wc -l < blacklist)" -gt 50 ] && echo "the kernel's list is long"
comm -12 listed blacklist
