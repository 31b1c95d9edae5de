#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An array (map type 2), a socket filter (program type 1), and a program that the verifier refuses.
. "$SRCDIR/common.inc"

cat >loader.py <<'END'
import ctypes, struct
open('/proc/self/comm', 'w').write('loader')
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def bpf(command, attributes):
    return libc.syscall(321, command, ctypes.create_string_buffer(attributes, 128), 128)
print('map', bpf(0, struct.pack('5I8x16s', 2, 4, 8, 10, 0, b'known_map')))
def load(name, code):
    code, licence = ctypes.create_string_buffer(code), ctypes.create_string_buffer(b'GPL')
    return bpf(5, struct.pack('2I2Q2I2Q16s', 1, 2 if len(code) > 9 else 1, ctypes.addressof(code), ctypes.addressof(licence), 0, 0, 0, 0, name))
print('program', load(b'known_program', struct.pack('BBhi', 0xb7, 0, 0, 0) + struct.pack('BBhi', 0x95, 0, 0, 0)))
print('bad', load(b'bad', struct.pack('BBhi', 0xb7, 0, 0, 0)))
END
run 'exec /usr/bin/python3 loader.py'
[ "$(told bad)" = -1 ] && [ "$(told program)" -gt 2 ] || fail 'the programs were not loaded as they should'
expect "^[0-9:]{8} +0 loader +[0-9]+ fd $(told map) +BPF_MAP_CREATE +2 known_map\$" 'the map'
expect "^[0-9:]{8} +0 loader +[0-9]+ fd $(told program) +BPF_PROG_LOAD +1 known_program\$" 'the program'
expect '^[0-9:]{8} +0 loader +[0-9]+ E[A-Z]+ +BPF_PROG_LOAD +1 bad$' 'the refused one'
