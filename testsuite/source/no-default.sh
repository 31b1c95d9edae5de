# SPDX-License-Identifier: GPL-2.0-or-later
# A new kind of syntax node fails to compile wherever a switch over the kinds forgets it, whether it has a default or not.
grep -q '^translator_libtranslator_a_CXXFLAGS =.* -Wswitch-enum ' "$TOP/translator/local.mk" ||
  { echo "translator/local.mk: -Wswitch-enum is not among the warnings"; exit 1; }

# The tree with one more kind of expression and of statement.
mkdir -p new/syntax
sed -e 's/^  Register, Deref, /  Novel, &/' -e 's/^  Block, Empty, /  Novel, &/' "$TOP/translator/syntax/ast.h" > new/syntax/ast.h
[ "$(grep -c '^  Novel, ' new/syntax/ast.h)" = 2 ] || { echo "ast.h: the kinds were not found"; exit 1; }

failed=0 files=$(cd "$TOP/translator" && grep -lE '^ *case (Expr|Stmt)Kind::' */*.cc)
[ "$(echo "$files" | wc -l)" -ge 10 ] || { echo "too few files were found: $files"; exit 1; }
for file in $files; do
  ${CXX:-g++} -std=gnu++20 -fsyntax-only -Wswitch-enum -Inew -I"$TOP/translator" -I"$BUILD/translator" -I"$TOP/runtime" -I"$BUILD" \
    "$TOP/translator/$file" 2> log
  switches=$(grep -cE '^ *switch \((\w+->|\w+\.)kind\) \{' "$TOP/translator/$file")
  missing=$(grep -c "enumeration value .Novel. not handled" log)
  [ "$missing" -ge 1 ] || { echo "$file: of $switches switches none misses a new kind"; cat log; failed=1; }
done
exit $failed
