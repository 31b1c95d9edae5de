// SPDX-License-Identifier: GPL-2.0-or-later
// Netfilter hooks, for the packets of every network namespace, also of those that come later: STAP_ATTACH_NETFILTER.
//
// The kernel tells of namespaces as a whole, so the first probe of the kind has the hooks of all such probes of the
// script registered, and the last takes them away.
#include <linux/netfilter.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include "../../abi/event.h"
#include "../kernel.h"

#if IS_ENABLED(CONFIG_NETFILTER)

// The others are not to be had without more than a number: NF_STOLEN means that the handler has freed the packet.
#define NETFILTER_VERDICTS (1u << NF_DROP | 1u << NF_ACCEPT | 1u << NF_QUEUE)

static unsigned int netfilter_hit(void *probe, struct sk_buff *skb, const struct nf_hook_state *state)
{
	const stap_long numbers[] = {state->hook, state->pf, (stap_long)skb, (stap_long)state->in,
				     (stap_long)state->out};
	struct stap_event_values values = {.numbers = numbers, .results = NETFILTER_VERDICTS};
	struct stap_event event = {.data = &values, .result = NF_ACCEPT};

	stap_hit(probe, &event);
	return event.result;
}
NOKPROBE_SYMBOL(netfilter_hit);

static struct nf_hook_ops *hooks; // of all probes of the kind; NULL: nothing is registered
static u32 hook_count;
static int netfilter_problem; // -errno of the registration in the first namespace

struct netfilter_net {
	bool has_hooks;
};
static unsigned int netfilter_net_id;

// A namespace must not stay away for want of a script's memory: its packets have no hits then.
static int __net_init netfilter_net_comes(struct net *net)
{
	struct netfilter_net *n = net_generic(net, netfilter_net_id);
	int rc = nf_register_net_hooks(net, hooks, hook_count);

	n->has_hooks = !rc;
	if (rc && net_eq(net, &init_net))
		netfilter_problem = rc;
	else if (rc)
		report(&stap_program, STAP_RECORD_WARN, "netfilter probes have no hits in network namespace %u (rc %d)",
		       net->ns.inum, rc);
	return 0;
}

static void __net_exit netfilter_net_goes(struct net *net)
{
	struct netfilter_net *n = net_generic(net, netfilter_net_id);

	if (n->has_hooks)
		nf_unregister_net_hooks(net, hooks, hook_count);
}

static struct pernet_operations netfilter_namespaces = {
	.init = netfilter_net_comes,
	.exit = netfilter_net_goes,
	.id = &netfilter_net_id,
	.size = sizeof(struct netfilter_net),
};

static void give_hooks_back(void)
{
	if (!hooks)
		return;
	unregister_pernet_subsys(&netfilter_namespaces);
	kfree(hooks);
	hooks = NULL;
}

static bool has_family(u64 pf)
{
	switch (pf) {
	case NFPROTO_ARP: return IS_ENABLED(CONFIG_NETFILTER_FAMILY_ARP);
	case NFPROTO_BRIDGE: return IS_ENABLED(CONFIG_NETFILTER_FAMILY_BRIDGE);
	case NFPROTO_IPV6: return IS_ENABLED(CONFIG_IPV6);
	}
	return true;
}

static int register_hooks(void)
{
	int rc;
	u32 i;

	hooks = kcalloc(stap_program.probe_count, sizeof(*hooks), GFP_KERNEL);
	if (!hooks)
		return -ENOMEM;
	hook_count = 0;
	netfilter_problem = 0;
	for (i = 0; i < stap_program.probe_count; i++) {
		struct stap_probe *p = &stap_program.probes[i];
		const struct stap_attach_netfilter *a = &p->attach.netfilter;

		if (p->attach.kind == STAP_ATTACH_NETFILTER && has_family(a->pf))
			hooks[hook_count++] = (struct nf_hook_ops){
				.hook = netfilter_hit,
				.priv = p,
				.pf = a->pf,
				.hooknum = a->hook,
				.priority = a->priority,
			};
	}
	rc = register_pernet_subsys(&netfilter_namespaces);
	if (rc) {
		kfree(hooks);
		hooks = NULL;
	}
	return rc;
}

static int netfilter_attach(struct stap_probe *p)
{
	int rc = 0;

	if (!has_family(p->attach.netfilter.pf)) {
		report(&stap_program, STAP_RECORD_WARN, "probe %s: this kernel has no hooks for the protocol family",
		       p->point);
		return -EAFNOSUPPORT;
	}
	if (!hooks)
		rc = register_hooks();
	if (!rc && netfilter_problem) {
		rc = netfilter_problem;
		give_hooks_back();
	}
	return rc;
}

static void netfilter_detach(struct stap_probe *const *probes, u32 count)
{
	give_hooks_back();
}

#else

static int netfilter_attach(struct stap_probe *p)
{
	report(&stap_program, STAP_RECORD_WARN, "probe %s: this kernel has no netfilter (CONFIG_NETFILTER)", p->point);
	return -EAFNOSUPPORT;
}

static void netfilter_detach(struct stap_probe *const *probes, u32 count)
{
}

#endif

const struct stap_mechanism netfilter_mechanism = {
	.kind = STAP_ATTACH_NETFILTER,
	.attach = netfilter_attach,
	.detach = netfilter_detach,
};
