# SPDX-License-Identifier: GPL-2.0-or-later
# Completion in bash offers stap's own options and their values.
set -u
. "$TOP/contrib/completions/bash/stap"
. "$TOP/contrib/completions/bash/staprun"

# complete_words FUNCTION WORD...: what the last word can become
complete_words() {
  local complete=$1
  shift
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  "$complete"
  echo "${*:2}: ${COMPREPLY[*]}"
}
touch trace.stp trace.ko trace.txt
complete_words _stap "$STAP" --dis
complete_words _stap "$STAP" --run
complete_words _stap "$STAP" --runtime = ke
complete_words _stap "$STAP" --color =
complete_words _stap "$STAP" -D MAXS
complete_words _stap "$STAP" --example flight
complete_words _stap "$STAP" --help-tapset tokeni
complete_words _stap "$STAP" --format = j
complete_words _stap "$STAP" -p ""
complete_words _stap "$STAP" -L ker
complete_words _stap "$STAP" --vers
complete_words _stap "$STAP" trace.s
complete_words _stap "$STAP" trace.stp --dis
complete_words _stap "$STAP" trace.stp -- --dis
complete_words _staprun "$STAPRUN" trace
complete_words _staprun "$STAPRUN" -R
# Each option of the help is offered, but for its synopsis.
COMP_WORDS=("$STAP" -) COMP_CWORD=1
_stap
printf '%s\n' "${COMPREPLY[@]}" | sort > offered
"$STAP" --help | sed -n '5,$p' | grep -oE -- '(^|[ ,])--?[A-Za-z][A-Za-z-]*' | tr -d ' ,' | sort -u > known
sed 's/=$//' offered | sort -u | diff known - && echo "all options"
