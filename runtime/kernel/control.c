// SPDX-License-Identifier: GPL-2.0-or-later
// /proc/stap_NAME: how the one reader starts and stops the script and maps its rings.
//
// The session's memory is made at first need (ring size asked for, global set, or started) and given back when the file
// is closed, however its owner ended; a script that runs is stopped first. What is left then is a module that can only
// be unloaded. An open file pins the module.
//
// `lock` is taken by ioctls, at the end, and by the work that detaches the probes (wake.c). Nothing of the caller's
// memory is touched while it is held: mapping happens under the caller's mmap_lock, which a fault takes too, so a fault
// under `lock` could wait for a mapping that waits for `lock`. What callers pass is copied before, what they get
// afterwards; mapping and polling need no lock, since a session that is there stays as long as the file is open. A
// start may take long: who waits for `lock` can be killed.
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include "kernel.h"

#define MAX_RING_SIZE    (1u << 30)
#define MAX_GLOBAL_VALUE (1u << 16)

static struct stap_program *program;
static kuid_t loader;         // who loaded the module
static unsigned long is_open; // bit 0
static bool is_closing;       // nobody reads any more
static DEFINE_MUTEX(lock);    // everything below, and the session's start and stop
static enum phase {
	EMPTY,
	READY, // the session's memory is there and can be mapped
	STARTED,
	SPENT, // it was given back
} phase;
static u32 asked_ring_size, target_pid, reader_pid;

u32 control_target_pid(void)
{
	return target_pid;
}

u32 control_reader_pid(void)
{
	return READ_ONCE(reader_pid);
}

static int need_session(void)
{
	int rc;

	if (phase != EMPTY)
		return phase == SPENT ? -EALREADY : 0;
	rc = stap_session_init(program, asked_ring_size);
	if (rc)
		stap_session_free(program);
	else
		smp_store_release(&phase, READY); // has_session() needs no lock
	return rc;
}

bool control_has_reader(void)
{
	return test_bit(0, &is_open) && !READ_ONCE(is_closing);
}

static bool has_session(void)
{
	enum phase now = smp_load_acquire(&phase);

	return now == READY || now == STARTED;
}

bool control_try(void (*work)(void))
{
	bool done = true;

	if (!mutex_trylock(&lock))
		return false;
	if (phase == STARTED) {
		done = session_context_try();
		if (done) {
			work();
			session_context_give();
		}
	}
	mutex_unlock(&lock);
	return done;
}

// Nobody uses the file any more.
static void end_session(void)
{
	WRITE_ONCE(is_closing, true);
	mutex_lock(&lock); // of control_detach(): no ioctl is under way
	if (phase == STARTED)
		stap_session_stop(program);
	if (has_session()) {
		stap_session_free(program);
		WRITE_ONCE(phase, SPENT);
	}
	addresses_free();
	spaces_free();
	user_files_free();
	mutex_unlock(&lock);
}

// By a work that may come late: what it was called for may be done, and the session gone.
bool control_detach(void)
{
	if (!mutex_trylock(&lock))
		return false;
	if (phase == STARTED && stap_session_wants_detach())
		stap_session_detach(program);
	mutex_unlock(&lock);
	return true;
}

bool control_arm(void)
{
	bool done = true;

	if (!mutex_trylock(&lock))
		return false;
	if (phase == STARTED && READ_ONCE(stap_session_shm(&(u64){0})->state) == STAP_STATE_RUNNING)
		done = !stap_session_arm(program);
	mutex_unlock(&lock);
	return done;
}

// What is traced is the whole machine: the right to must be one of the initial user namespace, which a container's root
// does not have. And a script serves who loaded it.
static bool may_run_script(void)
{
	return perfmon_capable() && uid_eq(current_uid(), loader);
}

static int control_open(struct inode *inode, struct file *file)
{
	if (!may_run_script())
		return -EPERM;
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	if (!test_and_set_bit_lock(0, &is_open)) {
		WRITE_ONCE(is_closing, false);
		WRITE_ONCE(reader_pid, current->tgid);
		return 0;
	}
	module_put(THIS_MODULE);
	return -EBUSY;
}

// No call is under way: each has the file in use.
static int control_release(struct inode *inode, struct file *file)
{
	end_session();
	clear_bit_unlock(0, &is_open);
	// procfs keeps the entry, and with it this code, until this function has returned
	module_put(THIS_MODULE);
	return 0;
}

static int control_mmap(struct file *file, struct vm_area_struct *vma)
{
	u64 size;

	if (!has_session())
		return -ENXIO;
	stap_session_shm(&size);
	return host_shared_map(vma, size);
}

// Records wait, or the script wants to be stopped. The rings are shared with the reader: only hints come from them.
static __poll_t control_poll(struct file *file, poll_table *wait)
{
	__poll_t events = 0;
	u64 size;

	poll_wait(file, wake_queue(), wait);
	if (!has_session())
		return 0;
	if (stap_session_has_records())
		events |= EPOLLIN | EPOLLRDNORM;
	if (READ_ONCE(stap_session_shm(&size)->state) >= STAP_STATE_STOPPING)
		events |= EPOLLPRI;
	return events;
}

// --- requests: each copies, locks, does what it is asked, unlocks, copies ------------------------------------------

static int start_locked(const struct stap_ioc_start *start, const struct stap_ioc_module *sections)
{
	int rc;

	if (phase >= STARTED)
		return -EALREADY;
	rc = need_session();
	if (rc)
		return rc;
	modules_lock();
	addresses_set(start->kernel_text, sections, start->module_count);
	rc = buildid_check_all(program);
	if (!rc)
		addresses_resolve_symbols(program);
	modules_unlock();
	if (rc)
		return rc;
	WRITE_ONCE(phase, STARTED);
	target_pid = start->target_pid;
	return stap_session_start(program, start->target_pid);
}

static int start_script(const void __user *user)
{
	struct stap_ioc_module *sections;
	struct stap_ioc_start start;
	int rc;

	if (!may_run_script()) // the file may have been passed on
		return -EPERM;
	if (copy_from_user(&start, user, sizeof(start)))
		return -EFAULT;
	sections = addresses_copy(&start);
	if (IS_ERR(sections))
		return PTR_ERR(sections);
	rc = -EINTR;
	if (!mutex_lock_killable(&lock)) {
		rc = start_locked(&start, sections);
		mutex_unlock(&lock);
	}
	kvfree(sections);
	return rc;
}

static int stop_script(void)
{
	int rc = 0;

	if (mutex_lock_killable(&lock))
		return -EINTR;
	if (phase == STARTED)
		stap_session_stop(program);
	else
		rc = -EINVAL;
	mutex_unlock(&lock);
	return rc;
}

// For a reader that wants to know before the end.
static int count_missed(void)
{
	if (mutex_lock_killable(&lock))
		return -EINTR;
	if (phase == STARTED)
		stap_session_count_missed(program);
	mutex_unlock(&lock);
	return 0;
}

// Without the lock, which START holds.
static int cancel_start(void)
{
	if (!has_session())
		return -EINVAL;
	stap_session_request_stop();
	return 0;
}

// 0: the default. Memory is taken right here, so that the reader can say what is too much.
static int set_ring_size(const u32 __user *user)
{
	u32 size;
	int rc;

	if (get_user(size, user))
		return -EFAULT;
	if (size > MAX_RING_SIZE)
		return -EINVAL;
	if (mutex_lock_killable(&lock))
		return -EINTR;
	if (has_session()) {
		rc = -EBUSY;
	} else {
		asked_ring_size = size;
		rc = need_session();
	}
	mutex_unlock(&lock);
	return rc;
}

static int tell_section(void __user *user)
{
	struct stap_ioc_section s;
	int rc;

	if (copy_from_user(&s, user, sizeof(s)))
		return -EFAULT;
	memset(s.name, 0, sizeof(s.name));
	memset(s.section, 0, sizeof(s.section));
	rc = addresses_needed(s.index, &s);
	if (rc)
		return rc;
	return copy_to_user(user, &s, sizeof(s)) ? -EFAULT : 0;
}

static int tell_clock(u64 __user *user)
{
	return put_user(host_clock_ns(), user);
}

static int tell_space(const void __user *user, int (*tell)(const struct stap_ioc_space *asked))
{
	struct stap_ioc_space asked;

	return copy_from_user(&asked, user, sizeof(asked)) ? -EFAULT : tell(&asked);
}

static int set_global_locked(struct stap_str name, struct stap_str value)
{
	if (phase >= STARTED)
		return -EALREADY;
	return need_session() ?: stap_session_set_global(name, value);
}

// NAME=VALUE of staprun's command line.
static int set_global(const void __user *user)
{
	struct stap_ioc_global g;
	char *value;
	int rc;

	if (copy_from_user(&g, user, sizeof(g)))
		return -EFAULT;
	if (g.value_len > MAX_GLOBAL_VALUE)
		return -EINVAL;
	value = memdup_user_nul((const void __user *)(unsigned long)g.value, g.value_len);
	if (IS_ERR(value))
		return PTR_ERR(value);
	g.name[sizeof(g.name) - 1] = '\0';
	rc = -EINTR;
	if (!mutex_lock_killable(&lock)) {
		rc = set_global_locked(stap_cstr(g.name), (struct stap_str){value, g.value_len});
		mutex_unlock(&lock);
	}
	kfree(value);
	return rc;
}

static int take_user_file(const void __user *user)
{
	struct user_file *file = user_file_copy(user);
	int rc = -EINTR;

	if (IS_ERR(file))
		return PTR_ERR(file);
	if (!mutex_lock_killable(&lock)) {
		rc = phase >= STARTED ? -EALREADY : user_file_add(file);
		mutex_unlock(&lock);
	}
	if (rc)
		user_file_drop(file);
	return rc;
}

// Text of the reader's standard input: its handlers run right here.
static int take_input(const void __user *user)
{
	struct stap_ioc_input input;
	char *text;
	int rc = -EINTR;

	if (copy_from_user(&input, user, sizeof(input)))
		return -EFAULT;
	if (input.len > STAP_INPUT_MAX)
		return -EINVAL;
	text = memdup_user_nul((const void __user *)(unsigned long)input.text, input.len);
	if (IS_ERR(text))
		return PTR_ERR(text);
	if (!mutex_lock_killable(&lock)) {
		rc = phase == STARTED ? 0 : -EINVAL;
		if (!rc) {
			session_context_take();
			stap_session_input(text, input.len);
			session_context_give();
		}
		mutex_unlock(&lock);
	}
	kfree(text);
	return rc;
}

static long control_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	void __user *user = (void __user *)argument;

	switch (command) {
	case STAP_IOC_START: return start_script(user);
	case STAP_IOC_STOP: return stop_script();
	case STAP_IOC_CANCEL: return cancel_start();
	case STAP_IOC_RING_SIZE: return set_ring_size(user);
	case STAP_IOC_SECTION: return tell_section(user);
	case STAP_IOC_GLOBAL: return set_global(user);
	case STAP_IOC_COUNT: return count_missed();
	case STAP_IOC_INPUT: return take_input(user);
	case STAP_IOC_CLOCK: return tell_clock(user);
	case STAP_IOC_SPACE: return tell_space(user, spaces_tell);
	case STAP_IOC_USER_FILE: return take_user_file(user);
	case STAP_IOC_SPACES: return tell_space(user, spaces_list);
	}
	return -ENOTTY;
}

static const struct proc_ops control_ops = {
	.proc_open = control_open,
	.proc_release = control_release,
	.proc_mmap = control_mmap,
	.proc_poll = control_poll,
	.proc_ioctl = control_ioctl,
	.proc_lseek = noop_llseek,
};

// Directly in /proc: a directory of all scripts would have to be made by whichever comes first, and modules share no
// lock for that. Two modules never have one name at a time, and nothing else in /proc begins with "stap_".
static void entry_name(char *out, u32 size)
{
	snprintf(out, size, STAP_CONTROL_PREFIX "%s", program->name);
}

int control_init(struct stap_program *p)
{
	struct proc_dir_entry *entry;
	char name[80];

	program = p;
	loader = current_uid();
	entry_name(name, sizeof(name));
	entry = proc_create(name, 0600, NULL, &control_ops);
	if (!entry)
		return -ENOMEM;
	proc_set_user(entry, loader, current_gid());
	return 0;
}

void control_exit(void)
{
	char name[80];

	entry_name(name, sizeof(name));
	remove_proc_entry(name, NULL); // waits for calls that are under way
}
