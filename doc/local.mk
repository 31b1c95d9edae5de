# SPDX-License-Identifier: GPL-2.0-or-later
# Documents. A manual page is added to dist_man_MANS, as doc/stap.1; its section is its suffix.

dist_man_MANS += doc/stap.1 doc/staprun.8 doc/stapprobes.3 doc/stapvars.3
EXTRA_DIST += doc

# The functions' and the aliases' pages say what the comments of the tapset library say. They are written at every make, which takes no
# time, and replaced when that made a difference: no list of the library's files has to be kept.
man_MANS = doc/stapaliases.3 doc/stapfuncs.3
CLEANFILES += doc/stapaliases.3 doc/stapfuncs.3
doc/stapaliases.3: doc-always
	@$(MKDIR_P) doc && $(srcdir)/scripts/stapaliases-page $(srcdir)/tapsets > $@.new
	@if cmp -s $@.new $@; then rm -f $@.new; else echo "  GEN      $@" && mv -f $@.new $@; fi
doc/stapfuncs.3: doc-always
	@$(MKDIR_P) doc && $(srcdir)/scripts/stapfuncs-page $(srcdir)/tapsets > $@.new
	@if cmp -s $@.new $@; then rm -f $@.new; else echo "  GEN      $@" && mv -f $@.new $@; fi
doc-always:
.PHONY: doc-always
