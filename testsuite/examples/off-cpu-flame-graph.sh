#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A second below pipe_read() and half a second below the timer's function, in a well-formed picture.
. "$SRCDIR/common.inc"

program waiter <<'END'
pipe my $in, my $out or die;
if (!fork) { $0 = 'writer'; select(undef, undef, undef, 1); syswrite $out, 'x'; exit }
sysread $in, $_, 1;
select(undef, undef, undef, 0.05) for 1..10;
END
run 'exec perl program.pl'
cat >check.py <<'END'
import re, xml.dom.minidom
picture = xml.dom.minidom.parse('report')
ms = {}
for title in picture.getElementsByTagName('title'):
    name, value = re.fullmatch(r'(.*): (\d+) ms, \d+%', title.firstChild.data).groups()
    ms[name] = ms.get(name, 0) + int(value)
whole = int(picture.getElementsByTagName('text')[0].firstChild.data.split()[0])
assert 1400 <= whole <= 3500, f'{whole} ms in all'
assert ms['waiter'] >= whole - 1, f'the process has {ms["waiter"]} of {whole} ms'
pipe = ms.get('pipe_read', 0) + ms.get('anon_pipe_read', 0)
assert 850 <= pipe <= 2000, f'{pipe} ms for the pipe'
sleep = ms.get('schedule_hrtimeout_range_clock', 0)
assert 500 <= sleep <= 1500, f'{sleep} ms for sleep'
END
/usr/bin/python3 check.py 2>problem || fail "$(tail -n 1 problem)"
