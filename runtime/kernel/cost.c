// SPDX-License-Identifier: GPL-2.0-or-later
// What a hit costs the processor besides stap_hit(): the kernel's way from the probed place to the mechanism and back.
//
// It differs by a factor of ten between processors, and more in a guest, so it is measured: the first time that a
// mechanism attaches a probe, it has a function called, and called again with a probe of its own on it that does
// nothing. The shortest of several calls counts each time, so that interrupts and cold caches in between are not taken
// for the cost; it is what a hit takes at least. Interrupts are off for a few calls at a time. Without the overload
// check nothing is measured.
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/preempt.h>
#include <linux/timex.h>
#include "compat.h"
#include "kernel.h"

#define SAMPLES          8
#define CALLS_PER_SAMPLE 4
#define INT3             0xcc

#define PATIENCE_NS      1000000 // with an interrupt that should come at once
#define INTERRUPT_CYCLES 5000    // where none does: some one or two microseconds

// It has no handler and belongs to no script; stap_hit() returns at once.
const struct stap_probe cost_no_probe = {.attach = {.kind = STAP_ATTACH_NONE}};

bool cost_wanted(void)
{
	return stap_program.limits.overload_interval != 0;
}

u32 cost_of_call(void (*function)(void))
{
	u64 least = U32_MAX;
	u32 i, j;

	for (i = 0; i < SAMPLES; i++) {
		unsigned long flags;
		u64 start;

		local_irq_save(flags);
		start = get_cycles();
		for (j = 0; j < CALLS_PER_SAMPLE; j++)
			function();
		least = min_t(u64, least, get_cycles() - start);
		local_irq_restore(flags);
	}
	return (u32)(least / CALLS_PER_SAMPLE);
}

// --- kprobes -------------------------------------------------------------------------------------------------------

// The module's own functions are compiled without ftrace's call at the entry, so a kprobe on them is a breakpoint.
static noinline void call_own_function(void)
{
	barrier();
}

// One that ftrace knows, exported since 5.1, without effect, and called by nobody in a hurry. It has no other probe:
// two ftrace handlers on a function cost more than one and one.
static void call_traced_function(void)
{
	int_pow(0, 0);
}

void (*const cost_function[KPROBE_WAYS])(void) = {
	[BY_CALL] = call_traced_function,
	[BY_BREAKPOINT] = call_own_function,
};

void cost_set_place(struct kprobe *kp, enum kprobe_way way)
{
	kp->addr = way == BY_CALL ? (kprobe_opcode_t *)int_pow : (kprobe_opcode_t *)call_own_function;
}

// The kernel puts a jump in place of a breakpoint some time after the kprobe was registered, where that is possible.
enum kprobe_way kprobe_way(const struct kprobe *kp)
{
	u8 code = 0;

	if (!(kp->flags & KPROBE_FLAG_FTRACE))
		host_read_kernel(&code, (unsigned long)kp->addr, sizeof(code));
	return code == INT3 ? BY_BREAKPOINT : BY_CALL;
}

bool kprobe_is_jump(const struct kprobe *kp)
{
	return !(kp->flags & KPROBE_FLAG_FTRACE) && kprobe_way(kp) == BY_CALL;
}

static int pass_breakpoint(struct kprobe *kp, struct pt_regs *regs)
{
	return 0;
}
NOKPROBE_SYMBOL(pass_breakpoint);

static u32 breakpoint_cycles; // 0: not measured

// The kprobe is gone again afterwards.
void cost_measure_breakpoint(void)
{
	struct kprobe kp = {.pre_handler = pass_breakpoint};
	u32 without;

	if (breakpoint_cycles || !cost_wanted())
		return;
	cost_set_place(&kp, BY_BREAKPOINT);
	without = cost_of_call(cost_function[BY_BREAKPOINT]);
	if (register_kprobe(&kp))
		return;
	breakpoint_cycles = max(cost_of_call(cost_function[BY_BREAKPOINT]), without + 1) - without;
	unregister_kprobe(&kp);
}

u32 cost_of_breakpoint(void)
{
	return breakpoint_cycles;
}

// --- timers --------------------------------------------------------------------------------------------------------

static u32 interrupt_cycles; // 0: not measured
static bool interrupted;

static void note_interrupt(struct irq_work *work)
{
	WRITE_ONCE(interrupted, true);
}

// An interrupt that the CPU sends to itself comes at once, and takes about what a timer's takes: one word to the
// interrupt controller, the kernel's entry and exit. U32_MAX: it did not come.
static u32 cost_of_one_interrupt(struct irq_work *work)
{
	u64 deadline_ns = host_clock_ns() + PATIENCE_NS, start, taken;

	WRITE_ONCE(interrupted, false);
	preempt_disable();
	start = get_cycles();
	irq_work_queue(work);
	while (!READ_ONCE(interrupted) && host_clock_ns() < deadline_ns)
		cpu_relax();
	taken = get_cycles() - start;
	preempt_enable();
	irq_work_sync(work);
	return host_clock_ns() < deadline_ns ? (u32)min_t(u64, taken, U32_MAX) : U32_MAX;
}

void cost_measure_interrupt(void)
{
	static struct irq_work work = COMPAT_IRQ_WORK(note_interrupt);
	u32 least = U32_MAX, i;

	if (interrupt_cycles || !cost_wanted())
		return;
	for (i = 0; i < SAMPLES; i++)
		least = min(least, cost_of_one_interrupt(&work));
	interrupt_cycles = least == U32_MAX ? INTERRUPT_CYCLES : least;
}

u32 cost_of_interrupt(const struct stap_probe *p)
{
	return interrupt_cycles;
}
