# SPDX-License-Identifier: GPL-2.0-or-later
# What the C compiler says of embedded C names the script's place, not the generated file's.
set -u
cat > wrong.stp <<'END'
function f:long()
%{
  int a = 1;
  STAP_RETVALUE = no_such_thing;
%}
%{ static int g(void) { return not_there; } %}
probe begin { println(f() + %{ nor_this %}); exit() }
END
"$STAP" --runtime=user -g wrong.stp 2>&1 | grep -e embedded-c -e "-->"
