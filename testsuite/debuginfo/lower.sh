# SPDX-License-Identifier: GPL-2.0-or-later
# Target variables become loads of the right place, size and sign.
. "$SRCDIR/object.inc"
for variable in '$n' '$small' '$o->kind' '$o->flag' '$o->depth' '$o->high' '$o->pairs[2]->y' '$o->link->x' '$o->next->count' \
  '&$o->name' '$o->name[3]' '$o->on' '@var("total")' '@defined($o->nothing)' '@cast($o, "outer")->count'; do
  echo "$variable"
  "$STAP" -p3 -e "probe $point(\"touch\") { println($variable) }" | grep -oE 'stap_(kread|bits|symbol_address|reg)\(.*|STAP_N\([01]\)'
done
