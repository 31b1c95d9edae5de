// SPDX-License-Identifier: GPL-2.0-or-later
// The runtime compiled once per kernel build tree, with its recipe, in the user's cache.
#ifndef STAP_BUILD_RUNTIME_CACHE_H
#define STAP_BUILD_RUNTIME_CACHE_H

#include "build/compile.h"
#include "build/recipe.h"

// Files of a cache entry besides "recipe" and "manifest".
inline const std::string runtime_object = "runtime.o", template_mod_object = "template.mod.o";

struct PreparedRuntime {
  std::string directory;
  Recipe recipe;
  bool fresh = false;  // made by this call
};

// The name the template is built under; every script's name fits in its place.
std::string template_name();

// Finds the entry for the request's kernel and runtime sources, or makes it with kbuild. Entries are made in a
// directory of their own and renamed into place, one maker at a time; a damaged or stale one is made again.
bool prepare_runtime(const BuildRequest &request, PreparedRuntime &prepared, std::string *error);

// request.build_tree or its default. "" with a message naming the packages when there are no headers.
std::string find_build_tree(const BuildRequest &request, std::string *error);

// Runs kbuild on `work`, for modules or for another target there. False with the output as message.
bool run_kbuild(const std::string &build_tree, const std::string &work, const std::vector<std::string> &variables,
                int verbose, std::string *error, const std::string &target = "modules");

#endif
