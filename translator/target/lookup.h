// SPDX-License-Identifier: GPL-2.0-or-later
// Modules and types by the names that @cast, @var, @enum and @enumname give.
#pragma once
#include "target/target.h"

// The kernel or module of that name or path; "": that of the context's site, else the kernel. Throws TargetError
// (no-debuginfo).
DebugModule *find_module(Session &s, const TargetContext &context, const std::string &name, const Place &place);

// "sk_buff", "struct sk_buff", "struct sk_buff *" (the star says nothing) in the first that has it of a list of
// modules, "veth:kernel"; headers in angle brackets are compiled: "<sys/time.h>", "kernel<linux/fs.h>". Throws
// TargetError (no-such-type, no-debuginfo, header-types).
const TargetType *find_named_type(Session &s, const TargetContext &context, std::string name,
                                  const std::string &modules, const Place &place);
