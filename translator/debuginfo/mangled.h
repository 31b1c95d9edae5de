// SPDX-License-Identifier: GPL-2.0-or-later
// Names of C++ and Rust functions: from the symbol table's form to the source's, and what a pattern means among them.
#pragma once
#include <string>
#include <string_view>

bool is_mangled(std::string_view symbol);
// "shape::area" of "_ZNK5shape4areaEv": with scopes and template arguments, without parameters. "" for what is not
// mangled, or in a way that is not known.
std::string qualified_name(std::string_view symbol);
// Does a pattern with or without wildcards mean the function? It may leave out scopes from the left, and all template
// arguments of the function itself: "area", "shape::area" and "*::area" are shape::area, "most" is most<int>.
bool matches_qualified(const std::string &pattern, const std::string &name);
// The last part: "area" of "shape::area", with its template arguments.
std::string unqualified(const std::string &name);
