# SPDX-License-Identifier: GPL-2.0-or-later
# --format=json: each line parses, has what the line of -L has, and says where the source has it. The directory's name is neither
# UTF-8 nor printable.
command -v python3 > /dev/null || { echo "no python3"; exit 77; }
export LC_ALL=C.UTF-8
directory=$(pwd -P)/$'odd\xff\tname'
mkdir "$directory" && cd "$directory" || exit 1
cat > listed.c <<'END'
struct thing { int count; };

__attribute__((noinline)) static int
touch(struct thing *t, const char *name) { return t->count + name[0]; }

int main(int argc, char **argv)
{
	struct thing t = {argc};
	return touch(&t, argv[0]);
}
END
gcc -O1 -g listed.c -o listed || exit 1

cat > compare.py <<'END'
import json, subprocess, sys

stap, pattern = sys.argv[1:]
def listed(*options):
    return subprocess.run([stap, *options, pattern], capture_output=True, check=True).stdout.decode(errors="replace").split("\n")[:-1]
objects = [json.loads(line) for line in listed("--format=json", "-L")]
text = [o["probe"] + "".join(f" {v['name']}:{v['type']}" for v in o.get("variables", [])) for o in objects]
plain = listed("-L")
assert sorted(text) == sorted(plain), set(text) ^ set(plain)
assert len(text) > 0
names = [json.loads(line) for line in listed("--format=json", "-l")]
assert {o["probe"] for o in names} == set(listed("-l")) and not any("variables" in o for o in names)
for o in objects:
    o.pop("path", 0) and print("path:", end=" ")
    print({k: v for k, v in o.items() if k not in ("probe",) and (k != "file" or o["family"] != "alias")})
END
compare() { echo "== $1"; python3 compare.py "$STAP" "$1" || echo "failed"; }
compare 'process("./listed").function("touch").call'
compare 'process("./listed").function("touch").return'
compare 'process("./listed").statement("main@listed.c:*")'
compare 'process("./listed").syscall.return'
compare 'timer.profile'
compare 'stdin.line'
for everything in '**' 'process("./listed").**'; do
	python3 compare.py "$STAP" "$everything" > out || echo "failed: $everything"
	[ "$(wc -l < out)" -gt 30 ] || echo "too few"
done
"$STAP" --format=json -l 'process("./listed").function("touch")' | python3 -c 'import json, sys; print(json.load(sys.stdin)["path"].endswith("odd\ufffd\tname/listed"))'
"$STAP" --format=json --runtime=user -e 'probe begin { }'
"$STAP" --format=xml -l begin
true
