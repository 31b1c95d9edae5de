#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The control file under callers that mean harm, for SAFETY_SECONDS (10) with SAFETY_SEED (another one each day).
"$BUILD/testsuite/safety/control-fuzz" "$MODULE" "${SAFETY_SECONDS:-10}" "${SAFETY_SEED:-$(date +%Y%m%d)}"
