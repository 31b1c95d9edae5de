#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module compiled for a kernel of the same name but another build is refused, and does not stay.
. "$SRCDIR/guest.inc"

# The kernel's own build-id, as the module carries it, with its first byte changed.
perl -e '
  undef $/;
  open my $notes, "<:raw", "/sys/kernel/notes" or die;
  my ($id) = <$notes> =~ /\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0(.{20})/s or die "no build-id";
  open my $in, "<:raw", $ARGV[0] or die;
  my $module = <$in>;
  my $other = $id;
  substr($other, 0, 1) ^= "\xff";
  $module =~ s/\Q$id\E/$other/g or die "the module carries no build-id";
  open my $out, ">:raw", $ARGV[1] or die;
  print $out $module;
' "$MODULE" other.ko || fail "no module was made"

"$STAPRUN" other.ko >out 2>&1 && fail "the module was not refused"
grep -q 'ERROR: build-id mismatch: "kernel" is [0-9a-f]*, the script was compiled for [0-9a-f]*' out || fail "$(cat out)"
[ ! -d "/sys/module/$name" ] || fail "the refused module is still there"
"$STAPRUN" "$MODULE" || fail "the right module does not run"
