# SPDX-License-Identifier: GPL-2.0-or-later
# stap: the translator, C++20.

# Everything but main() is an archive, which test and fuzz programs link too.
noinst_LIBRARIES += translator/libtranslator.a
# The passes from text to C, which the fuzzer compiles once more (testsuite/fuzz).
translator_pass_sources = \
  translator/arch/arch.cc \
  translator/arch/x86_64/x86_64.cc \
  runtime/core/format_parse.c \
  translator/base/diag.cc \
  translator/base/glob.cc \
  translator/base/limits.cc \
  translator/base/session.cc \
  translator/base/source.cc \
  translator/base/trust.cc \
  translator/driver/print_program.cc \
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
  translator/library/documented.cc \
  translator/library/library.cc \
  translator/library/library_index.cc \
  translator/library/library_scan.cc \
  translator/library/syscall_table.cc \
  translator/optimize/alias_values.cc \
  translator/optimize/concat.cc \
  translator/optimize/dead.cc \
  translator/optimize/fold.cc \
  translator/optimize/keep_values.cc \
  translator/optimize/merge_functions.cc \
  translator/optimize/merge_handlers.cc \
  translator/optimize/optimize.cc \
  translator/optimize/unread_assignments.cc \
  translator/optimize/unused_variables.cc \
  translator/probes/begin.cc \
  translator/probes/binding.cc \
  translator/probes/callees.cc \
  translator/probes/code.cc \
  translator/probes/code_errors.cc \
  translator/probes/elsewhere.cc \
  translator/probes/families.cc \
  translator/probes/function.cc \
  translator/probes/input.cc \
  translator/probes/kernel_code.cc \
  translator/probes/kprobe.cc \
  translator/probes/mark.cc \
  translator/probes/max_active.cc \
  translator/probes/netfilter.cc \
  translator/probes/perf.cc \
  translator/probes/plt.cc \
  translator/probes/process.cc \
  translator/probes/process_code.cc \
  translator/probes/program.cc \
  translator/probes/procfs.cc \
  translator/probes/program_callees.cc \
  translator/probes/statement.cc \
  translator/probes/timer.cc \
  translator/probes/tracepoint.cc \
  translator/probes/unprobeable.cc \
  translator/probes/watch.cc \
  translator/regex/automaton.cc \
  translator/regex/regex.cc \
  translator/regex/syntax.cc \
  translator/sema/access.cc \
  translator/sema/autocast.cc \
  translator/sema/checks.cc \
  translator/sema/elaborate.cc \
  translator/sema/lower.cc \
  translator/sema/match.cc \
  translator/sema/operators.cc \
  translator/sema/reached.cc \
  translator/sema/records.cc \
  translator/sema/report.cc \
  translator/sema/resolve.cc \
  translator/sema/saved.cc \
  translator/sema/types.cc \
  translator/sema/unread.cc \
  translator/syntax/arrange.cc \
  translator/syntax/condition.cc \
  translator/syntax/format_spec.cc \
  translator/syntax/habits.cc \
  translator/syntax/make.cc \
  translator/syntax/parse.cc \
  translator/syntax/parse_expr.cc \
  translator/syntax/pragmas.cc \
  translator/syntax/preprocess.cc \
  translator/syntax/print.cc \
  translator/syntax/print_expression.cc \
  translator/syntax/tree_key.cc \
  translator/syntax/visitor.cc

translator_libtranslator_a_SOURCES = $(translator_pass_sources) \
  translator/base/files.cc \
  translator/base/json.cc \
  translator/base/options.cc \
  translator/base/paths.cc \
  translator/base/runtime.cc \
  translator/build/build_error.cc \
  translator/build/clean_cache.cc \
  translator/build/compile.cc \
  translator/build/headers.cc \
  translator/build/module_image.cc \
  translator/build/recipe.cc \
  translator/build/run.cc \
  translator/build/runtime_cache.cc \
  translator/build/script_cache.cc \
  translator/build/stack_usage.cc \
  translator/debuginfo/anchors.cc \
  translator/debuginfo/binary.cc \
  translator/debuginfo/btf.cc \
  translator/debuginfo/btf_module.cc \
  translator/debuginfo/btf_types.cc \
  translator/debuginfo/callees.cc \
  translator/debuginfo/debuginfo.cc \
  translator/debuginfo/convention.cc \
  translator/debuginfo/debuginfod.cc \
  translator/debuginfo/dwarf_cursor.cc \
  translator/debuginfo/dwarf_files.cc \
  translator/debuginfo/dwarf_index.cc \
  translator/debuginfo/dwarf_lines.cc \
  translator/debuginfo/dwarf_module.cc \
  translator/debuginfo/dwarf_scan.cc \
  translator/debuginfo/dwarf_types.cc \
  translator/debuginfo/elf_image.cc \
  translator/debuginfo/find.cc \
  translator/debuginfo/frames.cc \
  translator/debuginfo/function_table.cc \
  translator/debuginfo/functions.cc \
  translator/debuginfo/header_types.cc \
  translator/debuginfo/index.cc \
  translator/debuginfo/kallsyms.cc \
  translator/debuginfo/kernel_btf.cc \
  translator/debuginfo/kernel_symbol.cc \
  translator/debuginfo/thread_local.cc \
  translator/debuginfo/trace_events.cc \
  translator/debuginfo/location.cc \
  translator/debuginfo/mangled.cc \
  translator/debuginfo/mark_arguments.cc \
  translator/debuginfo/marks.cc \
  translator/debuginfo/pattern.cc \
  translator/debuginfo/plt.cc \
  translator/debuginfo/program_file.cc \
  translator/debuginfo/progress.cc \
  translator/debuginfo/prologue.cc \
  translator/debuginfo/rust_v0.cc \
  translator/debuginfo/statements.cc \
  translator/debuginfo/text_area.cc \
  translator/debuginfo/type.cc \
  translator/debuginfo/units.cc \
  translator/debuginfo/unpack.cc \
  translator/debuginfo/variables.cc \
  translator/driver/check_defines.cc \
  translator/driver/compiler_errors.cc \
  translator/driver/driver.cc \
  translator/driver/driver_compile.cc \
  translator/driver/dump.cc \
  translator/driver/examples.cc \
  translator/driver/help_tapset.cc \
  translator/driver/kernel_module.cc \
  translator/driver/list.cc \
  translator/driver/run.cc \
  translator/driver/runtime_work.cc \
  translator/driver/script_inputs.cc \
  translator/driver/user_process.cc \
  translator/library/reference.cc \
  translator/library/reference_text.cc \
  translator/target/access.cc \
  translator/target/enumeration.cc \
  translator/target/event.cc \
  translator/target/lookup.cc \
  translator/target/pretty.cc \
  translator/target/record.cc \
  translator/target/target.cc
translator_includes = -I$(top_builddir)/translator -I$(top_srcdir)/translator -I$(top_srcdir)/runtime $(LIBDW_CFLAGS) $(LIBELF_CFLAGS) $(ZLIB_CFLAGS) $(LZMA_CFLAGS) $(ZSTD_CFLAGS) $(LZ4_CFLAGS) $(FMT_CFLAGS)
translator_libtranslator_a_CPPFLAGS = -include precompiled.h $(translator_includes)
# A switch over the kinds of something names them all, whatever its default: a new kind is then found wherever it matters.
# gcc 12 sees overlaps and overruns in std::string where there are none (its bugs 105329 and 105651).
translator_libtranslator_a_CXXFLAGS = -std=gnu++20 $(WARN_CFLAGS) -Wswitch-enum -Wno-array-bounds -Wno-restrict -Wno-stringop-overread -Wno-stringop-overflow $(SAN_CFLAGS) $(AM_CXXFLAGS)

# The parser of formats, which the runtime compiles too.
translator_libtranslator_a_CFLAGS = -std=gnu11 $(WARN_CFLAGS) $(SAN_CFLAGS) $(AM_CFLAGS)

# Written by flex and bison into the build directory only.
nodist_translator_libtranslator_a_SOURCES = translator/syntax/grammar.cc translator/syntax/lexer.cc

# Built in bin/ next to staprun, so that stap finds its neighbour the same way in the build tree and installed.
bin_PROGRAMS += bin/stap
bin_stap_SOURCES = translator/main.cc
bin_stap_CPPFLAGS = $(translator_libtranslator_a_CPPFLAGS)
bin_stap_CXXFLAGS = $(translator_libtranslator_a_CXXFLAGS)
bin_stap_LDADD = translator/libtranslator.a $(LIBDW_LIBS) $(LIBELF_LIBS) $(ZLIB_LIBS) $(LZMA_LIBS) $(ZSTD_LIBS) $(LZ4_LIBS) $(FMT_LIBS)

# bison names every file after --output; the header and location.hh come with it.
translator/syntax/grammar.cc: translator/syntax/grammar.yy
	$(AM_V_GEN)$(MKDIR_P) translator/syntax && $(BISON) -Wall -Werror --header=translator/syntax/grammar.hh --output=translator/syntax/grammar.cc $(srcdir)/translator/syntax/grammar.yy
translator/syntax/grammar.hh: translator/syntax/grammar.cc
	@test -f $@ || { rm -f translator/syntax/grammar.cc && $(MAKE) $(AM_MAKEFLAGS) translator/syntax/grammar.cc; }
translator/syntax/lexer.cc: translator/syntax/lexer.l translator/syntax/grammar.hh
	$(AM_V_GEN)$(MKDIR_P) translator/syntax && $(FLEX) --outfile=translator/syntax/lexer.cc $(srcdir)/translator/syntax/lexer.l
# Before the first compilation, when no dependencies are known yet.
$(translator_libtranslator_a_OBJECTS): | translator/syntax/grammar.hh

# gcc takes the .gch when a file is compiled with the same options, and the header itself otherwise, as other compilers do.
translator/precompiled.h.gch: translator/precompiled.h translator/base/diag.h translator/base/source.h config.status
	$(AM_V_GEN)$(MKDIR_P) translator && $(CXX) $(DEFS) $(DEFAULT_INCLUDES) $(INCLUDES) $(translator_includes) $(CPPFLAGS) \
	  $(translator_libtranslator_a_CXXFLAGS) $(CXXFLAGS) -x c++-header -o $@ $(srcdir)/translator/precompiled.h
$(translator_libtranslator_a_OBJECTS) $(bin_stap_OBJECTS): translator/precompiled.h.gch
CLEANFILES += translator/precompiled.h.gch
# The directories stand in a file of their own, so that only what asks for them is compiled with them.
translator/base/places.h: Makefile
	$(AM_V_GEN)$(MKDIR_P) translator/base && printf '#define %s "%s"\n' BINDIR '$(bindir)' PKGDATADIR '$(pkgdatadir)' PKGLIBDIR '$(pkglibdir)' \
	  PKGLIBEXECDIR '$(pkglibexecdir)' SYSTEMCACHEDIR '$(localstatedir)/cache/stap' ABS_TOP_SRCDIR '$(abs_top_srcdir)' \
	  ABS_TOP_BUILDDIR '$(abs_top_builddir)' > $@
$(translator_libtranslator_a_OBJECTS): | translator/base/places.h
CLEANFILES += translator/base/places.h

CLEANFILES += translator/syntax/grammar.cc translator/syntax/grammar.hh translator/syntax/location.hh translator/syntax/lexer.cc
EXTRA_DIST += translator
