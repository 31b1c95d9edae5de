# SPDX-License-Identifier: GPL-2.0-or-later
# Every alias of the library can be used with each of its variables, with the kernel's BTF alone; what this kernel lacks is
# told by its name. One module of a subject's aliases compiles.
[ -n "${STAP_RELEASE:-}" ] || { echo "no kernel"; exit 77; }
export SYSTEMTAP_DEBUGINFO_PATH=/nonexistent
unset DEBUGINFOD_URLS
# Aliases that stand for points of functions that are inlined, or of tracepoints and modules that kernels have no longer.
may_be_missing='^(ioblock_trace\.bounce|ioscheduler_trace\.unplug_timer|netdev\.change_rx_flag|nfs\.fop\.sendfile(\.return)?|sunrpc\.clnt\.call_sync(\.return)?|signal\.check_ignored(\.return)?|vm\.write_shared_copy|scheduler\.balance)$'
subjects='ioblock|ioblock_trace|ioscheduler|ioscheduler_trace|ipmib|irq_handler|kprocess|linuxmib|netdev|netfilter|nfs|nfsd|scheduler|scsi|signal|socket|softirq|sunrpc|tcp|tcpmib|tty|udp|vfs|vm|workqueue'
"$STAP" --dump-probe-aliases | sed 's/ *=.*//' | grep -E "^($subjects)\." | sort -u >aliases
[ "$(wc -l <aliases)" -ge 320 ] || { echo "only $(wc -l <aliases) aliases"; exit 1; }
while read -r alias; do
  names=$("$STAP" -r "$STAP_RELEASE" -L "$alias" 2>/dev/null | grep "^$alias " | tr ' ' '\n' | sed -n 's/^\([a-z_][A-Za-z_0-9]*\):\(long\|string\)$/\1/p' | sort -u)
  body=$(for name in $names; do printf 'println(%s) ' "$name"; done)
  if ! "$STAP" -r "$STAP_RELEASE" -p2 -e "probe $alias { $body }" >out 2>err; then
    grep -qE "$may_be_missing" <<<"$alias" && grep -qE 'error\[(no-such-function|no-such-tracepoint|unprobeable-function)\]' err && continue
    echo "$alias:"
    cat err
  fi
  echo "probe $alias ? { $body }" >>"${alias%%.*}.stp"
done <aliases
for subject in *.stp; do
  "$STAP" -w -r "$STAP_RELEASE" -p4 "$subject" >out 2>&1 || { echo "$subject:"; head -20 out; }
done
