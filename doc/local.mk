# SPDX-License-Identifier: GPL-2.0-or-later
# Documents. A manual page is added to dist_man_MANS, as doc/stap.1; its section is its suffix.

dist_man_MANS += doc/stap.1 doc/staprun.8 doc/stapprobes.3 doc/stapvars.3
EXTRA_DIST += doc

# The pages of functions, aliases and subjects say what the comments of the tapset library say. They are written at every make, which
# takes no time, and replaced when that made a difference: no list of the library's files has to be kept.
man_MANS = doc/stapaliases.3 doc/stapfuncs.3
CLEANFILES += doc/stapaliases.3 doc/stapfuncs.3
doc/stapaliases.3: doc-always bin/stap$(EXEEXT)
	@$(MKDIR_P) doc && $(srcdir)/scripts/stapaliases-page bin/stap $(srcdir)/tapsets > $@.new
	@if cmp -s $@.new $@; then rm -f $@.new; else echo "  GEN      $@" && mv -f $@.new $@; fi
doc/stapfuncs.3: doc-always bin/stap$(EXEEXT)
	@$(MKDIR_P) doc && $(srcdir)/scripts/stapfuncs-page bin/stap $(srcdir)/tapsets > $@.new
	@if cmp -s $@.new $@; then rm -f $@.new; else echo "  GEN      $@" && mv -f $@.new $@; fi
doc-always:
.PHONY: doc-always

# tapset::SUBJECT(3): no name that make could have in a rule.
tapset-pages: bin/stap$(EXEEXT)
	@$(srcdir)/scripts/tapset-pages bin/stap $(srcdir)/tapsets doc/tapset
.PHONY: tapset-pages
all-local: tapset-pages
clean-tapset-pages:
	rm -rf doc/tapset
clean-local: clean-tapset-pages
install-tapset-pages: tapset-pages
	@$(MKDIR_P) "$(DESTDIR)$(man3dir)" && $(INSTALL_DATA) doc/tapset/*.3 "$(DESTDIR)$(man3dir)"
uninstall-tapset-pages:
	rm -f "$(DESTDIR)$(man3dir)"/tapset::*.3
