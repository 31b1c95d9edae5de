// SPDX-License-Identifier: GPL-2.0-or-later
// What the SystemTap manual documents and stap does not have yet, so that an error can say so.
#pragma once
#include <string>

bool manual_has_function(const std::string &name);
// By the first two words of the point; `second` may be "".
bool manual_has_probe_point(const std::string &first, const std::string &second);
