#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The picture is well-formed, the boxes on a box are no wider than it, and those of dd go through vfs_read().
. "$SRCDIR/common.inc"

# Two seconds of it, however fast the machine is.
run 'timeout 2 dd if=/dev/urandom of=/dev/null bs=64k status=none || :'
cat >check.py <<'END'
import re, xml.dom.minidom
picture = xml.dom.minidom.parse('report')
boxes = []
for group in picture.getElementsByTagName('g'):
    title = group.getElementsByTagName('title')[0].firstChild.data
    rect = group.getElementsByTagName('rect')[0]
    name, looks = re.fullmatch(r'(.*): (\d+) looks, \d+%', title).groups()
    boxes.append((name, int(looks), *(float(rect.getAttribute(key)) for key in ('x', 'y', 'width'))))
heading = picture.getElementsByTagName('text')[0].firstChild.data
looks = int(heading.split()[0])
ground = max(y for name, count, x, y, width in boxes)
assert sum(count for name, count, x, y, width in boxes if y == ground) >= looks * 0.95, 'the lowest boxes are not all looks'
for name, count, x, y, width in boxes:
    assert abs(width - count * 1200 / looks) < 0.2, f'{name} has the wrong width'
    if y != ground:
        under = [box for box in boxes if box[3] == y + 16 and box[2] <= x + 0.11 and x + width <= box[2] + box[4] + 0.21]
        assert len(under) == 1, f'{name} at {x} {y} stands on {under}'
dd = next(box for box in boxes if box[0] == 'dd' and box[3] == ground)
reads = sum(count for name, count, x, y, width in boxes if name == 'vfs_read' and dd[2] <= x + 0.11 and x + width <= dd[2] + dd[4] + 0.21)
assert reads >= dd[1] / 2, f'{reads} of {dd[1]} looks at dd are in vfs_read()'
END
/usr/bin/python3 check.py 2>problem || fail "$(tail -n 1 problem)"
