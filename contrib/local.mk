# SPDX-License-Identifier: GPL-2.0-or-later
# What other programs know of stap: completion of command lines in bash and zsh, scripts in Vim and in editors that read TextMate grammars.

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = contrib/completions/bash/stap contrib/completions/bash/staprun
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = contrib/completions/zsh/_stap
vimsyntaxdir = $(datadir)/vim/vimfiles/syntax
dist_vimsyntax_DATA = contrib/vim/syntax/stap.vim
vimftdetectdir = $(datadir)/vim/vimfiles/ftdetect
dist_vimftdetect_DATA = contrib/vim/ftdetect/stap.vim
data_trees += contrib/textmate=textmate
EXTRA_DIST += contrib
