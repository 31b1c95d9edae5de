# SPDX-License-Identifier: GPL-2.0-or-later
# What exists is documented: every option in stap(1) and in --help, every option of staprun in staprun(8), every kind of probe point in
# stapprobes(3), every function in stapfuncs(3), every alias in stapaliases(3), both in tapset::*(3), every global of the library in stapvars(3).
set -u
status=0
wrong() { echo "$@"; status=1; }

# The option table, without the options that are only named to be refused, and the other spelling of --color.
long=$(sed -n 's/^    {"\([a-z-]*\)", .*/--\1/p' "$TOP/translator/base/options.cc" | grep -v '^--colour$')
short=$(tr -d "\n" < "$TOP/translator/base/options.cc" | sed -n 's/.*short_options = *"+:\([A-Za-z:]*\)".*/\1/p' | tr -d : | sed 's/./-& /g')
[ -n "$long" ] && [ -n "$short" ] || wrong "the option table was not found"
"$STAP" --help > help
sed 's/\\//g' "$TOP/doc/stap.1" > stap.1
for option in $long $short; do
  grep -qE -- "(^|[ ,])$option([][ =,\"]|\$)" help || wrong "$option is not in --help"
  grep -qE -- "^\.(TP|BI|B|BR|IR)? ?.*$option([][ =,\"]|f[RI]|\$)" stap.1 || wrong "$option is not in stap.1"
done
# The other way round.
for option in $(grep -oE -- '(^|[ ,])--?[A-Za-z][A-Za-z-]*' help | tr -d ' ,' | sort -u); do
  case " $(echo $long $short) " in *" $option "*) ;; *) wrong "$option in --help is no option" ;; esac
done

sed 's/\\//g' "$TOP/doc/staprun.8" > staprun.8
for option in $("$STAPRUN" -h | grep -oE '^  -[A-Za-z]'); do
  grep -qE -- "^\.BI? $option( |\$)" staprun.8 || wrong "staprun's $option is not in staprun.8"
done

# Each word of a point, as it is written there: "sample(", or ".sample" where nothing follows in parentheses.
sed 's/\\f[BIR]//g; s/\\(dq/"/g; s/\\-/-/g; s/^\.[A-Z]* //; s/" //g; s/ //g' "$TOP/doc/stapprobes.3" > stapprobes.3
for word in $("$STAP" --dump-probe-types | sed 's/([a-z]*)/(/g' | tr . '\n' | sort -u); do
  grep -qF -- "$word" stapprobes.3 || wrong "$word is not in stapprobes.3"
done

"$TOP/scripts/stapfuncs-page" "$STAP" "$TOP/tapsets" > stapfuncs.3
sed -n 's/\\f[BIR]//g; s/:unknown//; s/^\([A-Za-z0-9_]*\)\((.*)\)\(:[a-z]*\)*$/\1\3 \2/p' stapfuncs.3 | grep -v '^\.' | sort > described
"$STAP" --dump-functions | sed 's/:unknown//; s, /\*.*,,' | sort > functions
diff functions described || wrong "stapfuncs.3 has other functions than --dump-functions"

"$TOP/scripts/stapaliases-page" "$STAP" "$TOP/tapsets" > stapaliases.3
sed -n 's/^\\fB\([a-z].*\)\\fR$/\1/p' stapaliases.3 | sed 's/\\-/-/g' | sort > described
"$STAP" --dump-probe-aliases | sed 's/ *+*=.*//' | grep -vE '^(__|(syscall|nd_syscall|tp_syscall)(\.|$))' | sort > aliases
diff aliases described || wrong "stapaliases.3 has other aliases than --dump-probe-aliases"

# Every function and alias is on a subject's page, system calls too.
"$TOP/scripts/tapset-pages" "$STAP" "$TOP/tapsets" subjects
sed -n 's/^\\fB\([A-Za-z_][^\\]*\(\\-[^\\]*\)*\)\\fR.*/\1/p' subjects/*.3 | sed 's/\\-/-/g' | sort -u > described
{ "$STAP" --dump-functions | sed 's/:.*//'; "$STAP" --dump-probe-aliases | sed 's/ *+*=.*//' | grep -vE '^(__|nd_syscall\.|tp_syscall\.)'; } |
  sort -u > public
[ -z "$(comm -13 described public)" ] || wrong "on no page of a subject: $(comm -13 described public)"

globals=$(sed -n 's/^global \([A-Za-z0-9_]*\).*/\1/p' "$TOP"/tapsets/*.stp | grep -v '^__')
for global in $globals; do
  grep -qE "^\.B $global:(long|string)" "$TOP/doc/stapvars.3" || wrong "$global is not in stapvars.3"
done

if command -v groff > /dev/null; then
  for page in "$TOP/doc/stap.1" "$TOP/doc/staprun.8" "$TOP/doc/stapprobes.3" "$TOP/doc/stapvars.3" stapfuncs.3 stapaliases.3 subjects/*.3; do
    groff -ww -man -z -Tutf8 "$page" > warnings 2>&1
    [ ! -s warnings ] || wrong "$(cat warnings)"
  done
fi
exit $status
