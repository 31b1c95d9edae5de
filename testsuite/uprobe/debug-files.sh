# SPDX-License-Identifier: GPL-2.0-or-later
# Where the debuginfo of a stripped program is found: each place in turn has the same file, and then none has it.
if [ "${1:-}" != inside ]; then
  unshare -rm true 2> /dev/null || { echo "no namespace of our own, where /usr/lib/debug can be replaced"; exit 77; }
  for tool in python3 eu-readelf; do command -v $tool > /dev/null || { echo "no $tool"; exit 77; }; done
  exec unshare -rm bash "${BASH_SOURCE[0]}" inside
fi
mount -t tmpfs none /usr/lib/debug || exit 1
export XDG_CACHE_HOME=$PWD/cache DEBUGINFOD_CACHE_PATH=$PWD/fetched DEBUGINFOD_URLS=
gcc -g -O2 "$SRCDIR/program.c" -o whole && objcopy --only-keep-debug whole prog.debug || exit 1
objcopy --strip-all --add-gnu-debuglink=prog.debug whole prog && objcopy --strip-all whole bare || exit 1
id=$(eu-readelf -n bare | sed -n 's/.*Build ID: //p')
mv prog.debug kept

# Where the function is and what it has, or that nobody knows.
show() {
  echo "$1: $("$STAP" -L "process(\"./$2\").function(\"add\")" 2>&1 | sed -n "1{s|.*function(|function(|; s|@$SRCDIR/|@|; s|^error\[\([a-z-]*\)\].*|\1|; p}")"
}

show nowhere prog
cp kept prog.debug && show beside prog && rm prog.debug
mkdir .debug && cp kept .debug/prog.debug && show .debug prog && rm -r .debug
mkdir -p "/usr/lib/debug$PWD" && cp kept "/usr/lib/debug$PWD/prog.debug" && show /usr/lib/debug prog && rm "/usr/lib/debug$PWD/prog.debug"
gcc -g -O1 "$SRCDIR/program.c" -o other && objcopy --only-keep-debug other prog.debug && show "another's" prog && rm prog.debug
mkdir -p "/usr/lib/debug/.build-id/${id:0:2}" && cp kept "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
show .build-id bare
rm -r /usr/lib/debug/.build-id && show 'nowhere again' bare

mkdir -p "server/buildid/$id" && cp kept "server/buildid/$id/debuginfo"
python3 -u -c '
import functools, http.server
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory="server")
with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
  print(server.server_port)
  server.serve_forever()
' > port 2> asked & server=$!
trap 'kill $server' EXIT
for ((i = 0; i < 200; i++)); do [ -s port ] && break; sleep 0.05; done
DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) show debuginfod bare
grep -c "GET /buildid/$id/debuginfo.* 200" asked
