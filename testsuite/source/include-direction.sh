# SPDX-License-Identifier: GPL-2.0-or-later
# Each folder of the translator includes only its own files and those of the folders below it, and names them from translator/ on.
cd "$TOP/translator" || exit 1

# From the bottom up; main.cc stands on top of them all.
layers='base arch syntax regex library debuginfo target sema optimize probes emit build driver'

rank=0 order=
for layer in $layers; do
  order="$order $layer=$((rank += 1))"
done
for folder in */; do
  case " $layers " in *" ${folder%/} "*) ;; *) echo "translator/$folder is no layer: give it a place in the list"; exit 1 ;; esac
done

# Generated headers and what configure wrote have no folder of their own; the ABI's tables are below everything.
grep -nE '^ *#include "' */*.cc */*.h */*.l */*.yy */*/*.cc */*/*.h 2>/dev/null |
  awk -v order="$order" -v bad=0 '
    BEGIN { n = split(order, pairs, " "); for (i = 1; i <= n; i++) { split(pairs[i], p, "="); rank[p[1]] = p[2] } }
    {
      split($0, part, ":"); split(part[1], from, "/"); split($0, quoted, "\""); path = quoted[2]
      if (path == "config.h" || path ~ /^(core|abi)\//) next
      split(path, to, "/")
      if (!(to[1] in rank)) { print part[1] ":" part[2] ": \"" path "\" names no layer"; bad = 1 }
      else if (rank[to[1]] > rank[from[1]]) { print part[1] ":" part[2] ": " from[1] "/ includes " path ", which is above it"; bad = 1 }
      edges++
    }
    END { if (edges < 300) { print "only " edges " includes were found: is this script looking at the right place?"; bad = 1 } exit bad }'
