// SPDX-License-Identifier: GPL-2.0-or-later
// Rust's own mangling, "v0", which begins with _R.
#pragma once
#include <string>
#include <string_view>

// "shapes::shape::Rect::grow" of its symbol; "" for what is not mangled that way, or would be longer than a name can
// be.
std::string demangle_rust_v0(std::string_view symbol);
