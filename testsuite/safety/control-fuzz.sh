#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The control file under callers that mean harm, for SAFETY_SECONDS (10, more in a slow guest) with SAFETY_SEED (another one each day).
slowness=${VM_SLOWNESS:-1}
"$BUILD/testsuite/safety/control-fuzz" "$MODULE" "${SAFETY_SECONDS:-$((10 * slowness))}" "${SAFETY_SEED:-$(date +%Y%m%d)}" "$slowness"
