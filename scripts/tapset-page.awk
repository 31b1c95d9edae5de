# SPDX-License-Identifier: GPL-2.0-or-later
# What the comments of tapset files say, as sections of a manual page: awk -v kind=functions|aliases -f tapset-page.awk FILE...
#
# Each file is a section: its comment up to the first blank line, then its functions or aliases, those that are private or begin with
# "__" left out, each with the comment above it.
function text(s) {          # as roff shall print it
  gsub(/\\/, "\\e", s)
  gsub(/-/, "\\-", s)
  if (s ~ /^[.'\'']/) s = "\\&" s
  return s
}
function paragraph(lines) { # comment lines as text
  sub(/\n$/, "", lines)
  n = split(lines, line, "\n")
  for (i = 1; i <= n; i++) print line[i] == "" ? ".PP" : text(line[i])
}
function begin_section() {   # its heading, when the first entry comes
  if (pending) { printf "%s", substr(pending, 2); paragraph(introduction); pending = "" }
}
function end_entry() {       # the text of the aliases whose heads were printed
  if (described != "") paragraph(described)
  described = ""
}
FNR == 1 {
  end_entry()
  name = FILENAME
  sub(/.*\//, "", name); sub(/\.stp$/, "", name); gsub(/_/, " ", name)
  pending = "\n.SS " toupper(substr(name, 1, 1)) substr(name, 2) "\n"
  heading = 1; comment = ""
  next
}
/^\/\/ ?/ { sub(/^\/\/ ?/, ""); comment = comment $0 "\n"; next }
kind == "functions" && /^function / && !/^function __/ {
  begin_section()
  head = $0
  sub(/^function */, "", head)
  match(head, /^[A-Za-z0-9_]+/); called = substr(head, 1, RLENGTH); head = substr(head, RLENGTH + 1)
  type = ""
  if (match(head, /^:[a-z]+/)) { type = substr(head, 1, RLENGTH); head = substr(head, RLENGTH + 1) }
  match(head, /\([^)]*\)/); parameters = substr(head, RSTART + 1, RLENGTH - 2)
  gsub(/[A-Za-z0-9_]+:/, "\\fI&", parameters); gsub(/:/, "\\fR:", parameters)
  print ".TP\n\\fB" text(called) "\\fR(" parameters ")" type
  paragraph(comment)
}
# Aliases that follow each other without a comment between share the one above them. Their definitions may go on for lines.
kind == "aliases" && /^probe / && !/^probe __/ && $3 ~ /^[+]?=$/ {
  begin_section()
  head = $2
  if (comment != "") { end_entry(); described = comment; print ".TP" } else print ".TQ"
  print "\\fB" text(head) "\\fR"
}
heading && /^$/ { introduction = comment; heading = 0 }
{ comment = "" }
END { end_entry() }
