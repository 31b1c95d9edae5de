#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A path, an abstract name, and a path that is not there.
. "$SRCDIR/common.inc"

program client <<'END'
use Socket;
sub connect_to { socket(my $socket, AF_UNIX, SOCK_STREAM, 0) or die; return connect($socket, pack_sockaddr_un($_[0])) ? $socket : undef }
sub listen_at { socket(my $socket, AF_UNIX, SOCK_STREAM, 0) or die; bind($socket, pack_sockaddr_un($_[0])) or die; listen($socket, 3) or die; return $socket }
my @listeners = (listen_at('/run/example.sock'), listen_at("\0example-name"));
connect_to('/run/example.sock') or die;
connect_to("\0example-name") or die;
connect_to('/run/nobody.sock') and die;
unlink '/run/example.sock';
print "pid $$\n";
END
run 'exec perl program.pl'
id=$(told pid)
expect "^[0-9:]{8} +0 client +$id 0 +($id|-) /run/example\.sock\$" 'the path'
expect "^[0-9:]{8} +0 client +$id 0 +($id|-) @example-name\$" 'the abstract name'
expect "^[0-9:]{8} +0 client +$id ENOENT +- /run/nobody\.sock\$" 'the failure'
