# SPDX-License-Identifier: GPL-2.0-or-later
# The hooks that there are, with their variables; $verdict needs guru mode.
"$STAP" -L 'netfilter.hook("NF_*_LOCAL_IN").pf("*")'
"$STAP" -l 'netfilter.pf("NFPROTO_ARP").hook("*").priority(5)'
"$STAP" -p2 -e 'probe netfilter.hook("NF_ARP_IN").pf("NFPROTO_ARP") { $verdict = 0 }' 2>&1
"$STAP" -g -p2 -e 'probe netfilter.hook("NF_ARP_IN").pf("NFPROTO_ARP") { $skb = 0 }' 2>&1
true
