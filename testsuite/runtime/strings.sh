# SPDX-License-Identifier: GPL-2.0-or-later
# Strings, arithmetic, errors and budgets of a context: arena, frames, UTF-8 cuts, try/catch, nesting.
. "$(dirname "$0")/runtime.inc"
unit strings
