#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program writes to address 16 in its function broken(), called by middle(); another one aborts.
. "$SRCDIR/common.inc"

run 'ulimit -c 0
./crasher write || :
./crasher abort || :
./crasher catch || :'
expect '^[0-9:]{8} crasher\([0-9]+\), uid 0: SIGSEGV, nothing is mapped there, address 0x10, at broken\+' 'the fault'
expect '^[0-9:]{8} crasher\([0-9]+\), uid 0: SIGABRT, sent by a process, at ' 'the abort'
grep -A 2 SIGSEGV report | grep -q '^ 0x[0-9a-f]* : middle+' || fail 'middle() is not on the stack'
expect '^2 crashes$' 'one fault was handled, two not'
