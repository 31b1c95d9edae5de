# SPDX-License-Identifier: GPL-2.0-or-later
# make check: the DejaGnu suite.
#   make check TESTS='language/* errors/no-such-*'   only these tests
#   make check BOARDS=native                         only this board (native, vm)
#   make check STAP_REQUIRE_VM=1                     no guest is a failure, not "unsupported"

EXTRA_DIST += testsuite
