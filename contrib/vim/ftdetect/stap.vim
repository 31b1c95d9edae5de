" SPDX-License-Identifier: GPL-2.0-or-later
" Scripts and macro files of stap are of the file type stap. Vim itself takes *.stp for stored procedures, hence no setfiletype.
autocmd BufNewFile,BufRead *.stp,*.stpm set filetype=stap
autocmd BufNewFile,BufRead * if getline(1) =~# '^#!.*\<stap\>' | setfiletype stap | endif
