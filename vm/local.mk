# SPDX-License-Identifier: GPL-2.0-or-later
# The throw-away guest: its driver and the two ends of its ports.
pkglibexec_PROGRAMS += vm/stap-vm-host vm/stap-vm-agent
vm_stap_vm_host_SOURCES = vm/host.c vm/protocol.h
vm_stap_vm_agent_SOURCES = vm/agent.c vm/protocol.h
dist_pkglibexec_SCRIPTS += vm/stap-vm vm/mkinitramfs vm/init

# What scripts/debug-kernel configures.
EXTRA_DIST += vm/debug-kernel
