// SPDX-License-Identifier: GPL-2.0-or-later
// The report of stap -t: how often each probe was hit, how many cycles its handler took, and which aliases led to it.
// Also the alibi mode, in which handlers do nothing, so that the cost of a run is that of the probes alone.
#include "core.h"

#define LINE_SIZE 768

static void add_times(struct stap_probe_time *sum, const struct stap_ctx *c, u32 probe)
{
	const struct stap_probe_time *t = c->times ? &c->times[probe] : STAP_NULL;

	if (!t || !t->hits)
		return;
	if (!sum->hits || t->least < sum->least)
		sum->least = t->least;
	if (t->most > sum->most)
		sum->most = t->most;
	sum->hits += t->hits;
	sum->cycles += t->cycles;
}

static struct stap_probe_time sum_of(u32 probe)
{
	struct stap_probe_time sum = {0};

	for (u32 i = 0; i <= stap_core.cpu_count; i++) {
		if (!stap_load(&stap_core.cpus[i].ready))
			continue;
		add_times(&sum, &stap_core.cpus[i].ctx, probe);
		add_times(&sum, &stap_core.cpus[i].nmi, probe);
	}
	return sum;
}

static void report_probe(const struct stap_probe *p)
{
	struct stap_probe_time t = sum_of(p->index);
	char line[LINE_SIZE];
	u32 len = 0;

	if (!t.hits)
		return;
#define PUT(text)     (len = stap_append(line, sizeof(line), len, text))
#define PUT_NUMBER(n) (len = stap_append_long(line, sizeof(line), len, (stap_long)(n)))
	PUT(stap_cstr(p->point));
	PUT(STAP_STR(", ("));
	PUT(stap_cstr(p->place));
	PUT(STAP_STR("), hits: "));
	PUT_NUMBER(t.hits);
	if (!stap_core.program->limits.alibi) {
		PUT(STAP_STR(", cycles: "));
		PUT_NUMBER(t.least);
		PUT(STAP_STR("min/"));
		PUT_NUMBER(t.cycles / t.hits);
		PUT(STAP_STR("avg/"));
		PUT_NUMBER(t.most);
		PUT(STAP_STR("max"));
	}
	if (p->derivation) {
		PUT(STAP_STR(", from: "));
		PUT(stap_cstr(p->derivation));
	}
	PUT(STAP_STR(", index: "));
	PUT_NUMBER(p->index);
	PUT(STAP_STR("\n"));
#undef PUT
#undef PUT_NUMBER
	stap_emit_outside(STAP_RECORD_TEXT, (struct stap_str){line, len});
}

static void do_nothing(struct stap_ctx *c)
{
	(void)c;
}

void stap_alibi(struct stap_program *p)
{
	for (u32 i = 0; i < p->probe_count; i++) {
		p->probes[i].hit = do_nothing;
		p->probes[i].entry = STAP_NULL;
		p->probes[i].lock_count = 0;
	}
}

void stap_report_times(void)
{
	const struct stap_program *p = stap_core.program;

	stap_emit_outside(STAP_RECORD_TEXT, STAP_STR("----- probe hit report:\n"));
	for (u32 i = 0; i < p->probe_count; i++)
		report_probe(&p->probes[i]);
}
