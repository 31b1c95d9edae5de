// SPDX-License-Identifier: GPL-2.0-or-later
// The file of code that debuginfo describes.
#pragma once
#include <cstdint>

// Whose addresses a program's addresses are.
enum class AddressSpace : uint8_t { Kernel, User };
