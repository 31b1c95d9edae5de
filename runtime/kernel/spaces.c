// SPDX-License-Identifier: GPL-2.0-or-later
// Which files a process had mapped executable when its user stack was recorded: what the reader needs to unwind it.
//
// The process may have ended, or run another program, when the reader comes to the record. Its mappings can't be walked
// at the hit: that takes mmap_lock, and giving the lock back may wake a waiter, which must not be done where a probe
// may sit. Nothing tells a module of later mappings either. So a hit only takes a reference to the address space, which
// keeps its mappings whatever becomes of the process, and a work walks them a moment later, copies what matters and
// drops the reference.
//
// An address that a handler has taken and kept is printed elsewhere, in an end probe say: the reader then looks at all
// spaces that there are.
//
// A space is known by its process, by how often that has run a program, and by how much is mapped executable: when a
// library is loaded the space is another one (code that may be written to, as a process generates it, does not count).
// The table's entries are looked up without a lock, at any hit, NMIs included. They are filled in under `filling`,
// which a hit only tries; one that does not get it, or finds no entry to replace, records the space 0, and the reader
// asks /proc. An entry that the work has not come to is not replaced, since it holds the reference. What a replaced
// entry pointed at is freed by the work. `walking` keeps works and the reader's requests apart.
#include <linux/bitops.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/llist.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#include "kernel.h"

#define SPACES_LOG 7
#define SPACES     (1u << SPACES_LOG)
#define WAYS       4 // entries that a process may be in
#define FILL_TRIES 64

#define MAX_MAPPINGS 1024
#define MAX_BYTES    (1u << 18)

// What a walk has found, a struct stap_user_mapping and a path each.
struct mappings {
	struct llist_node unused; // in `garbage`
	u32 size, room;
	char bytes[];
};

struct space_key {
	u32 process;
	unsigned long executable; // pages
	u64 born, programs;
};

static struct space {
	u32 id; // 0: none is here
	struct space_key key;
	struct mm_struct *mm;      // referenced until the walk
	struct mappings *mappings; // NULL: the walk has not been made, or there was no memory
} spaces[SPACES];

static unsigned long filling; // bit 0
static DEFINE_MUTEX(walking);
static LLIST_HEAD(garbage);
static u32 last_id;

// --- the walk: process context, `walking` is held ---

static struct mappings *add_mapping(struct mappings *all, const struct vm_area_struct *vma, const char *path)
{
	const u32 length = strlen(path), need = ALIGN(sizeof(struct stap_user_mapping) + length, 8);
	struct stap_user_mapping *m;
	struct mappings *larger;

	if (all->size + need > all->room) {
		const u32 room = 2 * (all->room + need);

		larger = room <= MAX_BYTES ? kvmalloc(sizeof(*all) + room, GFP_KERNEL) : NULL;
		if (!larger)
			return all;
		memcpy(larger, all, sizeof(*all) + all->size);
		larger->room = room;
		kvfree(all);
		all = larger;
	}
	m = (struct stap_user_mapping *)(all->bytes + all->size);
	memset(m, 0, need);
	m->start = vma->vm_start;
	m->end = vma->vm_end;
	m->offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	m->path_length = length;
	m->file = vma->vm_file ? user_files_number(file_inode(vma->vm_file)) : 0;
	memcpy(m + 1, path, length);
	all->size += need;
	return all;
}

// The path of the file, or the name of what the kernel has mapped itself ("[vdso]"); "" for other memory.
static const char *mapping_name(struct vm_area_struct *vma, char *page)
{
	const char *path;

	if (vma->vm_file) {
		path = file_path(vma->vm_file, page, PAGE_SIZE);
		return IS_ERR(path) ? "" : path;
	}
	path = vma->vm_ops && vma->vm_ops->name ? vma->vm_ops->name(vma) : NULL;
	return path ?: "";
}

static struct mappings *walk(struct mm_struct *mm)
{
	struct mappings *all = kvmalloc(sizeof(*all) + PAGE_SIZE, GFP_KERNEL);
	char *page = (char *)__get_free_page(GFP_KERNEL);
	struct vm_area_struct *vma;
	u32 count = 0;

	if (!all || !page) {
		kvfree(all);
		free_page((unsigned long)page);
		return NULL;
	}
	all->size = 0;
	all->room = PAGE_SIZE;
	mmap_read_lock(mm);
	for (vma = find_vma(mm, 0); vma && count < MAX_MAPPINGS; vma = find_vma(mm, vma->vm_end)) {
		if (!(vma->vm_flags & VM_EXEC))
			continue;
		all = add_mapping(all, vma, mapping_name(vma, page));
		count++;
	}
	mmap_read_unlock(mm);
	free_page((unsigned long)page);
	return all;
}

// A hit may be looking at what has been replaced just now.
static void collect_garbage(void)
{
	struct llist_node *all = llist_del_all(&garbage);
	struct mappings *m, *next;

	if (all)
		synchronize_rcu();
	llist_for_each_entry_safe(m, next, all, unused) kvfree(m);
}

static void walk_all(void)
{
	struct mm_struct *mm;

	for (u32 i = 0; i < SPACES; i++) {
		mm = smp_load_acquire(&spaces[i].mm);
		if (!mm)
			continue;
		smp_store_release(&spaces[i].mappings, walk(mm));
		smp_store_release(&spaces[i].mm, NULL); // from here on the entry may be replaced
		mmput(mm);
	}
	collect_garbage();
}

static void walk_spaces(struct work_struct *work)
{
	mutex_lock(&walking);
	walk_all();
	mutex_unlock(&walking);
}
static DECLARE_WORK(walk_work, walk_spaces);

static void queue_walk(struct irq_work *work)
{
	schedule_work(&walk_work);
}
static struct irq_work walk_raise;

// --- at a hit: any context ---

static bool same_key(const struct space_key *a, const struct space_key *b)
{
	return a->process == b->process && a->executable == b->executable && a->born == b->born &&
	       a->programs == b->programs;
}

static struct space *entry(u32 process, u32 way)
{
	return &spaces[(hash_32(process, SPACES_LOG) + way) % SPACES];
}

static u32 find_space(const struct space_key *key)
{
	for (u32 way = 0; way < WAYS; way++) {
		const struct space *s = entry(key->process, way);
		u32 id = smp_load_acquire(&s->id);

		if (!id || !same_key(&s->key, key))
			continue;
		smp_rmb(); // the key was that of this id
		if (READ_ONCE(s->id) == id)
			return id;
	}
	return 0;
}

// The entry that was filled in first of those that may be replaced; NULL: none may.
static struct space *oldest(u32 process)
{
	struct space *found = NULL;

	for (u32 way = 0; way < WAYS; way++) {
		struct space *s = entry(process, way);

		if (!smp_load_acquire(&s->mm) && (!found || s->id < found->id))
			found = s;
	}
	return found;
}

static u32 fill_space(const struct space_key *key)
{
	struct space *s;
	u32 id = find_space(key); // another thread of the process may have been first

	if (id)
		return id;
	s = oldest(key->process);
	if (!s || !mmget_not_zero(current->mm))
		return 0;
	WRITE_ONCE(s->id, 0);
	smp_wmb(); // whoever sees what is new does not see the old id
	if (s->mappings)
		llist_add(&s->mappings->unused, &garbage);
	WRITE_ONCE(s->mappings, NULL);
	s->key = *key;
	id = ++last_id ?: ++last_id;
	smp_store_release(&s->id, id);
	smp_store_release(&s->mm, current->mm);
	return id;
}

u32 host_user_space(void)
{
	struct space_key key;
	u32 id;

	if (!current->mm || (current->flags & PF_KTHREAD))
		return 0;
	key = (struct space_key){
		.process = current->tgid,
		.executable = READ_ONCE(current->mm->exec_vm),
		.born = current->group_leader->start_time,
		.programs = current->self_exec_id,
	};
	id = find_space(&key);
	for (u32 i = 0; !id && i < FILL_TRIES; i++) {
		if (test_and_set_bit_lock(0, &filling)) {
			cpu_relax();
			continue;
		}
		id = fill_space(&key);
		clear_bit_unlock(0, &filling);
		irq_work_queue(&walk_raise);
		break;
	}
	return id;
}

static u32 file_in(const struct mappings *all, u64 address, u64 *offset)
{
	const struct stap_user_mapping *m;

	for (u32 at = 0; at < all->size; at += ALIGN(sizeof(*m) + m->path_length, 8)) {
		m = (const struct stap_user_mapping *)(all->bytes + at);
		if (address < m->start || address >= m->end)
			continue;
		*offset = address - m->start + m->offset;
		return m->file;
	}
	return 0;
}

u32 spaces_file(u64 address, u64 *offset)
{
	const u32 id = host_user_space();
	u32 file = 0;

	rcu_read_lock();
	for (u32 way = 0; id && way < WAYS; way++) {
		const struct space *s = entry(current->tgid, way);
		const struct mappings *all;

		if (smp_load_acquire(&s->id) != id)
			continue;
		all = smp_load_acquire(&s->mappings);
		smp_rmb(); // what was replaced had another id before
		if (all && READ_ONCE(s->id) == id)
			file = file_in(all, address, offset);
	}
	rcu_read_unlock();
	return file;
}

// --- for the reader: process context ---

int spaces_tell(const struct stap_ioc_space *asked)
{
	void __user *to = (void __user *)(unsigned long)asked->buffer;
	int rc = -ENOENT;

	if (mutex_lock_killable(&walking))
		return -EINTR;
	walk_all();
	for (u32 i = 0; asked->space && i < SPACES; i++) {
		const struct mappings *m;

		if (smp_load_acquire(&spaces[i].id) != asked->space)
			continue;
		m = READ_ONCE(spaces[i].mappings);
		smp_rmb();
		// A hit may replace the entry at any time, but what it pointed at is freed under `walking` only.
		if (!m || READ_ONCE(spaces[i].id) != asked->space)
			continue;
		rc = m->size <= asked->size && copy_to_user(to, m->bytes, m->size) ? -EFAULT : m->size;
		break;
	}
	mutex_unlock(&walking);
	return rc;
}

int spaces_list(const struct stap_ioc_space *asked)
{
	void __user *to = (void __user *)(unsigned long)asked->buffer;
	struct stap_known_space known;
	u32 size = 0;

	if (mutex_lock_killable(&walking))
		return -EINTR;
	for (u32 i = 0; i < SPACES && asked->size - size >= sizeof(known); i++) {
		known.space = smp_load_acquire(&spaces[i].id);
		known.process = READ_ONCE(spaces[i].key.process);
		if (known.space <= asked->space)
			continue;
		if (copy_to_user(to + size, &known, sizeof(known))) {
			mutex_unlock(&walking);
			return -EFAULT;
		}
		size += sizeof(known);
	}
	mutex_unlock(&walking);
	return size;
}

void spaces_init(void)
{
	init_irq_work(&walk_raise, queue_walk);
}

// No handler runs any more.
void spaces_free(void)
{
	irq_work_sync(&walk_raise);
	cancel_work_sync(&walk_work);
	mutex_lock(&walking);
	walk_all();
	for (u32 i = 0; i < SPACES; i++) {
		kvfree(spaces[i].mappings);
		spaces[i] = (struct space){0};
	}
	mutex_unlock(&walking);
}
