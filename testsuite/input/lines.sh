# SPDX-License-Identifier: GPL-2.0-or-later
# More than a pipe's piece, a line longer than a string, and a last line that does not end.
if [ -n "${MODULE:-}" ]; then set -- "$STAPRUN" "$MODULE"; else set -- "$STAP" --runtime=user "$SCRIPT"; fi
{
  printf 'one\n\nthree\n'
  head -c 700 /dev/zero | tr '\0' x
  printf '\nno newline'
} | "$@"
