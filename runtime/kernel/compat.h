// SPDX-License-Identifier: GPL-2.0-or-later
// Everything the module knows of kernel versions (5.10 to 7.2): one small wrapper for each interface that changed.
#ifndef STAP_KERNEL_COMPAT_H
#define STAP_KERNEL_COMPAT_H

#include <linux/version.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)
#include <linux/trace_recursion.h>
#endif
#include <linux/uprobes.h>

#ifndef CONFIG_X86_64
#error "the kernel runtime knows x86-64 only"
#endif

// Pages charged to the caller's memory cgroup can be mapped into a process since 5.11.
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)
#define COMPAT_GFP_MAPPABLE GFP_KERNEL_ACCOUNT
#else
#define COMPAT_GFP_MAPPABLE GFP_KERNEL
#endif

// A mapping's flags are to be set by a function since 6.3.
static inline void compat_vm_flags_set(struct vm_area_struct *vma, unsigned long flags)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_set(vma, flags);
#else
	vma->vm_flags |= flags;
#endif
}

// hrtimer_init() and a store to .function became hrtimer_setup() in 6.13; the old way went in 6.15.
static inline void compat_hrtimer_setup(struct hrtimer *t, enum hrtimer_restart (*function)(struct hrtimer *),
					enum hrtimer_mode mode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(t, function, CLOCK_MONOTONIC, mode);
#else
	hrtimer_init(t, CLOCK_MONOTONIC, mode);
	t->function = function;
#endif
}

// Clang's control-flow integrity: an indirect call of a function that has another prototype than the caller's is a
// panic. The option lost its suffix in 6.18.
#define COMPAT_PROTOTYPES_ARE_CHECKED (IS_ENABLED(CONFIG_CFI_CLANG) || IS_ENABLED(CONFIG_CFI))

// An irq_work that runs in the interrupt itself on real-time kernels too, where it would be a thread's otherwise; until
// 5.11 there was no such macro, nor any need of it.
#ifdef IRQ_WORK_INIT_HARD
#define COMPAT_IRQ_WORK(function) IRQ_WORK_INIT_HARD(function)
#else
#define COMPAT_IRQ_WORK(function)   \
	{                           \
		.func = (function), \
	}
#endif

// What an ftrace handler gets of the registers, until 5.11 a plain pt_regs.
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)
typedef struct ftrace_regs compat_ftrace_regs;
#else
typedef struct pt_regs compat_ftrace_regs;
#endif

// All registers of an ftrace user that asks for them; NULL where they were not saved.
static inline struct pt_regs *compat_ftrace_get_regs(compat_ftrace_regs *regs)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)
	return ftrace_get_regs(regs);
#else
	return regs;
#endif
}

// Until 5.11 an ftrace user was kept from being called by what it calls itself, unless it said that it cared itself.
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)
#define COMPAT_FTRACE_OPS_FLAGS 0
#else
#define COMPAT_FTRACE_OPS_FLAGS FTRACE_OPS_FL_RECURSION_SAFE
#endif

// Until 5.11 following a call took locks that the kernel's own kprobes kept free of other probes.
#define COMPAT_FOLLOWING_TAKES_LOCKS (LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0))

// A guard against being called by what is called meanwhile: -1 when one is held in this context already, else what is
// to be given to the unlock. Preemption is off in between. Interrupts may come, and have guards of their own.
// Until 5.11 modules were not offered the kernel's own; the word that it keeps that in is used here too, by bits at its
// other end.
static inline int compat_recursion_lock(void)
{
	int bit;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)
	bit = ftrace_test_recursion_trylock(_THIS_IP_, _RET_IP_);
	if (bit < 0)
		return bit;
#else
	bit = in_nmi() ? 63 : in_irq() ? 62 : in_serving_softirq() ? 61 : 60;
	if (current->trace_recursion & BIT(bit))
		return -1;
	current->trace_recursion |= BIT(bit);
#endif
	preempt_disable_notrace();
	return bit;
}

static inline void compat_recursion_unlock(int bit)
{
	preempt_enable_notrace();
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)
	ftrace_test_recursion_unlock(bit);
#else
	current->trace_recursion &= ~BIT(bit);
#endif
}

// Adds addresses to an ftrace user's filter, or removes them. 0 or -errno; then none was, where the kernel takes many
// at once, since 5.18. Before that each costs a call for itself, and those before the one that failed were.
#define COMPAT_FTRACE_TAKES_MANY (LINUX_VERSION_CODE >= KERNEL_VERSION(5, 18, 0))
static inline int compat_ftrace_filter(struct ftrace_ops *ops, unsigned long *ips, unsigned int count, int remove)
{
#if COMPAT_FTRACE_TAKES_MANY
	return ftrace_set_filter_ips(ops, ips, count, remove, 0);
#else
	int rc = 0;

	while (count-- && !rc)
		rc = ftrace_set_filter_ip(ops, *ips++, remove, 0);
	return rc;
#endif
}

// An instance pointed at its kretprobe until 5.11, and has no return address of its own where rethook does the work.
static inline struct kretprobe *compat_kretprobe(struct kretprobe_instance *ri)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)
	return get_kretprobe(ri);
#else
	return ri->rp;
#endif
}

// Where the call returns to. Of several that follow one call the first has found that address on the stack, and each
// later one the kernel's trampoline; the list goes from the latest to the first. Without rethooks the kernel corrects
// the address before it calls a handler.
static inline unsigned long compat_kretprobe_return_address(struct kretprobe_instance *ri)
{
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	const struct rethook_node *call = &ri->node, *earlier;

	for (; call->llist.next; call = earlier) {
		earlier = llist_entry(call->llist.next, struct rethook_node, llist);
		if (earlier->frame != call->frame)
			break;
	}
	return call->ret_addr;
#else
	return (unsigned long)ri->ret_addr;
#endif
}

// Where the running call returns to whose return address at `slot` is `shown`, which a return probe may have put there.
// Calls that are followed are listed in the task since 5.11, the latest first.
static inline unsigned long compat_return_address(unsigned long slot, unsigned long shown)
{
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	struct rethook_node *call;

	llist_for_each_entry (call, current->rethooks.first, llist)
		if (call->frame == slot && call->ret_addr != shown)
			return call->ret_addr;
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)
	struct kretprobe_instance *call;

	llist_for_each_entry (call, current->kretprobe_instances.first, llist)
		if ((unsigned long)call->fp == slot && (unsigned long)call->ret_addr != shown)
			return (unsigned long)call->ret_addr;
#endif
	return shown;
}

// Interrupts are turned off and on behind the kernel's back, since a probe may sit in the functions that tell it. Only
// lockdep must know, where it is compiled in: it compares what it was told with the processor.
// lockdep_hardirqs_on_prepare() had an argument until 6.0. The bit is one that the flags register never has.
#define COMPAT_LOCKDEP_IRQS_ON (1ull << 63)
static inline u64 compat_lockdep_irqs_off(void)
{
#ifdef CONFIG_PROVE_LOCKING
	if (lockdep_hardirqs_enabled()) {
		lockdep_hardirqs_off(_THIS_IP_);
		return COMPAT_LOCKDEP_IRQS_ON;
	}
#endif
	return 0;
}

static inline void compat_lockdep_irqs_restore(u64 pinned)
{
#ifdef CONFIG_PROVE_LOCKING
	if (!(pinned & COMPAT_LOCKDEP_IRQS_ON))
		return;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 0, 0)
	lockdep_hardirqs_on_prepare();
#else
	lockdep_hardirqs_on_prepare(_THIS_IP_);
#endif
	lockdep_hardirqs_on(_THIS_IP_);
#endif
}

// What an entry of procfs was made with; its name had capitals until 5.17.
static inline void *compat_pde_data(const struct inode *inode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 17, 0)
	return pde_data(inode);
#else
	return PDE_DATA(inode);
#endif
}

// A task has two lists of perf events, of hardware's and of software's, until 6.1.
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
#define COMPAT_TASK_CONTEXTS 1
static inline struct perf_event_context *compat_task_context(struct task_struct *task, u32 index)
{
	return rcu_dereference_raw(task->perf_event_ctxp);
}
#else
#define COMPAT_TASK_CONTEXTS perf_nr_task_contexts
static inline struct perf_event_context *compat_task_context(struct task_struct *task, u32 index)
{
	return rcu_dereference_raw(task->perf_event_ctxp[index]);
}
#endif

// Since 5.13 an exec can end a perf event of the process. Before it goes on, in a program that it was not made for.
static inline void compat_perf_end_at_exec(struct perf_event_attr *attr)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 13, 0)
	attr->remove_on_exec = 1;
#endif
}

// The kernel's threads that are threads of a process: those of io_uring since 5.12, others too since 6.4.
#ifdef PF_USER_WORKER
#define COMPAT_PF_USER_WORKER PF_USER_WORKER
#else
#define COMPAT_PF_USER_WORKER PF_IO_WORKER
#endif

// What stays of a module when it is up: its code, and its read-only data, which have memory of their own since 6.4.
static inline const void *compat_module_text(const struct module *module, u64 *size)
{
#ifdef for_each_mod_mem_type
	*size = module->mem[MOD_TEXT].size;
	return module->mem[MOD_TEXT].base;
#else
	*size = module->core_layout.text_size;
	return module->core_layout.base;
#endif
}

static inline const void *compat_module_constants(const struct module *module, u64 *size)
{
#ifdef for_each_mod_mem_type
	*size = module->mem[MOD_RODATA].size;
	return module->mem[MOD_RODATA].base;
#else
	*size = module->core_layout.ro_size - module->core_layout.text_size;
	return module->core_layout.base + module->core_layout.text_size;
#endif
}

// Modules may call ftrace_free_filter() since 6.2, and 6.1.9 of the stable kernels. Before that the filter is emptied,
// and its empty table of some 200 bytes is not given back.
static inline void compat_ftrace_free_filter(struct ftrace_ops *ops)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 9)
	ftrace_free_filter(ops);
#else
	ftrace_set_filter(ops, NULL, 0, 1);
#endif
}

// The tracepoint of a task's end says since 6.16 whether it was its process's last.
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#define COMPAT_SCHED_PROCESS_EXIT_MORE , bool group_dead
#else
#define COMPAT_SCHED_PROCESS_EXIT_MORE
#endif

// A consumer's handlers share a word for each call since 6.13, and the one at the entry can say that this call's return
// is not wanted.
#ifdef UPROBE_HANDLER_IGNORE
#define COMPAT_UPROBE_DATA   , __u64 *data
#define COMPAT_UPROBE_IGNORE UPROBE_HANDLER_IGNORE
#else
#define COMPAT_UPROBE_DATA
#define COMPAT_UPROBE_IGNORE 0
#endif

// What a filter of uprobes got besides the memory until 6.12: why it is asked.
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define COMPAT_UPROBE_FILTER_CONTEXT
#else
#define COMPAT_UPROBE_FILTER_CONTEXT enum uprobe_filter_ctx context,
#endif

// A task of the process that a memory belongs to, also while the process is being made; NULL: it has none, or this
// kernel does not keep it. Under RCU.
static inline const struct task_struct *compat_mm_owner(struct mm_struct *mm)
{
#ifdef CONFIG_MEMCG
	return rcu_dereference(mm->owner);
#else
	return NULL;
#endif
}

// Is it being made, and not told of by sched_process_fork yet? A task's state got the underscores in 5.14.
static inline bool compat_task_is_new(const struct task_struct *task)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 14, 0)
	return READ_ONCE(task->__state) & TASK_NEW;
#else
	return READ_ONCE(task->state) & TASK_NEW;
#endif
}

// Since 6.12 a registered uprobe has a handle, and is unregistered in two steps: no new hits, then a wait for those
// that run, one for all. Before, unregistering does both. `semaphore` as stap_file_place has it.
static inline int compat_uprobe_register(struct inode *inode, loff_t offset, loff_t semaphore,
					 struct uprobe_consumer *consumer, struct uprobe **handle)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	*handle = uprobe_register(inode, offset, semaphore, consumer);
	return PTR_ERR_OR_ZERO(*handle);
#else
	return semaphore ? uprobe_register_refctr(inode, offset, semaphore, consumer)
			 : uprobe_register(inode, offset, consumer);
#endif
}

static inline void compat_uprobe_unregister(struct inode *inode, loff_t offset, struct uprobe_consumer *consumer,
					    struct uprobe *handle)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	uprobe_unregister_nosync(handle, consumer);
#else
	uprobe_unregister(inode, offset, consumer);
#endif
}

static inline void compat_uprobe_sync(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	uprobe_unregister_sync();
#endif
}

// Since 6.18 the kernel makes a call of a breakpoint on a 5-byte no-op. The call's return address goes below the stack
// pointer, where a leaf function may have its variables.
#define COMPAT_UPROBES_ON_NOPS_CALL (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 18, 0))

#endif
