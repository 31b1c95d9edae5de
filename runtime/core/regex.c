// SPDX-License-Identifier: GPL-2.0-or-later
// Runs the automata of regular expressions: tells whether a string matches, finds the leftmost longest match, and
// divides that into subexpressions.
//
// A match is divided from the outside in, as translator/regex/regex.cc says. Where a range of the text is matched by
// "first, then rest", an automaton that reads backwards from the end of the range marks every position where the rest
// may begin. Another one reads the first part forwards, and the last marked position where it may end divides the
// range.
//
// The time is at most the length of the match times the number of splits, except for repetitions. To find where a turn
// ends, a repetition may read to the end of its range although the turn is shorter, and the next turn reads that text
// again: at most the square of the range.
#include "core.h"

static u32 neighbour(char byte)
{
	u8 b = (u8)byte;

	return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_'
		       ? STAP_REGEX_WORD
		       : STAP_REGEX_OTHER;
}

// A string, and what kind of character stands before and after it: `^`, `$` and word boundaries depend on that.
struct subject {
	const char *text;
	u32 len;
	u32 before, after;
};

static u32 before(const struct subject *s, u32 at)
{
	return at ? neighbour(s->text[at - 1]) : s->before;
}

static u32 after(const struct subject *s, u32 at)
{
	return at < s->len ? neighbour(s->text[at]) : s->after;
}

static u32 step(const struct stap_dfa *d, u32 state, char byte)
{
	return d->next[state * d->class_count + d->classes[(u8)byte]];
}

int stap_regex_test(const struct stap_regex *r, struct stap_str s)
{
	const struct stap_dfa *d = r->search;
	struct subject whole = {s.ptr, s.len, STAP_REGEX_EDGE, STAP_REGEX_EDGE};
	u32 state = d->start[STAP_REGEX_EDGE];

	for (u32 i = 0; state; i++) {
		if (d->accept[state] && d->accept[state] >> after(&whole, i) & 1)
			return 1;
		if (i >= s.len)
			break;
		state = step(d, state, s.ptr[i]);
	}
	return 0;
}

// The leftmost position where a match begins, or len + 1 when there is none.
static u32 find_begin(const struct stap_dfa *d, const struct subject *s)
{
	u32 state = d->start[s->after], found = s->len + 1;

	for (u32 i = s->len; state; i--) {
		if (d->accept[state] >> before(s, i) & 1)
			found = i;
		if (!i)
			break;
		state = step(d, state, s->text[i - 1]);
	}
	return found;
}

// The last position in [from, to] where what the automaton matches from `from` on may end, or to + 1 when there is
// none. With marks, only marked positions count.
static u32 find_end(const struct stap_dfa *d, const struct subject *s, u32 from, u32 to, const u8 *marks)
{
	u32 state = d->start[before(s, from)], found = to + 1;

	for (u32 i = from; state; i++) {
		if ((d->accept[state] >> after(s, i) & 1) && (!marks || marks[i >> 3] >> (i & 7) & 1))
			found = i;
		if (i >= to)
			break;
		state = step(d, state, s->text[i]);
	}
	return found;
}

// Marks the positions in [from, to] from which on the text up to `to` matches. The automaton reads backwards.
static void mark_begins(const struct stap_dfa *d, const struct subject *s, u32 from, u32 to, u8 *marks)
{
	u32 state = d->start[after(s, to)];

	mem_zero(marks + (from >> 3), (to >> 3) - (from >> 3) + 1);
	for (u32 i = to; state; i--) {
		if (d->accept[state] >> before(s, i) & 1)
			marks[i >> 3] |= (u8)(1u << (i & 7));
		if (i <= from)
			break;
		state = step(d, state, s->text[i - 1]);
	}
}

int stap_regex_match(struct stap_ctx *c, const struct stap_regex *r, struct stap_str s)
{
	struct subject whole = {s.ptr, s.len, STAP_REGEX_EDGE, STAP_REGEX_EDGE};
	u32 room = stap_core.program->limits.max_string_len;
	u32 begin = find_begin(r->back, &whole), end;

	c->match = STAP_NULL;
	if (begin > s.len)
		return 0;
	end = find_end(r->forward, &whole, begin, s.len, STAP_NULL);
	if (end > s.len) // impossible, because a match begins at `begin`
		return 0;
	c->match = r;
	c->match_len = end - begin < room ? end - begin : room;
	c->match_before = before(&whole, begin);
	c->match_after = after(&whole, end);
	c->match_divided = 0;
	mem_copy(c->match_text, s.ptr + begin, c->match_len);
	return 1;
}

// --- subexpressions ------------------------------------------------------------

struct range {
	s32 split;
	u32 from, to;
};

struct division {
	struct subject subject;
	const struct stap_regex *regex;
	u32 *groups; // [2 * n] is where group n begins plus 1, or 0 when it took no part; [2 * n + 1] is its end
	u8 *marks;
	struct range pending[STAP_REGEX_STACK];
	u32 pending_count;
};

static void push(struct division *d, s32 split, u32 from, u32 to)
{
	if (split >= 0 && d->pending_count < STAP_REGEX_STACK)
		d->pending[d->pending_count++] = (struct range){split, from, to};
}

static void divide_concat(struct division *d, const struct stap_regex_split *p, struct range r)
{
	u32 middle;

	mark_begins(p->rest_dfa, &d->subject, r.from, r.to, d->marks);
	middle = find_end(p->first_dfa, &d->subject, r.from, r.to, d->marks);
	if (middle > r.to)
		return;
	push(d, p->second, middle, r.to);
	push(d, p->first, r.from, middle);
}

// Of a repetition only the last turn is divided further: it decides what the subexpressions hold.
static void divide_repeat(struct division *d, const struct stap_regex_split *p, struct range r)
{
	u32 from = r.from, turn = r.from, end;

	mark_begins(p->rest_dfa, &d->subject, r.from, r.to, d->marks);
	while (from < r.to) {
		end = find_end(p->first_dfa, &d->subject, from, r.to, d->marks);
		if (end > r.to || end == from)
			return;
		turn = from;
		from = end;
	}
	if (turn == r.to && find_end(p->first_dfa, &d->subject, turn, r.to, STAP_NULL) != r.to)
		return; // the range is empty and a turn can't be, so there was no turn
	push(d, p->first, turn, r.to);
}

static void divide_group(struct division *d, const struct stap_regex_split *p, struct range r)
{
	d->groups[2 * p->group] = r.from + 1;
	d->groups[2 * p->group + 1] = r.to;
	for (u32 i = p->group + 1u; i <= p->last_group; i++)
		d->groups[2 * i] = 0;
	push(d, p->first, r.from, r.to);
}

static void divide(struct stap_ctx *c)
{
	struct division d = {
		.subject = {c->match_text, c->match_len, c->match_before, c->match_after},
		.regex = c->match,
		.groups = c->match_groups,
	};
	u32 mark = stap_temps(c);

	mem_zero(c->match_groups, 2ull * c->match->groups * sizeof(u32));
	d.marks = (u8 *)stap_temp_alloc(c, c->match_len / 8 + 1);
	if (!d.marks)
		return;
	push(&d, c->match->root, 0, c->match_len);
	while (d.pending_count) {
		struct range r = d.pending[--d.pending_count];
		const struct stap_regex_split *p = &d.regex->splits[r.split];

		switch (p->kind) {
		case STAP_REGEX_GROUP: divide_group(&d, p, r); break;
		case STAP_REGEX_CONCAT: divide_concat(&d, p, r); break;
		case STAP_REGEX_REPEAT: divide_repeat(&d, p, r); break;
		case STAP_REGEX_ALTERNATE:
			push(&d,
			     find_end(p->first_dfa, &d.subject, r.from, r.to, STAP_NULL) == r.to ? p->first : p->second,
			     r.from, r.to);
			break;
		}
	}
	stap_temps_release(c, mark);
	c->match_divided = 1;
}

struct stap_str stap_regex_matched(struct stap_ctx *c, stap_long n)
{
	u32 from;

	if (!c->match) {
		stap_fail_cstr(c, "no regular expression matched before");
		return STAP_STR("");
	}
	if (n < 0 || n >= (stap_long)c->match->groups) {
		stap_fail_cstr(c, "the regular expression has no such subexpression");
		return STAP_STR("");
	}
	if (n == 0)
		return stap_str_copy(c, (struct stap_str){c->match_text, c->match_len});
	if (!c->match_divided)
		divide(c);
	from = c->match_divided ? c->match_groups[2 * n] : 0;
	if (!from)
		return STAP_STR("");
	return stap_str_copy(c, (struct stap_str){c->match_text + from - 1, c->match_groups[2 * n + 1] - (from - 1)});
}

stap_long stap_regex_groups(struct stap_ctx *c)
{
	if (!c->match) {
		stap_fail_cstr(c, "no regular expression matched before");
		return 0;
	}
	return c->match->groups;
}
