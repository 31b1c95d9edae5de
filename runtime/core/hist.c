// SPDX-License-Identifier: GPL-2.0-or-later
// Histograms of aggregates: which bucket a value falls into, and the bar chart that print() draws.
#include "core.h"

#define LOG_ZERO 64 // the bucket of the value 0. 65 has 1, 66 has 2 to 3; 63 has -1, 62 has -3 to -2

// The buckets follow the aggregate in memory.
static stap_long *buckets_of(const struct stap_stat *s)
{
	return (stap_long *)(s + 1);
}

static u32 bucket_count(const struct stap_histogram *h)
{
	return h->kind == STAP_HIST_LOG ? STAP_HIST_LOG_BUCKETS : h->buckets;
}

static u32 log_bucket(stap_long v)
{
	u64 magnitude = v < 0 ? 0 - (u64)v : (u64)v;
	u32 bits = magnitude ? 64 - (u32)__builtin_clzll(magnitude) : 0;

	return v < 0 ? LOG_ZERO - bits : LOG_ZERO + bits;
}

// Bucket 0 counts what is below `low`, the last one what is beyond the range. The bucket that begins at `high` is as
// wide as the others, so the last one begins a step above it.
static u32 linear_bucket(const struct stap_histogram *h, stap_long v)
{
	u64 i;

	if (v < h->low)
		return 0;
	i = ((u64)v - (u64)h->low) / (u64)h->step + 1;
	return i < h->buckets - 1 ? (u32)i : h->buckets - 1;
}

void stap_stat_add_histogram(struct stap_stat *s, const struct stap_histogram *h, stap_long v)
{
	u32 i = h->kind == STAP_HIST_LOG ? log_bucket(v) : linear_bucket(h, v);

	buckets_of(s)[i]++;
}

stap_long stap_histogram_bucket(struct stap_ctx *c, const struct stap_stat *s, const struct stap_histogram *h,
				stap_long bucket)
{
	if (bucket < 0 || bucket >= (stap_long)bucket_count(h)) {
		stap_fail_cstr(c, "histogram index out of range");
		return 0;
	}
	if (!s || !s->count) {
		stap_fail_cstr(c, "empty aggregate");
		return 0;
	}
	return buckets_of(s)[bucket];
}

// Looks at all buckets in each turn of the loop. An order that is made once would be wrong as soon as the loop's body
// adds to the buckets, and would take much of the stack.
stap_long stap_histogram_next(const struct stap_stat *s, const struct stap_histogram *h, struct stap_bucket_order *o)
{
	const stap_long *counts = s && s->count ? buckets_of(s) : STAP_NULL;
	stap_long best = -1, best_key = 0;

	for (u32 i = 0; i < bucket_count(h); i++) {
		stap_long key = counts ? o->direction * counts[i] : 0;

		if (o->begun && (key < o->key || (key == o->key && (stap_long)i <= o->bucket)))
			continue;
		if (best >= 0 && key >= best_key)
			continue;
		best = i;
		best_key = key;
	}
	o->begun = 1;
	o->key = best_key;
	o->bucket = best;
	return best;
}

// The number that stands left of a row. *mark is what precedes it: '<' for what is below a linear histogram's range,
// '>' for what is beyond it, else a blank.
static stap_long row_value(const struct stap_histogram *h, u32 i, char *mark)
{
	*mark = ' ';
	if (h->kind == STAP_HIST_LOG) {
		if (i == LOG_ZERO)
			return 0;
		return i > LOG_ZERO ? (stap_long)(1ull << (i - LOG_ZERO - 1)) : stap_neg(1ull << (LOG_ZERO - i - 1));
	}
	if (i == 0) {
		*mark = '<';
		return h->low;
	}
	if (i == h->buckets - 1) {
		*mark = '>';
		return h->high;
	}
	return stap_add(h->low, stap_mul(i - 1, h->step));
}

static u32 put_spaces(char *out, u32 size, u32 len, u32 n, char c)
{
	for (; n && len < size; n--)
		out[len++] = c;
	return len;
}

static u32 digits(stap_long v)
{
	char text[24];

	return stap_append_long(text, sizeof(text), 0, v);
}

// Where the rows of a chart go.
struct sink {
	char *text; // the string that they are appended to; NULL when they are printed
	u32 len, size;
};

static void put_row(struct stap_ctx *c, struct sink *to, const char *row, u32 len)
{
	if (to->text)
		to->len = stap_append(to->text, to->size, to->len, (struct stap_str){row, len});
	else
		stap_print(c, (struct stap_str){row, len});
}

struct chart {
	const struct stap_histogram *h;
	const stap_long *counts;
	u32 first, last; // the range of rows to show, of which empty ones may be left out
	u32 width, value_columns, count_columns;
	stap_long highest;
	u64 scale; // samples that one mark stands for
	s32 elision;
};

static void chart_measure(struct chart *ch)
{
	const u32 n = bucket_count(ch->h), keep = 2;
	u32 low = n, high = 0;
	char mark;

	for (u32 i = 0; i < n; i++) {
		if (!ch->counts[i])
			continue;
		low = low < n ? low : i;
		high = i;
		if (ch->counts[i] > ch->highest)
			ch->highest = ch->counts[i];
	}
	// Two empty rows are shown on either side of the rows that count something. The rows for what is out of range
	// are shown only when they count something themselves.
	ch->first = low > keep ? low - keep : 0;
	ch->last = high + keep < n ? high + keep : n - 1;
	if (ch->h->kind == STAP_HIST_LINEAR && ch->first == 0 && !ch->counts[0])
		ch->first = 1;
	if (ch->h->kind == STAP_HIST_LINEAR && ch->last == n - 1 && !ch->counts[n - 1])
		ch->last = n - 2;
	if (ch->h->kind == STAP_HIST_LOG && low >= LOG_ZERO && ch->first < LOG_ZERO)
		ch->first = LOG_ZERO;
	ch->count_columns = digits(ch->highest);
	ch->scale = ((u64)ch->highest + ch->width - 1) / ch->width;
	ch->value_columns = 5;
	for (u32 i = ch->first; i <= ch->last; i++) {
		u32 columns = digits(row_value(ch->h, i, &mark)) + (mark != ' ');

		ch->value_columns = columns > ch->value_columns ? columns : ch->value_columns;
	}
}

// Whether some row at most `elision` rows away from row i counts something. Other rows are left out of the chart.
static int near_something(const struct chart *ch, u32 i)
{
	u32 reach = ch->elision < 0 ? bucket_count(ch->h) : (u32)ch->elision;
	u32 from = i > reach ? i - reach : 0;

	for (u32 k = from; k <= ch->last && k - i + reach <= 2 * reach; k++)
		if (ch->counts[k])
			return 1;
	return 0;
}

static void print_row(struct stap_ctx *c, struct sink *to, const struct chart *ch, u32 i, char *row, u32 size)
{
	char mark;
	stap_long value = row_value(ch->h, i, &mark);
	u32 columns = digits(value) + (mark != ' '), len = 0, bar;

	bar = (u32)((u64)ch->counts[i] / ch->scale);
	len = put_spaces(row, size, len, ch->value_columns - columns, ' ');
	if (mark != ' ')
		len = put_spaces(row, size, len, 1, mark);
	len = stap_append_long(row, size, len, value);
	len = stap_append(row, size, len, STAP_STR(" |"));
	len = put_spaces(row, size, len, bar, '@');
	len = put_spaces(row, size, len, ch->width - bar + 1, ' ');
	len = put_spaces(row, size, len, ch->count_columns - digits(ch->counts[i]), ' ');
	len = stap_append_long(row, size, len, ch->counts[i]);
	len = stap_append(row, size, len, STAP_STR("\n"));
	put_row(c, to, row, len);
}

static void draw(struct stap_ctx *c, struct sink *to, const struct stap_stat *s, const struct stap_histogram *h)
{
	const struct stap_limits *l = &stap_core.program->limits;
	struct chart ch = {.h = h, .width = l->hist_width, .elision = l->hist_elision};
	u32 mark = stap_temps(c), size, len;
	int gap = 0;
	char *row;

	if (!s || !s->count) {
		stap_fail_cstr(c, "empty aggregate");
		return;
	}
	ch.counts = buckets_of(s);
	size = ch.width + 80;
	row = stap_temp_alloc(c, size);
	if (!row)
		return;
	chart_measure(&ch);
	len = put_spaces(row, size, 0, ch.value_columns - 5, ' ');
	len = stap_append(row, size, len, STAP_STR("value |"));
	len = put_spaces(row, size, len, ch.width, '-');
	len = stap_append(row, size, len, STAP_STR(" count\n"));
	put_row(c, to, row, len);
	for (u32 i = ch.first; i <= ch.last; i++) {
		if (!near_something(&ch, i)) {
			gap = 1;
			continue;
		}
		if (gap) {
			len = put_spaces(row, size, 0, ch.value_columns, ' ');
			len = stap_append(row, size, len, STAP_STR(" ~\n"));
			put_row(c, to, row, len);
			gap = 0;
		}
		print_row(c, to, &ch, i, row, size);
	}
	put_row(c, to, "\n", 1);
	stap_temps_release(c, mark);
}

void stap_print_histogram(struct stap_ctx *c, const struct stap_stat *s, const struct stap_histogram *h)
{
	struct sink output = {0};

	draw(c, &output, s, h);
}

struct stap_str stap_sprint_histogram(struct stap_ctx *c, const struct stap_stat *s, const struct stap_histogram *h)
{
	struct sink string = {.size = stap_core.program->limits.max_string_len - 1};

	string.text = stap_temp_alloc(c, string.size);
	if (!string.text)
		return STAP_STR("");
	draw(c, &string, s, h);
	return (struct stap_str){string.text, string.len};
}
