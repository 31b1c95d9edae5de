// SPDX-License-Identifier: GPL-2.0-or-later
// Modules that come and go while a script is loaded: their probes are attached when they come, before their own code
// runs for the first time, and taken away before they go.
//
// The kernel tells who asked when a module is there but has not run yet (COMING), when it is up (LIVE) and its
// initialisation is about to be freed, and when it has run for the last time (GOING). At COMING others must have been
// told first: kprobes, so that they know which of its functions must not be probed. At LIVE and GOING they must be told
// afterwards: kprobes give up what is left in memory that goes, and ftrace forgets the functions in it, while in our
// filter and table they would stand for whatever comes to lie there next. So there are two notifiers.
//
// From its first moment this module is told, so that between what the loader says of addresses and the first probe
// nothing comes or goes unseen. Nothing here waits for the reader: who loads a module would wait for it too.
#include <linux/module.h>
#include <linux/mutex.h>
#include "kernel.h"

static DEFINE_MUTEX(code_lock); // of addresses, and of what mechanisms and entries.c keep of probes on code
static bool has_probes;         // such are attached, or to be
static bool waiting_told;

void modules_lock(void)
{
	mutex_lock(&code_lock);
}

void modules_unlock(void)
{
	mutex_unlock(&code_lock);
}

void modules_open(void)
{
	has_probes = true;
	waiting_told = false;
}

void modules_close(void)
{
	has_probes = false;
}

static const struct code_mechanism *code_mechanism_of(const struct stap_probe *p)
{
	return p->attach.kind == kprobe_code.kind      ? &kprobe_code
	       : p->attach.kind == kretprobe_code.kind ? &kretprobe_code
						       : NULL;
}

static bool is_on_code(const struct stap_probe *p)
{
	return code_mechanism_of(p) && p->state;
}

static bool is_on_module(const struct stap_probe *p, const char *module)
{
	return is_on_code(p) && addresses_is_module(stap_probe_place(p)->module, module);
}

// Of one that is attached, where; 0 while it waits.
static unsigned long address_now(const struct stap_probe *p)
{
	return code_mechanism_of(p)->entry(p)->address;
}

// --- a module comes --------------------------------------------------------------------------------------------------

// May the probe's place be in the module? A name that the script has without a module's may have been found in it
// before, and an address of the running kernel may be in it again.
static bool may_be_in(const struct stap_probe *p, const struct module *module)
{
	const struct stap_code_place *place = is_on_code(p) ? stap_probe_place(p) : NULL;

	if (!place)
		return false;
	if (place->address)
		return within_module(place->address, module);
	return addresses_is_module(place->module, module->name) ||
	       (place->symbol && addresses_is_kernel(place->module) && p->is_attached && !address_now(p));
}

static void put_probes(const struct module *module)
{
	struct stap_probe *p;
	u32 i;
	int rc;

	for (i = 0; i < stap_program.probe_count; i++) {
		p = &stap_program.probes[i];
		if (may_be_in(p, module) && !address_now(p))
			code_mechanism_of(p)->find(p);
	}
	entries_serve();
	for (i = 0; i < stap_program.probe_count; i++) {
		p = &stap_program.probes[i];
		rc = p->is_attached && may_be_in(p, module) ? code_mechanism_of(p)->put(p) : 0;
		if (rc && (rc != -ENOENT || is_on_module(p, module->name)))
			attach_failed_later(p, rc);
	}
}

static void module_comes(const struct module *module, bool with_init)
{
	if (addresses_needs_module(module->name)) {
		if (addresses_module_comes(&stap_program, module, with_init))
			return;
		addresses_resolve_symbols(&stap_program);
	}
	if (has_probes)
		put_probes(module);
}

// --- a module goes ---------------------------------------------------------------------------------------------------

// Taken away at once. Memory for more may be lacking, and what is left would be called for what comes to lie there.
static struct stap_probe *going[MOST_REMOVED_ENTRIES], *of_kind[MOST_REMOVED_ENTRIES];
static struct entry *going_entries[MOST_REMOVED_ENTRIES];

// Some of those that are attached to the module; only to what is freed when it is up. Returns how many.
static u32 collect_going(const struct module *module, bool only_init)
{
	unsigned long address;
	struct stap_probe *p;
	u32 i, count = 0;

	for (i = 0; i < stap_program.probe_count && count < MOST_REMOVED_ENTRIES; i++) {
		p = &stap_program.probes[i];
		address = is_on_code(p) ? address_now(p) : 0;
		if (!address || !(only_init ? within_module_init(address, module) : within_module(address, module)))
			continue;
		going_entries[count] = code_mechanism_of(p)->entry(p);
		going[count++] = p;
	}
	return count;
}

static void lift_kind(const struct code_mechanism *m, u32 count)
{
	u32 i, n = 0;

	for (i = 0; i < count; i++)
		if (going[i]->attach.kind == m->kind)
			of_kind[n++] = going[i];
	if (n)
		m->lift(of_kind, n);
}

static void lift_probes(const struct module *module, bool only_init)
{
	u32 count;

	while ((count = collect_going(module, only_init))) {
		entries_remove(going_entries, count);
		lift_kind(&kprobe_code, count);
		lift_kind(&kretprobe_code, count);
	}
}

static void module_goes(const struct module *module, bool only_init)
{
	if (has_probes)
		lift_probes(module, only_init);
	if (addresses_needs_module(module->name)) {
		addresses_module_goes(module->name, only_init);
		addresses_resolve_symbols(&stap_program);
	}
}

// --- what the kernel tells -------------------------------------------------------------------------------------------

static int module_changes_last(struct notifier_block *notifier, unsigned long change, void *module)
{
	if (change != MODULE_STATE_COMING)
		return NOTIFY_DONE;
	modules_lock();
	module_comes(module, true);
	modules_unlock();
	return NOTIFY_OK;
}

// A module that was just coming when this one did is heard of only now that it is up.
static int module_changes_first(struct notifier_block *notifier, unsigned long change, void *data)
{
	const struct module *module = data;

	if (change == MODULE_STATE_COMING)
		return NOTIFY_DONE;
	modules_lock();
	if (change == MODULE_STATE_GOING)
		module_goes(module, false);
	else if (addresses_needs_module(module->name) && !addresses_was_told(module->name))
		module_comes(module, false);
	else
		module_goes(module, true);
	modules_unlock();
	return NOTIFY_OK;
}

static struct notifier_block heard_last = {.notifier_call = module_changes_last, .priority = INT_MIN};
static struct notifier_block heard_first = {.notifier_call = module_changes_first, .priority = INT_MAX};

int modules_init(void)
{
	int rc = register_module_notifier(&heard_first);

	if (rc)
		return rc;
	rc = register_module_notifier(&heard_last);
	if (rc)
		unregister_module_notifier(&heard_first);
	return rc;
}

void modules_exit(void)
{
	unregister_module_notifier(&heard_last);
	unregister_module_notifier(&heard_first);
}

// --- what waits ------------------------------------------------------------------------------------------------------

static bool waits_for(const struct stap_probe *p, const char *module)
{
	return is_on_module(p, module) && p->is_attached && !addresses_has_place(stap_probe_place(p));
}

static void tell_waiting(u32 index, const char *module)
{
	const bool is_loaded = addresses_is_loaded(module);
	u32 i, count = 0, all = 0;

	for (i = 0; i < index; i++)
		if (waits_for(&stap_program.probes[i], module))
			return; // it was told
	for (; i < stap_program.probe_count; i++) {
		all += is_on_module(&stap_program.probes[i], module);
		count += waits_for(&stap_program.probes[i], module);
	}
	// Of a module that is loaded, the functions of its initialisation have gone; who asked for others too gets
	// those.
	if (is_loaded && count == all)
		report_later(
			STAP_RECORD_NOTE,
			"module \"%s\" is up, and what initialised it was freed: %u probe%s wait%s until it is loaded again",
			module, count, count == 1 ? "" : "s", count == 1 ? "s" : "");
	else if (!is_loaded)
		report_later(STAP_RECORD_NOTE, "module \"%s\" is not loaded: %u probe%s wait%s for it", module, count,
			     count == 1 ? "" : "s", count == 1 ? "s" : "");
}

void modules_tell_waiting(void)
{
	const struct stap_code_place *place;
	u32 i;

	modules_lock();
	for (i = 0; i < stap_program.probe_count && has_probes && !waiting_told; i++) {
		place = is_on_code(&stap_program.probes[i]) ? stap_probe_place(&stap_program.probes[i]) : NULL;
		if (place && !addresses_is_kernel(place->module) && waits_for(&stap_program.probes[i], place->module))
			tell_waiting(i, place->module);
	}
	waiting_told = true;
	modules_unlock();
}
