#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A script that calls every function of the library compiles for the guest's kernel, whose types are its own BTF's.
set -eu
[ -n "${STAP_RELEASE:-}" ] || { echo "there is no kernel to compile for"; exit 77; }
"$STAP" -r "$STAP_RELEASE" --dump-functions | sed 's, /\*.*,,' | while IFS='(' read -r function parameters; do
  arguments=$(echo "${parameters%)}" | sed 's/[a-zA-Z_0-9]*:long/1/g; s/[a-zA-Z_0-9]*:string/"true"/g')
  echo "probe begin { try { ${function%%:*}($arguments) } catch { } }"
done > all.stp
[ "$(grep -c catch all.stp)" -gt 400 ]
"$STAP" -g -r "$STAP_RELEASE" -p4 -m every_function all.stp > /dev/null
