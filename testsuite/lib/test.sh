# SPDX-License-Identifier: GPL-2.0-or-later
# What the shell halves of the harness share: where a test's settings come from and how its command line is made.
#
# A test is testsuite/SUBJECT/NAME.stp, or NAME.script (one line: a script's path below the source tree), or NAME.sh.
# A setting KEY is the first line of NAME.KEY, else the line "KEY: value" of the subject's file `defaults`, else the built-in.
#   boards   where it runs: words of native, unoptimized, vm  (native)
#   args     stap's options; @SCRIPT@ is the script, which comes last when not named
#   run      options of the run itself, as -c CMD or -T S: stap's on native, staprun's on vm
#   build    a command that makes what the script names, run before it is compiled, in the scratch directory
#   rc       the exit status expected                     (0)
#   timeout  seconds it may take; four times that on vm   (30)
# In args, run and build: @SRC@ is the subject's directory, @DIR@ the test's scratch directory (its working directory),
# @TOP@ the top of the source tree, @RELEASE@ the kernel that tests are compiled for.
# Needs the variables TESTSUITE (the source directory of the suite) and STAP_RELEASE (may be empty).

# setting SUBJECT/NAME KEY BUILT-IN: print the value
setting() {
  if [ -e "$TESTSUITE/$1.$2" ]; then
    head -n 1 "$TESTSUITE/$1.$2"
  elif [ -e "${TESTSUITE}/${1%/*}/defaults" ] && grep -q "^$2:" "$TESTSUITE/${1%/*}/defaults"; then
    sed -n "s/^$2: *//p" "$TESTSUITE/${1%/*}/defaults" | head -n 1
  else
    echo "$3"
  fi
}

# expand SUBJECT/NAME SCRATCH: replace the @WORDS@ of standard input
expand() {
  sed "s|@SRC@|$TESTSUITE/${1%/*}|g; s|@DIR@|$2|g; s|@TOP@|$(dirname "$TESTSUITE")|g; s|@RELEASE@|$STAP_RELEASE|g"
}

# script_of SUBJECT/NAME: print the path of the script, if there is one
script_of() {
  if [ -e "$TESTSUITE/$1.stp" ]; then
    echo "$TESTSUITE/$1.stp"
  elif [ -e "$TESTSUITE/$1.script" ]; then
    echo "$(dirname "$TESTSUITE")/$(head -n 1 "$TESTSUITE/$1.script")"
  fi
}

# prepare SUBJECT/NAME SCRATCH: make the scratch directory anew, with what the test builds and with the script in it, so that
# messages name it without a path; sets script to its name, or to nothing
prepare() {
  rm -rf "$2"
  mkdir -p "$2"
  build=$(setting "$1" build '' | expand "$1" "$2")
  (cd "$2" && eval "$build") || echo "harness: failed: $build" >&2
  script=$(script_of "$1")
  [ -z "$script" ] || ln -s "$script" "$2/"
  script=${script##*/}
}

# module_of SUBJECT/NAME: print the name its module gets (letters, digits and _, at most 50)
module_of() { printf 't_%s' "$1" | tr -c 'a-zA-Z0-9_' '_' | cut -c 1-50; }

# command_line ARGS SCRIPT: print ARGS, quoting untouched, with the script in its place
command_line() {
  case $1 in
  *@SCRIPT@*) printf '%s\n' "$1" | sed "s|@SCRIPT@|$2|g" ;;
  *) printf '%s\n' "$1 $2" ;;
  esac
}
