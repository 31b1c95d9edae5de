// SPDX-License-Identifier: GPL-2.0-or-later
// Regular expressions compiled by the translator to automata: testing, matching, and what matched() returns.
#ifndef STAP_ABI_REGEX_H
#define STAP_ABI_REGEX_H

#include "context.h"

// What stands before or after a position.
#define STAP_REGEX_EDGE  0u // the begin or end of the string
#define STAP_REGEX_WORD  1u // a letter, a digit, '_'
#define STAP_REGEX_OTHER 2u

// A deterministic automaton; state 0 is dead.
struct stap_dfa {
	const u8 *classes; // [256] byte to class
	const u16 *next;   // [state * class_count + class]
	const u8 *accept;  // [state] bit n: a match may end here when neighbour n follows
	u32 class_count;
	u16 start[3]; // by the neighbour before
};

enum stap_regex_split_kind {
	STAP_REGEX_GROUP,     // the range is subexpression `group`; those up to last_group are within
	STAP_REGEX_CONCAT,    // first, then second: first takes the longest it can
	STAP_REGEX_ALTERNATE, // first where it matches the whole range, else second
	STAP_REGEX_REPEAT,    // first, any number of times
};

// How a match of a part is divided among its parts; see core/regex.c.
struct stap_regex_split {
	u16 kind;
	u16 group, last_group;
	s16 first, second;                // indexes of splits, -1: no subexpressions there
	const struct stap_dfa *first_dfa; // read forwards
	const struct stap_dfa *rest_dfa;  // what follows the first, read backwards
};

#define STAP_REGEX_STACK 64 // pending ranges; the translator refuses what needs more

struct stap_regex {
	const struct stap_dfa *search;  // accepts as soon as there is a match
	const struct stap_dfa *back;    // read backwards: accepts where a match begins; NULL when no script asks
	const struct stap_dfa *forward; // from a match's beginning: accepts where it may end
	const struct stap_regex_split *splits;
	s32 root;
	u32 groups; // subexpressions, the whole match included
};

// Is there a match in s? One pass over s, any context.
int stap_regex_test(const struct stap_regex *r, struct stap_str s);
// The same, and the context keeps the leftmost longest match for matched(). Two passes over s.
int stap_regex_match(struct stap_ctx *c, const struct stap_regex *r, struct stap_str s);
// Subexpression n (0: the whole) of the context's last match; "" when it took no part in it. Errors: the last match
// failed, or there is no such subexpression.
struct stap_str stap_regex_matched(struct stap_ctx *c, stap_long n);
// How many subexpressions the last match's pattern has, the whole included.
stap_long stap_regex_groups(struct stap_ctx *c);

#endif
