// SPDX-License-Identifier: GPL-2.0-or-later
// Reads and edits relocatable ELF files: a module's name, and the symbols it leaves to the kernel.
#pragma once
#include <optional>
#include <set>
#include <string>

// The longest name the kernel takes (MODULE_NAME_LEN - 1 on 64-bit machines).
constexpr size_t module_name_max = 55;

// Replaces the module's name, `from`, by `to` in the bytes of a .mod.o: in struct module, in .modinfo, and in symbol
// names. `from` must be module_name_max long, so that every `to` fits. False when it is nowhere in struct module.
bool rename_module(std::string &image, const std::string &from, const std::string &to);

// Names of the undefined symbols of an object's bytes. Nothing when it is no ELF object.
std::optional<std::set<std::string>> undefined_symbols(const std::string &image);
