# SPDX-License-Identifier: GPL-2.0-or-later
# Colours: on a terminal, not in a pipe, as --color and SYSTEMTAP_COLORS say.
set -u
command -v python3 > /dev/null || { echo "no python3"; exit 77; }
unset SYSTEMTAP_COLORS
error='probe begin { println(no_such_function()) }'
warning='probe begin { println(never_set + 1) }'

# What is printed, escape characters made visible.
visible() { sed 's/\x1b/<ESC>/g; s/\r$//'; }
# on_terminal COMMAND...: with a terminal as its standard streams.
on_terminal() { python3 -c 'import pty, sys; pty.spawn(sys.argv[1:], lambda fd: __import__("os").read(fd, 65536), lambda fd: b"")' "$@" < /dev/null | visible; }
colored() { grep -q '<ESC>' && echo colored || echo plain; }

echo "a terminal:"
on_terminal "$STAP" -p2 -e "$error"
on_terminal "$STAP" -p2 -e "$warning" 2>&1 | grep WARNING
echo "never: $(on_terminal "$STAP" --color=never -p2 -e "$error" | colored)"
echo "SYSTEMTAP_COLORS empty: $(SYSTEMTAP_COLORS= on_terminal "$STAP" -p2 -e "$error" | colored)"
echo "SYSTEMTAP_COLORS wrong: $(SYSTEMTAP_COLORS=eror=1 on_terminal "$STAP" -p2 -e "$error" | colored)"
echo "a wrong option: $(on_terminal "$STAP" --vebose | colored)"

in_pipe() { "$STAP" "$@" -p2 -e "$error" 2>&1 | visible; }
echo "a pipe: $(in_pipe | colored)"
echo "a pipe, auto: $(in_pipe --color=auto | colored)"
echo "a pipe, --color: $(in_pipe --color | colored)"
echo "a pipe, --colour=always: $(in_pipe --colour=always | colored)"
echo "a pipe, SYSTEMTAP_COLORS:"
SYSTEMTAP_COLORS='error=35:source=36:caret=4:token=7' in_pipe --color
