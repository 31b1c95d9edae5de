# SPDX-License-Identifier: GPL-2.0-or-later
# A terminal passes on a character without waiting for the line, does not show it, and has its mode back in the end.
command -v script > /dev/null || { echo "no script(1)"; exit 77; }
cat > characters.stp <<'STP'
probe input.char { printf("<%s>", char); if (char == "q") exit() }
probe begin { println("ready") }
STP
mkfifo keys
{
  until grep -q ready typescript 2> /dev/null; do sleep 0.05; done
  printf 'aq' # no newline
  until grep -q 'mode after' typescript; do sleep 0.05; done
} > keys &
script -qfec "stty -a > before; $STAP --runtime=user characters.stp; stty -a > after; echo; echo mode after" typescript < keys > /dev/null
wait
tr -d '\r' < typescript | grep -a '^<'
cmp before after && echo "the same mode"
