// SPDX-License-Identifier: GPL-2.0-or-later
// Lays out the memory shared with staprun when a script is loaded: a head with the tables of formats and probes, and a
// part for each CPU, with its ring and its table of skipped hits, that is made when the CPU needs it.
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

static u64 *ring_addresses(void)
{
	return (u64 *)((char *)stap_core.shm + stap_core.shm->ring_addresses_offset);
}

static u32 wanted_input(const struct stap_program *p)
{
	u32 wanted = 0;

	for (u32 i = 0; i < p->probe_count; i++)
		if (p->probes[i].attach.kind == STAP_ATTACH_INPUT)
			wanted |= p->probes[i].attach.input.lines ? 2 : 1;
	return wanted;
}

int stap_shm_init(const struct stap_program *p, u32 ring_size)
{
	u64 strings = page_round(sizeof(struct stap_shm));
	u64 addresses = strings + page_round(tables_bytes(p));
	u64 ways = addresses + page_round(((u64)stap_core.cpu_count + 1) * sizeof(u64));
	u64 parts = ways + page_round(p->probe_count * sizeof(struct stap_shm_way));
	u64 skips = STAP_RING_DATA_OFFSET + (u64)ring_size; // in a part
	u64 stride = skips + page_round(stap_skips_bytes(p));
	struct stap_shm *shm;
	u32 n = stap_cstr(p->name).len;

	stap_core.shm_size = parts + stride * (stap_core.cpu_count + 1);
	if (host_shared_reserve(stap_core.shm_size))
		return -STAP_ENOMEM;
	shm = host_shared_alloc(0, parts);
	if (!shm) {
		host_shared_release(stap_core.shm_size);
		return -STAP_ENOMEM;
	}
	stap_core.shm = shm;
	*shm = (struct stap_shm){
		.magic = STAP_SHM_MAGIC,
		.version = STAP_SHM_VERSION,
		.size = sizeof(*shm),
		.self_address = (u64)(unsigned long)shm,
		.total_size = stap_core.shm_size,
		.ring_count = stap_core.cpu_count + 1,
		.ring_size = ring_size,
		.rings_offset = parts,
		.ring_stride = stride,
		.ring_addresses_offset = addresses,
		.strings_offset = strings,
		.format_count = p->format_count,
		.probe_count = p->probe_count,
		.state = STAP_STATE_LOADED,
		.wants_input = wanted_input(p),
		.wants_user_files = p->wants_user_files,
		.skips_count = stap_core.cpu_count + 1,
		.skips_offset = parts + skips,
		.skips_stride = stride,
		.ways_offset = ways,
	};
	mem_copy(shm->name, p->name, n < sizeof(shm->name) ? n : sizeof(shm->name) - 1);
	put_tables(p, (char *)shm + strings);
	stap_core.layout = *shm;
	return 0;
}

void stap_shm_set_way(const struct stap_probe *p, const char *text)
{
	struct stap_shm_way *way = (struct stap_shm_way *)((char *)stap_core.shm + stap_core.layout.ways_offset);
	u32 len = stap_cstr(text).len;

	mem_zero(&way[p->index], sizeof(*way));
	mem_copy(way[p->index].text, text, len < sizeof(way->text) ? len : sizeof(way->text) - 1);
}

int stap_shm_add_cpu(u32 slot)
{
	const struct stap_shm *layout = &stap_core.layout;
	struct stap_cpu *cpu = &stap_core.cpus[slot];
	char *part = host_shared_alloc(layout->rings_offset + layout->ring_stride * slot, layout->ring_stride);
	struct stap_ring_reader *reader;

	if (!part)
		return -STAP_ENOMEM;
	reader = (struct stap_ring_reader *)(part + PAGE);
	reader->waiting = ~0ull; // who does not know of the ring sleeps, as far as that is concerned
	stap_ring_init(&cpu->ring, (struct stap_ring_writer *)part, reader, part + STAP_RING_DATA_OFFSET,
		       layout->ring_size);
	cpu->skips = (u64 *)(part + STAP_RING_DATA_OFFSET + layout->ring_size);
	stap_store(&ring_addresses()[slot], (u64)(unsigned long)part);
	return 0;
}

void stap_shm_remove_cpu(u32 slot)
{
	struct stap_ring *ring = &stap_core.cpus[slot].ring;

	if (!ring->writer)
		return;
	host_shared_free(ring->writer, stap_core.layout.ring_stride);
	ring->writer = STAP_NULL;
}

void stap_shm_free(void)
{
	if (!stap_core.shm)
		return;
	host_shared_free(stap_core.shm, stap_core.layout.rings_offset);
	host_shared_release(stap_core.shm_size);
	stap_core.shm = STAP_NULL;
}

void *stap_session_page(u64 offset)
{
	const struct stap_shm *layout = &stap_core.layout;
	u64 slot;

	if (offset < layout->rings_offset)
		return (char *)stap_core.shm + offset;
	slot = (offset - layout->rings_offset) / layout->ring_stride;
	if (slot > stap_core.cpu_count || !stap_load(&stap_core.cpus[slot].ready))
		return STAP_NULL;
	return (char *)stap_core.cpus[slot].ring.writer + (offset - layout->rings_offset) % layout->ring_stride;
}

int stap_session_has_records(void)
{
	for (u32 i = 0; i <= stap_core.cpu_count; i++) {
		const struct stap_cpu *cpu = &stap_core.cpus[i];

		if (stap_load(&cpu->ready) && stap_load(&cpu->ring.writer->head) != stap_load(&cpu->ring.reader->tail))
			return 1;
	}
	return 0;
}
