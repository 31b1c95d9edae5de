// SPDX-License-Identifier: GPL-2.0-or-later
// The one header emitted C includes.
#ifndef STAP_ABI_STAP_H
#define STAP_ABI_STAP_H

#include "types.h"
#include "context.h"
#include "embedded.h"
#include "event.h"
#include "enumeration.h"
#include "float.h"
#include "map.h"
#include "print.h"
#include "task.h"
#include "text.h"
#include "regex.h"
#include "program.h"
#include "syscall.h"

#endif
