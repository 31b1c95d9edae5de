// SPDX-License-Identifier: GPL-2.0-or-later
// x86-64, with the System V calling convention.
#pragma once
#include "arch/arch.h"

extern const Arch x86_64;
