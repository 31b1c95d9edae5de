// SPDX-License-Identifier: GPL-2.0-or-later
// The runtime compiled once per kernel build tree, with its recipe, in the user's cache.
#pragma once
#include "build/compile.h"
#include "build/recipe.h"

// Files of a cache entry besides "recipe" and "manifest".
inline const std::string runtime_object = "runtime.o", template_mod_object = "template.mod.o";

struct PreparedRuntime {
  std::string directory;
  Recipe recipe;
};

// The name the template is built under; every script's name fits in its place.
std::string template_name();

// Finds the entry for the request's kernel and runtime sources, or makes it with kbuild. Entries are made in a
// directory of their own and renamed into place, one maker at a time; a damaged or stale one is made again. This and
// what follows throw FatalError.
PreparedRuntime prepare_runtime(const BuildRequest &request);

// request.build_tree or its default, which must have a kernel's headers.
std::string find_build_tree(const BuildRequest &request);

// Runs kbuild on `work`, for modules or for another target there.
void run_kbuild(const std::string &build_tree, const std::string &work, const std::vector<std::string> &variables,
                int verbose, const std::string &target = "modules");
