#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A loaded script names each section whose address it needs once, whatever the number of its probes.
. "$SRCDIR/guest.inc"

insmod "$MODULE" || fail "the module does not load"
perl -e '
  open my $control, "+<", $ARGV[0] or die "$ARGV[0]: $!";
  for (my $index = 0; ; $index++) {
    my $section = pack("LLZ64Z32", $index, 0, "", "");
    ioctl($control, 0xc0685304, $section) or last;
    printf "%s %s\n", (unpack("LLZ64Z32", $section))[2, 3];
  }' "/proc/stap_$name" | sort
rmmod "$name"
