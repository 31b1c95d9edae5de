# SPDX-License-Identifier: GPL-2.0-or-later
# The marks of libraries that a program loads are those that readelf finds, by provider, by name and by wildcards of both.
g++ -O1 "$SRCDIR/shapes.cc" -o program || exit 1
library=$(ldd program | sed -n 's/.*libstdc++.so.6 => \([^ ]*\).*/\1/p')
LC_ALL=C readelf -n "$library" | sed -n 's/^ *Provider: //p; s/^ *Name: //p' | paste -d ' ' - - | sort -u > truth
[ -s truth ] || { echo "libstdc++ has no marks"; exit 77; }
list() { timeout 60 "$STAP" -l "process(\"./program\").library(\"libstdc++.so.6\").$1" | sed 's/.*provider("\([^"]*\)").mark("\([^"]*\)").*/\1 \2/' | sort -u; }
read -r provider name <<< "$(head -n 1 truth)"
part=${name:0:2}
diff truth <(list 'mark("*")') && diff truth <(list 'provider("*").mark("*")') || echo "all marks differ"
diff <(grep -x "$provider $name" truth) <(list "provider(\"$provider\").mark(\"$name\")") || echo "one mark differs"
diff <(grep "^$provider $part" truth) <(list "provider(\"${provider:0:2}*\").mark(\"$part*\")") || echo "marks by a wildcard differ"
[ -z "$(list 'provider("nobody").mark("*")' 2> log)" ] && grep -c no-such-mark log
