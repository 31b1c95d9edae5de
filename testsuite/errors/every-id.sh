# SPDX-License-Identifier: GPL-2.0-or-later
# Every id of an error or a warning in the sources is in the expected output of some test, and no test expects one that is gone.
cd "$TOP" || exit 1

# Ids whose cause a test can't bring about, each with the reason.
cat > "$TMPDIR/exceptions" <<'LIST'
internal               an exception that nothing expects, such as no memory
internal-emit          a defect of the translator itself
LIST

# As they are given: error("id", FatalError{"id", TargetError{...? "id" : "id", fail("id" and error[id] in plain text.
find translator \( -name "*.cc" -o -name "*.h" -o -name "*.l" -o -name "*.yy" \) -exec cat {} + |
	tr '\n' ' ' |
	grep -oE '(\b(error|warning|fail|refuse_with|build_error)\(|(FatalError|TargetError) ?\{|TargetError e\{|return \{|e\{)[^;"]{0,40}"[a-z]+(-[a-z0-9]+)*"( : "[a-z]+(-[a-z0-9]+)+")?' |
	grep -oE '"[a-z]+(-[a-z0-9]+)*"' | tr -d '"' > "$TMPDIR/found"
grep -ohE 'error\[[a-z-]+\]' translator/driver/*.cc translator/base/*.cc translator/main.cc | sed 's/error\[//; s/\]//' >> "$TMPDIR/found"
sort -u "$TMPDIR/found" > "$TMPDIR/ids"

grep -rhoE 'error\[[a-z0-9-]+\]|WARNING.* \[[a-z0-9-]+\]$' testsuite --include='*.err' --include='*.out' --include='*.sh' --include='*.inc' |
	grep -oE '\[[a-z0-9-]+\]$' | tr -d '[]' | sort -u > "$TMPDIR/tested"

awk '{ print $1 }' "$TMPDIR/exceptions" | sort > "$TMPDIR/excused"
untested=$(comm -23 "$TMPDIR/ids" "$TMPDIR/tested" | comm -23 - "$TMPDIR/excused")
needless=$(comm -12 "$TMPDIR/excused" "$TMPDIR/tested")
if [ -n "$untested$needless" ]; then
	echo "without a test:" $untested
	echo "excused, but tested:" $needless
	exit 1
fi
