// SPDX-License-Identifier: GPL-2.0-or-later
// CPUs that come while a script is loaded get their memory before they run anything.
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include "kernel.h"

static int prepare_state; // under which the kernel knows our call; 0: it does not
static int missing;       // why a CPU got no memory: -errno

// On another CPU, in process context. Never fails: a CPU must not stay away for want of a script's memory. Its hits are
// skipped and counted.
static int cpu_prepares(unsigned int cpu)
{
	int rc = stap_session_add_cpu(cpu);

	if (rc)
		WRITE_ONCE(missing, rc);
	return 0;
}

int host_cpus_watch(void)
{
	unsigned int cpu;
	int rc;

	missing = 0;
	// The kernel would call it for the CPUs that are online, but old ones (5.10) do so for no state of this kind.
	cpus_read_lock();
	rc = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_BP_PREPARE_DYN, "stap:prepare", cpu_prepares, NULL);
	if (rc > 0) {
		prepare_state = rc;
		for_each_online_cpu(cpu) cpu_prepares(cpu);
	} else { // the kernel has places for some twenty scripts; one more gets memory for all CPUs that can come
		for_each_possible_cpu(cpu) cpu_prepares(cpu);
	}
	cpus_read_unlock();
	return missing;
}

void host_cpus_unwatch(void)
{
	if (prepare_state)
		cpuhp_remove_state_nocalls(prepare_state);
	prepare_state = 0;
}
