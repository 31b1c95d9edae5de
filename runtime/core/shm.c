// SPDX-License-Identifier: GPL-2.0-or-later
// Lays out the memory shared with staprun when a script is loaded: the head, the tables of formats, probes and skipped
// hits, and one ring for each CPU.
#include "core.h"

#define PAGE 4096u

static u64 page_round(u64 n)
{
	return (n + PAGE - 1) & ~(u64)(PAGE - 1);
}

static u64 tables_bytes(const struct stap_program *p)
{
	u64 n = p->format_count * sizeof(struct stap_shm_format) + p->probe_count * sizeof(struct stap_shm_string);

	for (u32 i = 0; i < p->format_count; i++)
		n += p->formats[i].text.len + p->formats[i].arg_count;
	for (u32 i = 0; i < p->probe_count; i++)
		n += stap_cstr(p->probes[i].point).len;
	return n;
}

// Appends a string to the tables at offset *end, moves *end behind it, and returns where the string is.
static struct stap_shm_string put_string(char *tables, u32 *end, const char *text, u32 len)
{
	struct stap_shm_string s = {*end, len};

	mem_copy(tables + *end, text, len);
	*end += len;
	return s;
}

static void put_tables(const struct stap_program *p, char *tables)
{
	struct stap_shm_format *formats = (struct stap_shm_format *)tables;
	struct stap_shm_string *probes = (struct stap_shm_string *)(formats + p->format_count);
	u32 end = (u32)((char *)(probes + p->probe_count) - tables);

	for (u32 i = 0; i < p->format_count; i++) {
		const struct stap_format *f = &p->formats[i];

		formats[i].text = put_string(tables, &end, f->text.ptr, f->text.len);
		formats[i].arg_types = put_string(tables, &end, f->arg_types, f->arg_count);
	}
	for (u32 i = 0; i < p->probe_count; i++) {
		struct stap_str point = stap_cstr(p->probes[i].point);

		probes[i] = put_string(tables, &end, point.ptr, point.len);
	}
}

int stap_shm_init(const struct stap_program *p, u32 ring_size)
{
	u64 strings = page_round(sizeof(struct stap_shm));
	u64 skips = strings + page_round(tables_bytes(p));
	u64 rings = skips + page_round(stap_skips_stride(p) * stap_core.cpu_count);
	u64 stride = STAP_RING_DATA_OFFSET + (u64)ring_size;
	struct stap_shm *shm;
	u32 n = stap_cstr(p->name).len;

	stap_core.shm_size = rings + stride * (stap_core.cpu_count + 1);
	shm = host_shared_alloc(stap_core.shm_size);
	if (!shm)
		return -STAP_ENOMEM;
	stap_core.shm = shm;
	*shm = (struct stap_shm){
		.magic = STAP_SHM_MAGIC,
		.version = STAP_SHM_VERSION,
		.size = sizeof(*shm),
		.self_address = (u64)(unsigned long)shm,
		.total_size = stap_core.shm_size,
		.ring_count = stap_core.cpu_count + 1,
		.ring_size = ring_size,
		.rings_offset = rings,
		.ring_stride = stride,
		.strings_offset = strings,
		.format_count = p->format_count,
		.probe_count = p->probe_count,
		.state = STAP_STATE_LOADED,
		.skips_count = stap_core.cpu_count,
		.skips_offset = skips,
		.skips_stride = stap_skips_stride(p),
	};
	stap_core.skips = (char *)shm + skips;
	mem_copy(shm->name, p->name, n < sizeof(shm->name) ? n : sizeof(shm->name) - 1);
	put_tables(p, (char *)shm + strings);
	for (u32 i = 0; i <= stap_core.cpu_count; i++) {
		char *ring = (char *)shm + rings + stride * i;

		stap_ring_init(&stap_core.cpus[i].ring, (struct stap_ring_writer *)ring,
			       (struct stap_ring_reader *)(ring + PAGE), ring + STAP_RING_DATA_OFFSET, ring_size);
	}
	return 0;
}
