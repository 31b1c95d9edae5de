" SPDX-License-Identifier: GPL-2.0-or-later
" Vim syntax of stap's script language.
if exists('b:current_syntax')
  finish
endif

" Embedded C, coloured as C.
syntax include @stapC syntax/c.vim
unlet! b:current_syntax
syntax case match
syntax sync fromstart

syntax keyword stapDeclaration probe global private function
syntax keyword stapConditional if else
syntax keyword stapRepeat while for foreach in limit
syntax keyword stapStatement break continue return next delete
syntax keyword stapException try catch
syntax keyword stapType long string contained
syntax keyword stapPrint print println printd printdln printf sprint sprintln sprintd sprintdln sprintf
syntax keyword stapTodo TODO FIXME XXX contained

syntax match stapTyped /:\s*\%(long\|string\)\>/ contains=stapType
syntax match stapNumber /\<\%(0[xX]\x\+\|\d\+\)\>/
syntax match stapTarget /\$\$\?\h\w*\%(\$\$\?\)\?/
syntax match stapArgument /[$@]\%(\d\+\|#\)/
syntax match stapOperator /@\h\w*/
syntax match stapStatistic /@\%(count\|sum\|min\|max\|avg\|variance\|hist_log\|hist_linear\)\>/
syntax match stapBuiltin /@\%(cast\|defined\|entry\|var\|const\|choose_defined\|probewrite\|[ku]deref\|[ku]register\)\>/
syntax match stapDefine /@define\>/
syntax match stapMacro /%[(?:)]/
syntax match stapFunctionName /\%(\<function\s\+\)\@<=\h\w*/

syntax match stapEscape /\\\%([abfnrtv"\\]\|\o\{1,3}\|x\x\{1,2}\)/ contained
syntax match stapFormat /%[-+ #0]*\%(\d\+\|\*\)\?\%(\.\%(\d\+\|\*\)\)\?[bcdimMopsuxX%]/ contained
syntax region stapString start=/"/ skip=/\\\\\|\\"/ end=/"/ contains=stapEscape,stapFormat

syntax match stapComment /#.*$/ contains=stapTodo
syntax match stapComment +//.*$+ contains=stapTodo
syntax region stapComment start=+/\*+ end=+\*/+ contains=stapTodo
syntax region stapEmbedded matchgroup=stapMacro start=/%{/ end=/%}/ contains=@stapC keepend

highlight default link stapDeclaration Keyword
highlight default link stapConditional Conditional
highlight default link stapRepeat Repeat
highlight default link stapStatement Statement
highlight default link stapException Exception
highlight default link stapType Type
highlight default link stapPrint Function
highlight default link stapFunctionName Function
highlight default link stapNumber Number
highlight default link stapTarget Identifier
highlight default link stapArgument Identifier
highlight default link stapOperator Macro
highlight default link stapStatistic Operator
highlight default link stapBuiltin Operator
highlight default link stapDefine Define
highlight default link stapMacro PreProc
highlight default link stapEscape SpecialChar
highlight default link stapFormat SpecialChar
highlight default link stapString String
highlight default link stapComment Comment
highlight default link stapTodo Todo

let b:current_syntax = 'stap'
