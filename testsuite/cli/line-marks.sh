# SPDX-License-Identifier: GPL-2.0-or-later
# Each `#line` in the C of -p3 that goes back to the C file itself gives the number of the line behind it.
set -u
cat > marks.stp <<'END'
%{ static int shift(int n) { return n + 1; } %}
function first:long(n:long) %{ STAP_RETVALUE = shift(STAP_ARG_n); %}
function second:string(text:string) %{
  STAP_RETVALUE = STAP_ARG_text;
%}
probe begin { println(first(%{ 2 %}), second("b")) }
END
"$STAP" --runtime=user -g -p3 marks.stp > marks.c || exit 1
awk '/^#line / { count[$3]++ }
  /^#line .* "script.c"$/ && $2 != NR + 1 { print NR ": " $0; bad = 1 }
  END { print count["\"marks.stp\""] " marks of the script, " count["\"script.c\""] " of its C"; exit bad }' marks.c
