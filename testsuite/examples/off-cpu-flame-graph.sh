#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A second below pipe_read() and half a second below the timer's function, in a well-formed picture.
. "$SRCDIR/common.inc"
. "$SRCDIR/waiter.inc"
cat >check.py <<'END'
import re, xml.dom.minidom
picture = xml.dom.minidom.parse('report')
ms = {}
for title in picture.getElementsByTagName('title'):
    name, value = re.fullmatch(r'(.*): (\d+) ms, \d+%', title.firstChild.data).groups()
    ms[name] = ms.get(name, 0) + int(value)
whole = int(picture.getElementsByTagName('text')[0].firstChild.data.split()[0])
assert 1400 <= whole <= 50000, f'{whole} ms in all'
assert ms['waiter'] >= whole - 1, f'the process has {ms["waiter"]} of {whole} ms'
pipe = ms.get('pipe_read', 0) + ms.get('anon_pipe_read', 0)
assert 850 <= pipe <= 10000, f'{pipe} ms for the pipe'
sleep = ms.get('schedule_hrtimeout_range_clock', 0)
assert 500 <= sleep <= 5000, f'{sleep} ms for sleep'
END
/usr/bin/python3 check.py 2>problem || fail "$(tail -n 1 problem)"
