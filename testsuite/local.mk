# SPDX-License-Identifier: GPL-2.0-or-later
# make check: the DejaGnu suite.
#   make check TESTS='language/* errors/no-such-*'   only these tests
#   make check BOARDS=native                         only this board (native, unoptimized, vm)
#   make check STAP_REQUIRE_VM=1                     no guest is a failure, not "unsupported"

EXTRA_DIST += testsuite

check-local: check-lists
	@TESTS='$(TESTS)' BOARDS='$(BOARDS)' STAP_REQUIRE_VM='$(STAP_REQUIRE_VM)' RUNTESTFLAGS='$(RUNTESTFLAGS)' \
	$(srcdir)/testsuite/lib/run-suite . '$(DEJAGNU_RUNTEST)'

# Debian's other kernels: fetched, prepared, and booted one after the other with testsuite/kernels. Minutes; see scripts/check-kernels.
#   make check-kernels KERNELS='bullseye bookworm-backports sid:rt-amd64'
check-kernels: all
	@$(srcdir)/scripts/check-kernels . '$(DEJAGNU_RUNTEST)' $(KERNELS)
.PHONY: check-kernels

# Random scripts attached and ended again and again in a guest under load (testsuite/stress/run).
#   make check-stress SECONDS=600 SEED=1 STAP_RELEASE=...
check-stress: all testsuite/oracle/oracle testsuite/stress/load testsuite/stress/runs
	@$(srcdir)/testsuite/stress/run . '$(SECONDS)'
.PHONY: check-stress

# The vm board and the stress on the kernels that scripts/debug-kernel builds. Hours; see scripts/check-debug.
#   make check-debug KERNELS=kasan TESTS='kernel/*' SECONDS=600
check-debug: all $(check_PROGRAMS)
	@TESTS='$(TESTS)' $(srcdir)/scripts/check-debug . '$(DEJAGNU_RUNTEST)' '$(SECONDS)' $(KERNELS)
.PHONY: check-debug

# The load in its guest.
check_PROGRAMS += testsuite/stress/load
testsuite_stress_load_SOURCES = testsuite/stress/load.c
testsuite_stress_load_CFLAGS = -std=gnu11 -Wall -Wextra -Werror -pthread
check_PROGRAMS += testsuite/stress/runs
testsuite_stress_runs_SOURCES = testsuite/stress/runs.c
testsuite_stress_runs_CFLAGS = -std=gnu11 -Wall -Wextra -Werror

# The scratch directory is the only thing the suite leaves, with what failing tests printed.
mostlyclean-local:
	rm -rf testsuite/scratch testsuite/stap.sum testsuite/stap.log testsuite/tests.list

# Drives the build library alone (testsuite/build).
check_PROGRAMS += testsuite/build/build-driver
testsuite_build_build_driver_SOURCES = testsuite/build/build-driver.cc
testsuite_build_build_driver_CPPFLAGS = $(translator_includes)
testsuite_build_build_driver_CXXFLAGS = $(translator_libtranslator_a_CXXFLAGS)
testsuite_build_build_driver_LDADD = $(bin_stap_LDADD)

# Compares what DWARF and BTF say of a kernel (testsuite/debuginfo).
check_PROGRAMS += testsuite/debuginfo/btf-sweep
testsuite_debuginfo_btf_sweep_SOURCES = testsuite/debuginfo/btf-sweep.cc
testsuite_debuginfo_btf_sweep_CPPFLAGS = $(translator_libtranslator_a_CPPFLAGS)
testsuite_debuginfo_btf_sweep_CXXFLAGS = $(translator_libtranslator_a_CXXFLAGS)
testsuite_debuginfo_btf_sweep_LDADD = $(bin_stap_LDADD)

# Prints what debuginfo says of a program (testsuite/debuginfo).
check_PROGRAMS += testsuite/debuginfo/file-functions
testsuite_debuginfo_file_functions_SOURCES = testsuite/debuginfo/file-functions.cc
testsuite_debuginfo_file_functions_CPPFLAGS = $(translator_libtranslator_a_CPPFLAGS)
testsuite_debuginfo_file_functions_CXXFLAGS = $(translator_libtranslator_a_CXXFLAGS)
testsuite_debuginfo_file_functions_LDADD = $(bin_stap_LDADD)

# Reads damaged DWARF and BTF (testsuite/debuginfo).
check_PROGRAMS += testsuite/debuginfo/damage
testsuite_debuginfo_damage_SOURCES = testsuite/debuginfo/damage.cc
testsuite_debuginfo_damage_CPPFLAGS = $(translator_libtranslator_a_CPPFLAGS)
testsuite_debuginfo_damage_CXXFLAGS = $(translator_libtranslator_a_CXXFLAGS)
testsuite_debuginfo_damage_LDADD = $(bin_stap_LDADD)

# Call a loaded script's control file as no staprun does (testsuite/safety); they run in the guest.
control_callers_cflags = -std=gnu11 $(WARN_CFLAGS) $(AM_CFLAGS)
check_PROGRAMS += testsuite/safety/control-fuzz
testsuite_safety_control_fuzz_SOURCES = testsuite/safety/control-fuzz.c testsuite/safety/kernel-text.h
testsuite_safety_control_fuzz_CPPFLAGS = -I$(top_srcdir)/runtime
testsuite_safety_control_fuzz_CFLAGS = $(control_callers_cflags)
testsuite_safety_control_fuzz_LDFLAGS = -pthread
check_PROGRAMS += testsuite/safety/control-lock
testsuite_safety_control_lock_SOURCES = testsuite/safety/control-lock.c
testsuite_safety_control_lock_CPPFLAGS = -I$(top_srcdir)/runtime
testsuite_safety_control_lock_CFLAGS = $(control_callers_cflags)
testsuite_safety_control_lock_LDFLAGS = -pthread -Wl,-z,now
check_PROGRAMS += testsuite/safety/failing-allocations
testsuite_safety_failing_allocations_SOURCES = testsuite/safety/failing-allocations.c testsuite/safety/kernel-text.h
testsuite_safety_failing_allocations_CPPFLAGS = -I$(top_srcdir)/runtime
testsuite_safety_failing_allocations_CFLAGS = $(control_callers_cflags)

# Makes random scripts and says what they should print (testsuite/oracle).
check_PROGRAMS += testsuite/oracle/oracle
testsuite_oracle_oracle_SOURCES = \
  testsuite/oracle/arithmetic.cc \
  testsuite/oracle/evaluate.cc \
  testsuite/oracle/format.cc \
  testsuite/oracle/generate.cc \
  testsuite/oracle/generate_expr.cc \
  testsuite/oracle/generate_stress.cc \
  testsuite/oracle/histogram.cc \
  testsuite/oracle/interpret.cc \
  testsuite/oracle/main.cc \
  testsuite/oracle/match.cc
testsuite_oracle_oracle_CPPFLAGS = $(translator_libtranslator_a_CPPFLAGS)
testsuite_oracle_oracle_CXXFLAGS = $(translator_libtranslator_a_CXXFLAGS)
testsuite_oracle_oracle_LDADD = $(bin_stap_LDADD)

# The passes that read scripts, once more for the fuzzer: with sanitizers, and telling which code is reached (testsuite/fuzz).
# Minutes to build, so only fuzz/run asks for it.
EXTRA_LIBRARIES = testsuite/fuzz/libfuzzed.a
testsuite_fuzz_libfuzzed_a_SOURCES = testsuite/fuzz/target.cc $(translator_pass_sources)
nodist_testsuite_fuzz_libfuzzed_a_SOURCES = $(nodist_translator_libtranslator_a_SOURCES)
testsuite_fuzz_libfuzzed_a_CPPFLAGS = $(translator_libtranslator_a_CPPFLAGS)
testsuite_fuzz_libfuzzed_a_CXXFLAGS = $(translator_libtranslator_a_CXXFLAGS) -O1 -g1 -fsanitize-coverage=trace-pc $(FUZZ_SAN_CFLAGS)
testsuite_fuzz_libfuzzed_a_CFLAGS = $(translator_libtranslator_a_CFLAGS) -O1 -g1 -fsanitize-coverage=trace-pc $(FUZZ_SAN_CFLAGS)

EXTRA_PROGRAMS += testsuite/fuzz/fuzz
testsuite_fuzz_fuzz_SOURCES = testsuite/fuzz/coverage.cc testsuite/fuzz/fuzz.cc testsuite/fuzz/mutate.cc
testsuite_fuzz_fuzz_CPPFLAGS = $(translator_libtranslator_a_CPPFLAGS)
testsuite_fuzz_fuzz_CXXFLAGS = $(translator_libtranslator_a_CXXFLAGS)
testsuite_fuzz_fuzz_LDFLAGS = $(FUZZ_SAN_CFLAGS)
testsuite_fuzz_fuzz_LDADD = testsuite/fuzz/libfuzzed.a $(bin_stap_LDADD)
CLEANFILES += testsuite/fuzz/libfuzzed.a testsuite/fuzz/fuzz
