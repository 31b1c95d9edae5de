// SPDX-License-Identifier: GPL-2.0-or-later
// The reader's standard input, which the core takes to pieces: STAP_ATTACH_INPUT.
#include "../private.h"

const struct stap_mechanism input_mechanism = {
	.kind = STAP_ATTACH_INPUT,
	.state_size = 1,
	.attach = stap_input_attach,
	.detach = stap_input_detach,
};
