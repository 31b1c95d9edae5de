// SPDX-License-Identifier: GPL-2.0-or-later
// What nearly every file of the translator includes, compiled once before them: reading these headers again for each
// file was most of the build's time. Files include what they need all the same.
#if defined(__cplusplus) && !defined(STAP_PRECOMPILED_H)  // the few C files do without
#  define STAP_PRECOMPILED_H

#  include <algorithm>
#  include <cstdint>
#  include <cstring>
#  include <filesystem>
#  include <fmt/core.h>
#  include <functional>
#  include <map>
#  include <memory>
#  include <optional>
#  include <set>
#  include <sstream>
#  include <string>
#  include <string_view>
#  include <unordered_map>
#  include <unordered_set>
#  include <vector>

#  include "base/diag.h"

#endif
