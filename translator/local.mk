# SPDX-License-Identifier: GPL-2.0-or-later
# stap: the translator, C++20.

# Everything but main() is an archive, which test and fuzz programs link too.
noinst_LIBRARIES += translator/libtranslator.a
# The passes from text to C, which the fuzzer compiles once more (testsuite/fuzz).
translator_pass_sources = \
  translator/access.cc \
  translator/arrange.cc \
  translator/autocast.cc \
  translator/checks.cc \
  translator/condition.cc \
  translator/defines.cc \
  translator/diag.cc \
  translator/elaborate.cc \
  translator/emit/code.cc \
  translator/emit/embedded.cc \
  translator/emit/enumeration.cc \
  translator/emit/expression.cc \
  translator/emit/format.cc \
  translator/emit/function.cc \
  translator/emit/global.cc \
  translator/emit/histogram.cc \
  translator/emit/lvalue.cc \
  translator/emit/module.cc \
  translator/emit/probe.cc \
  translator/emit/regex.cc \
  translator/emit/statement.cc \
  translator/format_spec.cc \
  translator/library.cc \
  translator/library_index.cc \
  translator/library_scan.cc \
  translator/lower.cc \
  translator/match.cc \
  translator/operators.cc \
  translator/optimize/concat.cc \
  translator/optimize/dead.cc \
  translator/optimize/fold.cc \
  translator/optimize/keep_values.cc \
  translator/optimize/merge_functions.cc \
  translator/optimize/merge_handlers.cc \
  translator/optimize/optimize.cc \
  translator/optimize/unread_assignments.cc \
  translator/optimize/unused_variables.cc \
  translator/parse.cc \
  translator/parse_expr.cc \
  translator/preprocess.cc \
  translator/print.cc \
  translator/print_program.cc \
  translator/probes/begin.cc \
  translator/probes/families.cc \
  translator/probes/function.cc \
  translator/probes/timer.cc \
  translator/probes/tracepoint.cc \
  translator/regex/automaton.cc \
  translator/regex/regex.cc \
  translator/regex/syntax.cc \
  translator/resolve.cc \
  translator/session.cc \
  translator/source.cc \
  translator/tree_key.cc \
  translator/types.cc \
  translator/unread.cc \
  translator/visitor.cc

translator_libtranslator_a_SOURCES = $(translator_pass_sources) \
  translator/build/clean_cache.cc \
  translator/build/compile.cc \
  translator/build/files.cc \
  translator/build/headers.cc \
  translator/build/module_image.cc \
  translator/build/recipe.cc \
  translator/build/run.cc \
  translator/build/runtime_cache.cc \
  translator/build/script_cache.cc \
  translator/compiler_errors.cc \
  translator/debuginfo/access.cc \
  translator/debuginfo/btf.cc \
  translator/debuginfo/btf_module.cc \
  translator/debuginfo/btf_types.cc \
  translator/debuginfo/debuginfo.cc \
  translator/debuginfo/debuginfod.cc \
  translator/debuginfo/dwarf_cursor.cc \
  translator/debuginfo/dwarf_files.cc \
  translator/debuginfo/dwarf_index.cc \
  translator/debuginfo/dwarf_lines.cc \
  translator/debuginfo/dwarf_module.cc \
  translator/debuginfo/dwarf_scan.cc \
  translator/debuginfo/dwarf_types.cc \
  translator/debuginfo/elf_image.cc \
  translator/debuginfo/enumeration.cc \
  translator/debuginfo/find.cc \
  translator/debuginfo/function_table.cc \
  translator/debuginfo/functions.cc \
  translator/debuginfo/header_types.cc \
  translator/debuginfo/index.cc \
  translator/debuginfo/kallsyms.cc \
  translator/debuginfo/kernel_btf.cc \
  translator/debuginfo/location.cc \
  translator/debuginfo/lookup.cc \
  translator/debuginfo/pattern.cc \
  translator/debuginfo/pretty.cc \
  translator/debuginfo/progress.cc \
  translator/debuginfo/target.cc \
  translator/debuginfo/type.cc \
  translator/debuginfo/units.cc \
  translator/debuginfo/unpack.cc \
  translator/debuginfo/variables.cc \
  translator/driver.cc \
  translator/driver_compile.cc \
  translator/dump.cc \
  translator/list.cc \
  translator/options.cc \
  translator/paths.cc \
  translator/run.cc \
  translator/script_inputs.cc
translator_libtranslator_a_CPPFLAGS = $(place_flags) -DPKGLIBEXECDIR='"$(pkglibexecdir)"' -I$(top_srcdir)/translator -I$(top_builddir)/translator $(LIBDW_CFLAGS) $(LIBELF_CFLAGS) $(ZLIB_CFLAGS) $(LZMA_CFLAGS) $(ZSTD_CFLAGS) $(LZ4_CFLAGS)
translator_libtranslator_a_CXXFLAGS = -std=gnu++20 $(WARN_CFLAGS) $(SAN_CFLAGS) $(AM_CXXFLAGS)

# Written by flex and bison into the build directory only.
nodist_translator_libtranslator_a_SOURCES = translator/grammar.cc translator/lexer.cc

# Built in bin/ next to staprun, so that stap finds its neighbour the same way in the build tree and installed.
bin_PROGRAMS += bin/stap
bin_stap_SOURCES = translator/main.cc
bin_stap_CPPFLAGS = $(translator_libtranslator_a_CPPFLAGS)
bin_stap_CXXFLAGS = $(translator_libtranslator_a_CXXFLAGS)
bin_stap_LDADD = translator/libtranslator.a $(LIBDW_LIBS) $(LIBELF_LIBS) $(ZLIB_LIBS) $(LZMA_LIBS) $(ZSTD_LIBS) $(LZ4_LIBS)

# bison names every file after --output; the header and location.hh come with it.
translator/grammar.cc: translator/grammar.yy
	$(AM_V_GEN)$(MKDIR_P) translator && $(BISON) -Wall -Werror --header=translator/grammar.hh --output=translator/grammar.cc $(srcdir)/translator/grammar.yy
translator/grammar.hh: translator/grammar.cc
	@test -f $@ || { rm -f translator/grammar.cc && $(MAKE) $(AM_MAKEFLAGS) translator/grammar.cc; }
translator/lexer.cc: translator/lexer.l translator/grammar.hh
	$(AM_V_GEN)$(MKDIR_P) translator && $(FLEX) --outfile=translator/lexer.cc $(srcdir)/translator/lexer.l
# Before the first compilation, when no dependencies are known yet.
$(translator_libtranslator_a_OBJECTS): | translator/grammar.hh
CLEANFILES += translator/grammar.cc translator/grammar.hh translator/location.hh translator/lexer.cc
EXTRA_DIST += translator
