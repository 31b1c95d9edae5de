# SPDX-License-Identifier: GPL-2.0-or-later
# Every C and C++ file has the form that .clang-format describes; scripts/format gives it that.
"$TOP/scripts/format" --check
