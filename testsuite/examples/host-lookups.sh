#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A name of /etc/hosts, an address, and a name that can't be.
. "$SRCDIR/common.inc"

cat >lookup.py <<'END'
import socket
open('/proc/self/comm', 'w').write('seeker')
for name in ('localhost', '127.0.0.77', 'no..such..name'):
    try:
        socket.getaddrinfo(name, 80)
        print(name, 'found')
    except (OSError, UnicodeError) as problem:
        print(name, problem)
END
run 'exec /usr/bin/python3 lookup.py'
expect '^[0-9:]{8} seeker +[0-9]+ +[0-9]+\.[0-9]{3} +0 localhost$' 'localhost'
expect '^[0-9:]{8} seeker +[0-9]+ +[0-9]+\.[0-9]{3} +0 127\.0\.0\.77$' 'the address'
