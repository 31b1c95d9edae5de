# SPDX-License-Identifier: GPL-2.0-or-later
# What ./try and ./check do before their own work: packages, a kernel (./check: with debuginfo), and an up-to-date build.
# Sourced by bash scripts that have set `top` to the source directory. Every step says what it does and is skipped,
# silently and at once, when it has been done. Messages go to standard error: standard output is the script's.

build=${STAP_BUILD_DIR:-$top/build}

say() { echo "stap: $*" >&2; }
die() { echo "stap: error: $*" >&2; exit 1; }

# Print what the list has with a mark: "" (everybody needs it), test, server.
marked_packages() { awk -v mark="$1" '!/^#/ && NF && $4 == mark' "$top/scripts/packages.list"; }

# Print the package list; without what only tests need, unless tests_wanted is set.
package_list() {
  marked_packages ""
  [ -z "${tests_wanted:-}" ] || marked_packages test
}

# Of the Debian packages on standard input, print those that are not installed.
missing_of() {
  local names
  names=$(awk '{ print $1 }' | sort)
  comm -23 <(echo "$names") \
    <(xargs dpkg-query -W -f '${Package} ${db:Status-Status}\n' <<<"$names" 2>/dev/null | awk '$2 == "installed" { print $1 }' | sort)
}
missing_packages() { package_list | missing_of; }

# Print the Fedora names of what cannot be found, on a machine that is not Debian's kin.
missing_elsewhere() {
  package_list | while read -r _ witness package _; do
    case $witness in
    /*) compgen -G "$witness" >/dev/null ;;
    *) PATH=$PATH:/usr/sbin:/sbin command -v "$witness" >/dev/null ;;
    esac || echo "$package"
  done
}

# Install what the list names and this machine lacks.
setup_packages() {
  local missing
  if ! command -v apt-get >/dev/null; then
    missing=$(missing_elsewhere | xargs)
    [ -z "$missing" ] || die "there is no apt-get here, so nothing can be installed for you. Missing (Fedora's names): $missing
    On Fedora: dnf install $missing"
    return
  fi
  missing=$(missing_packages | xargs)
  [ -n "$missing" ] || { setup_servers; return; }
  [ "$(id -u)" = 0 ] || die "these packages are missing, and only root can install them: $missing
    As root: apt-get install $missing"
  say "installing packages: $missing"
  apt_update
  # shellcheck disable=SC2086 # a list of words
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >&2 ||
    die "apt-get could not install them (its reason is above)"
  setup_servers
}

# Servers that tests run in the guest, only where none would be started here, now or at boot. A test that lacks them says so.
setup_servers() {
  local missing policy=/usr/sbin/policy-rc.d
  [ -n "${tests_wanted:-}" ] && [ "$(id -u)" = 0 ] && [ ! -d /run/systemd/system ] || return 0
  missing=$(marked_packages server | missing_of | xargs)
  [ -n "$missing" ] || return 0
  say "installing servers for tests: $missing"
  apt-cache show ${missing%% *} >/dev/null 2>&1 || apt_update
  if [ -e $policy ]; then policy=; else printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy; fi
  # shellcheck disable=SC2086 # a list of words
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >&2 ||
    say "they can't be installed (the reason is above): tests that need them are not run"
  [ -z "$policy" ] || rm -f "$policy"
}

# Refresh apt's lists; a repository that does not answer is apt's to report, the packages may still be had.
apt_update() {
  say "refreshing apt's package lists"
  apt-get update >&2 || say "apt-get update failed; going on with the lists that are there"
}

# Have the image and modules of the kernel whose headers are installed in the user's cache; with the argument --debuginfo its
# debuginfo too, which only tests need.
setup_kernel() {
  local release
  release=$("$top/scripts/kernel-release")
  [ -n "$release" ] || die "no kernel headers are installed: install linux-headers-amd64 (Debian) or kernel-devel (Fedora)"
  export STAP_RELEASE=$release
  "$top/scripts/fetch-kernel" "$@" "$release" || exit 1
}

# Say why the running kernel can run no script; nothing when it can. stap finds the same reasons.
kernel_problem() {
  local kernel="this kernel, $(uname -r),"
  if [ ! -e /proc/modules ]; then
    echo "$kernel has no loadable modules"
  elif [ "$(cat /proc/sys/kernel/modules_disabled 2>/dev/null)" = 1 ]; then
    echo "$kernel loads no more modules"
  elif [ ! -e "/lib/modules/$(uname -r)/build/Makefile" ]; then
    echo "the headers of $kernel are not installed"
  fi
}

# Set `guest` to the options by which stap's arguments are run in the guest: none where the running kernel can do it, or where the
# arguments say themselves where they are to run.
choose_guest() {
  local argument problem
  guest=()
  for argument; do
    case $argument in
    --vm | --vm=* | --runtime=* | -r* | -h | --help | -V | --version | --prepare* | --clean-cache) return ;;
    esac
  done
  problem=$(kernel_problem)
  [ -n "$problem" ] || return 0
  say "$problem: using a throw-away virtual machine with kernel $STAP_RELEASE (--vm)"
  guest=(--vm="$STAP_RELEASE")
}

# Configure once, then build what has changed.
setup_build() {
  mkdir -p "$build"
  (
    cd "$build" || exit 1
    if [ ! -x "$top/configure" ] || [ "$top/configure.ac" -nt "$top/configure" ]; then
      say "generating configure"
      (cd "$top" && autoreconf -fi) >autoreconf.log 2>&1 || { cat autoreconf.log >&2; die "autoreconf failed"; }
    fi
    # Once more when runtest has come since: configure notes where it is.
    if [ ! -f Makefile ] || { [ -n "${tests_wanted:-}" ] && grep -q '^DEJAGNU_RUNTEST = *$' Makefile; }; then
      say "configuring in $build"
      "$top/configure" --quiet ${STAP_CONFIGURE_FLAGS:-} >configure.out 2>&1 || { cat configure.out >&2; die "configure failed"; }
    fi
    # Silent make still prints a line for each file it compiles, and nothing when all is up to date.
    make -s -j"$(nproc)" >&2 || die "the build failed (the compiler's reason is above)"
  ) || exit 1
}

# Everything; --tests: also what the suite needs, a kernel's debuginfo among it.
setup_all() {
  local tests_wanted=
  [ "${1:-}" != --tests ] || tests_wanted=yes
  setup_packages
  setup_kernel ${tests_wanted:+--debuginfo}
  setup_build
}
