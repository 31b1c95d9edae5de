#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# keep() holds 10 pieces of 1000 bytes, use() gave its 20 of 500 bytes back.
. "$SRCDIR/common.inc"

run 'exec ./caller'
expect '^ +10 +10000 +10 +10000 keep\+0x[0-9a-f]+/' 'keep()'
expect '^ +20 +10000 +0 +0 use\+0x[0-9a-f]+/' 'use()'
