# SPDX-License-Identifier: GPL-2.0-or-later
# Connections over IPv4 and IPv6 and a datagram, between addresses and ports that are chosen here.
. "$SRCDIR/../staprun/guest.inc"
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
ip link set lo up 2>/dev/null || ifconfig lo up || busybox ip link set lo up
touch out
"$STAPRUN" -o out "$MODULE" & script=$!
wait_for grep -q '^ready' out
python3 -c '
import socket
def connect(family, server, client):
    listener = socket.socket(family); listener.bind(server); listener.listen()
    peer = socket.socket(family); peer.bind(client); peer.connect(server)
    listener.accept()
connect(socket.AF_INET, ("127.0.0.2", 4001), ("127.0.0.3", 4002))
connect(socket.AF_INET6, ("::1", 4003), ("::1", 4004))
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); receiver.bind(("127.0.0.4", 4005))
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); sender.bind(("127.0.0.5", 4006)); sender.sendto(b"x", ("127.0.0.4", 4005))
'
wait $script
cat out
