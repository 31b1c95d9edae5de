// SPDX-License-Identifier: GPL-2.0-or-later
// Modules and types by the names that @cast, @var, @enum and @enumname give.
#pragma once
#include "target/target.h"

// The kernel or module of that name or path. An empty name means that of the context's site or, without a site, the
// kernel. Throws TargetError (no-debuginfo).
DebugModule *find_module(Session &s, const TargetContext &context, const std::string &name, const Place &place);

// Looks a type up by a name like "sk_buff" or "struct sk_buff"; a star behind it is ignored. `modules` is a list such
// as "veth:kernel", of which the first that has the type counts. An element of the list in angle brackets,
// "<sys/time.h>" or "kernel<linux/fs.h>", means headers, which are compiled. Throws TargetError (no-such-type,
// no-debuginfo, header-types).
const TargetType *find_named_type(Session &s, const TargetContext &context, std::string name,
                                  const std::string &modules, const Place &place);
// A type of pointers to `pointee`, which is written `spelling`.
const TargetType *pointer_to(Session &s, const TargetType *pointee, const std::string &spelling);
