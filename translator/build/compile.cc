// SPDX-License-Identifier: GPL-2.0-or-later
// Pass 4: the emitted C file becomes a kernel module or a shared object.
#include "build/compile.h"

#include "base/files.h"
#include "build/build_error.h"
#include "build/module_image.h"
#include "build/run.h"
#include "build/runtime_cache.h"
#include "build/stack_usage.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fmt/core.h>

namespace fs = std::filesystem;

static bool valid_name(const std::string &name) {
  return !name.empty() && name.size() <= module_name_max &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return isalnum(c) || c == '_'; });
}

// Puts a finished file in its place; from another file system too.
static void move_into_place(const std::string &from, const std::string &to) {
  if (rename(from.c_str(), to.c_str())) need(copy_file(from, to));
}

// The module's list of kernel symbols was made by modpost for the runtime alone. A script that needs another symbol
// would not load, so that is an error now.
static void check_symbols(const std::string &module, const Recipe &recipe) {
  const auto used = undefined_symbols(need(read_file(module)));
  for (const std::string &name : used.value_or(std::set<std::string>()))
    if (!recipe.kernel_symbols.count(name))
      throw build_error(
          "compile-failed",
          fmt::format("undefined symbol '{}': neither the runtime nor its list of kernel symbols has it", name));
}

// A source of more bytes than this (some 120 probes with their parameters) is compiled with -O1. That takes gcc a third
// less time, and the handlers hardly change, because the ABI's inline functions are inlined all the same. bench/start
// measures it with its wildcard script.
static constexpr uintmax_t big_source = 128 << 10;

// Messages count a tab as one column, as stap does.
static const std::string byte_columns = "-ftabstop=1";

// Writes a .su file beside the object.
static const std::string stack_usage = "-fstack-usage";

static void replay(const BuildRequest &request, const PreparedRuntime &prepared, const std::string &work) {
  const Recipe &recipe = prepared.recipe;
  std::string object = work + "/script.o", mod_object = work + "/script.mod.o",
              module = work + "/" + request.name + ".ko";
  std::string source = fs::absolute(request.c_file);

  Command compile = fill_in(recipe.compile, source, object);
  for (const std::string &flag :
       {"-I" + request.runtime_dir + "/abi", "-I" + request.runtime_dir, std::string("-w"), byte_columns, stack_usage})
    compile.push_back(flag);
  std::error_code ignored;
  if (fs::file_size(source, ignored) > big_source && !ignored) compile.push_back("-O1");
  compile.insert(compile.end(), request.extra_cflags.begin(), request.extra_cflags.end());
  run_step(compile, recipe.directory, request.verbose);
  check_frames(work);
  if (!recipe.check_object.empty())
    run_step(fill_in(recipe.check_object, "", object), recipe.directory, request.verbose);

  std::string mod_image = need(read_file(prepared.directory + "/" + template_mod_object));
  if (!rename_module(mod_image, template_name(), request.name))
    throw build_error("compile-failed",
                      "struct module is not found in " + prepared.directory + "/" + template_mod_object);
  need(write_file(mod_object, mod_image));

  std::vector<std::string> objects = {object, prepared.directory + "/" + runtime_object};
  if (!recipe.check_module.empty()) {  // objtool wants to see the whole module at once
    std::string whole = work + "/whole.o";
    Command link = fill_in(recipe.link_objects, "", whole);
    link.insert(link.end(), objects.begin(), objects.end());
    run_step(link, recipe.directory, request.verbose);
    run_step(fill_in(recipe.check_module, "", whole), recipe.directory, request.verbose);
    objects = {whole};
  }
  Command link = fill_in(recipe.link_module, "", module);
  link.insert(link.end(), objects.begin(), objects.end());
  link.push_back(mod_object);
  for (const std::string &extra : recipe.extra_objects) link.push_back(prepared.directory + "/" + extra);
  run_step(link, recipe.directory, request.verbose);
  check_symbols(module, recipe);
  move_into_place(module, request.output);
}

// Embedded C may use any header and any exported symbol, so kbuild compiles and links the script; only the runtime is
// taken ready-made. The path of the work directory is kept out of the module, which then is the same each time.
static void build_by_kbuild(const BuildRequest &request, const PreparedRuntime &prepared, const std::string &work) {
  std::string flags;
  for (const std::string &flag : request.extra_cflags) flags += " " + flag;
  std::string kbuild = "obj-m := " + request.name + ".o\n" + request.name + "-y := script.o runtime.o\n" +
                       "ccflags-y := -I" + request.runtime_dir + "/abi -I" + request.runtime_dir +
                       " -std=gnu11 -g0 -w " + byte_columns + " " + stack_usage + flags +
                       "\nccflags-remove-y := $(CC_FLAGS_FTRACE)\n";
  for (const char *tool : {"KMSAN_SANITIZE", "KCOV_INSTRUMENT", "GCOV_PROFILE"})
    kbuild += std::string(tool) + " := n\n";
  need(copy_file(request.c_file, work + "/script.c"));
  need(copy_file(prepared.directory + "/" + runtime_object, work + "/runtime.o"));
  need(write_file(work + "/.runtime.o.cmd", "# prebuilt; modpost wants the file\n"));
  need(write_file(work + "/Kbuild", kbuild));
  run_kbuild(find_build_tree(request), work, {fmt::format("KCFLAGS=-ffile-prefix-map={}=.", work)}, request.verbose);
  check_frames(work);
  move_into_place(work + "/" + request.name + ".ko", request.output);
}

void build_kernel_module(const BuildRequest &given) {
  BuildRequest request = given;
  request.runtime_dir = fs::absolute(given.runtime_dir);
  if (!valid_name(request.name))
    throw build_error("compile-failed",
                      fmt::format("module name '{}' is not made of at most {} letters, digits and '_'", request.name,
                                  module_name_max));
  const PreparedRuntime prepared = prepare_runtime(request);
  TemporaryDirectory work;
  if (request.keep) {
    work.keep();
    fprintf(stderr, "Keeping temporary directory \"%s\"\n", work.path().c_str());
  }
  if (request.embedded_c_needs_kernel_headers) build_by_kbuild(request, prepared, work.path());
  else replay(request, prepared, work.path());
}

void prepare_kernel(const BuildRequest &request) { prepare_runtime(request); }

void build_user_object(const BuildRequest &request, const std::string &host_library) {
  TemporaryDirectory work;
  Command command = {c_compiler(),
                     "-std=gnu11",
                     "-O2",
                     "-w",
                     byte_columns,
                     stack_usage,
                     "-dumpdir",
                     work.path() + "/",
                     "-shared",
                     "-fPIC",
                     "-I" + request.runtime_dir + "/abi",
                     "-I" + request.runtime_dir};
  command.insert(command.end(), request.extra_cflags.begin(), request.extra_cflags.end());
#ifndef __SANITIZE_ADDRESS__         // whose functions the process brings
  command.push_back("-Wl,-z,defs");  // a name that is nowhere is an error here, not when the script is loaded
#endif
  // The host starts itself: all of it is linked, whether the script names it or not.
  for (const std::string &word : {std::string("-o"), request.output, request.c_file, std::string("-Wl,--whole-archive"),
                                  host_library, std::string("-Wl,--no-whole-archive"), std::string("-lpthread")})
    command.push_back(word);
  run_step(command, "", request.verbose);
#ifndef __SANITIZE_ADDRESS__  // which makes frames larger
  check_frames(work.path());
#endif
}
