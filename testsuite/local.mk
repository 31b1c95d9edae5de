# SPDX-License-Identifier: GPL-2.0-or-later
# make check: the DejaGnu suite.
#   make check TESTS='language/* errors/no-such-*'   only these tests
#   make check BOARDS=native                         only this board (native, vm)
#   make check STAP_REQUIRE_VM=1                     no guest is a failure, not "unsupported"

EXTRA_DIST += testsuite

check-local: check-lists
	@TESTS='$(TESTS)' BOARDS='$(BOARDS)' STAP_REQUIRE_VM='$(STAP_REQUIRE_VM)' RUNTESTFLAGS='$(RUNTESTFLAGS)' \
	  $(srcdir)/testsuite/lib/run-suite . '$(DEJAGNU_RUNTEST)'

# The scratch directory is the only thing the suite leaves, with what failing tests printed.
mostlyclean-local:
	rm -rf testsuite/scratch testsuite/stap.sum testsuite/stap.log testsuite/tests.list
