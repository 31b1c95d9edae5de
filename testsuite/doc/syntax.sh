# SPDX-License-Identifier: GPL-2.0-or-later
# The grammars for editors are valid and know the language's words; where there is Vim it colours a script without complaint.
set -u
status=0
wrong() { echo "$@"; status=1; }
json=$TOP/contrib/textmate/stap.tmLanguage.json vim=$TOP/contrib/vim/syntax/stap.vim
if command -v jq > /dev/null; then
  jq -e '.scopeName == "source.stap" and ([.. | .include? | strings | select(startswith("#")) | ltrimstr("#")] - (.repository | keys) == [])' \
    "$json" > /dev/null || wrong "the TextMate grammar is not valid"
elif command -v python3 > /dev/null; then
  python3 -m json.tool "$json" > /dev/null || wrong "the TextMate grammar is not valid"
fi
# The reserved words, as the grammar of the translator names them.
for word in $(sed -n '/%token <const Token \*> PROBE/,/CATCH/p' "$TOP/translator/syntax/grammar.yy" | grep -o '"[a-z]*"' | tr -d '"'); do
  grep -qE "(\\\\b|[^a-z])$word[^a-z]" "$json" || wrong "the TextMate grammar lacks '$word'"
  grep -qE "^syntax keyword .*\b$word\b" "$vim" || wrong "the Vim syntax lacks '$word'"
done
if command -v vim > /dev/null && vim --version | grep -q '+syntax'; then
  printf '%s\n' 'probe begin { println("a%d\n", $x) # end' 'function f:long() %{ int x; %}' > try.stp
  cat > try.vim << 'END'
syntax on
set rtp^=contrib
let s:names = []
for s:at in [[1, 1], [1, 15], [1, 23], [1, 24], [1, 26], [1, 32], [1, 36], [2, 1], [2, 12], [2, 22]]
  call add(s:names, synIDattr(synID(s:at[0], s:at[1], 1), 'name'))
endfor
call writefile(s:names, 'names')
quitall!
END
  ln -s "$TOP/contrib/vim" contrib
  HOME=$PWD timeout 20 vim -e -s -N -u NONE -i NONE --cmd "set rtp^=contrib" --cmd 'filetype on' --cmd 'syntax on' -S try.vim try.stp > vim.out 2>&1
  tr '\n' ' ' < names > got
  expected="stapDeclaration stapPrint stapString stapString stapFormat stapTarget stapComment stapDeclaration stapType cType "
  [ "$(cat got)" = "${expected% } " ] || wrong "Vim says: $(cat got vim.out)"
fi
exit $status
