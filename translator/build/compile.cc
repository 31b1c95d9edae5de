// SPDX-License-Identifier: GPL-2.0-or-later
// Pass 4: the emitted C file becomes a kernel module or a shared object.
#include "build/compile.h"

#include "base/files.h"
#include "build/module_image.h"
#include "build/run.h"
#include "build/runtime_cache.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;

// The directory a build works in; removed at the end unless it is to be kept.
class WorkDirectory {
 public:
  WorkDirectory(bool keep, std::string *error) : path_(make_temporary_directory("", error)), keep_(keep) {}
  ~WorkDirectory() {
    if (path_.empty()) return;
    if (keep_) fprintf(stderr, "Keeping temporary directory \"%s\"\n", path_.c_str());
    else remove_tree(path_);
  }
  WorkDirectory(const WorkDirectory &) = delete;
  WorkDirectory &operator=(const WorkDirectory &) = delete;
  const std::string &path() const { return path_; }

 private:
  std::string path_;
  bool keep_;
};

static bool run_step(const Command &command, const std::string &cwd, int verbose, std::string *error) {
  if (verbose >= 2) fprintf(stderr, "%s\n", command_text(command).c_str());
  CommandResult result = run_command(command, cwd);
  if (result.status == 0) {
    if (verbose >= 2) fputs(result.output.c_str(), stderr);
    return true;
  }
  *error = fs::path(command[0]).filename().string() + " failed (exit status " + std::to_string(result.status) + ")\n" +
           result.output;
  return false;
}

static bool valid_name(const std::string &name, std::string *error) {
  bool valid = !name.empty() && name.size() <= module_name_max &&
               std::all_of(name.begin(), name.end(), [](unsigned char c) { return isalnum(c) || c == '_'; });
  if (!valid)
    *error = "module name '" + name + "' is not made of at most " + std::to_string(module_name_max) +
             " letters, digits and '_'";
  return valid;
}

// Puts a finished file in its place; from another file system too.
static bool move_into_place(const std::string &from, const std::string &to, std::string *error) {
  if (!rename(from.c_str(), to.c_str())) return true;
  std::string bytes;
  return read_file(from, bytes, error) && write_file(to, bytes, error);
}

// modpost resolved the runtime's symbols; a script that needs others would not load.
static bool check_symbols(const std::string &module, const Recipe &recipe, std::string *error) {
  std::set<std::string> used;
  std::string image;
  if (!read_file(module, image, error)) return false;
  undefined_symbols(image, used);
  for (const std::string &name : used)
    if (!recipe.kernel_symbols.count(name)) {
      *error = "undefined symbol '" + name + "': neither the runtime nor its list of kernel symbols has it";
      return false;
    }
  return true;
}

// A source of more bytes than this (some 120 probes with their parameters) is compiled with -O1: a third less time for
// gcc, and handlers that differ little, for what is inline in the ABI stays so. bench/start measures it with its
// wildcard script.
static constexpr uintmax_t big_source = 128 << 10;

// Messages count a tab as one column, as stap does.
static const std::string byte_columns = "-ftabstop=1";

static bool replay(const BuildRequest &request, const PreparedRuntime &prepared, const std::string &work,
                   std::string *error) {
  const Recipe &recipe = prepared.recipe;
  std::string object = work + "/script.o", mod_object = work + "/script.mod.o",
              module = work + "/" + request.name + ".ko";
  std::string source = fs::absolute(request.c_file), mod_image;

  Command compile = fill_in(recipe.compile, source, object);
  for (const std::string &flag :
       {"-I" + request.runtime_dir + "/abi", "-I" + request.runtime_dir, std::string("-w"), byte_columns})
    compile.push_back(flag);
  std::error_code ignored;
  if (fs::file_size(source, ignored) > big_source && !ignored) compile.push_back("-O1");
  compile.insert(compile.end(), request.extra_cflags.begin(), request.extra_cflags.end());
  if (!run_step(compile, recipe.directory, request.verbose, error)) return false;
  if (!recipe.check_object.empty() &&
      !run_step(fill_in(recipe.check_object, "", object), recipe.directory, request.verbose, error))
    return false;

  if (!read_file(prepared.directory + "/" + template_mod_object, mod_image, error)) return false;
  if (!rename_module(mod_image, template_name(), request.name)) {
    *error = "struct module is not found in " + prepared.directory + "/" + template_mod_object;
    return false;
  }
  if (!write_file(mod_object, mod_image, error)) return false;

  std::vector<std::string> objects = {object, prepared.directory + "/" + runtime_object};
  if (!recipe.check_module.empty()) {  // objtool wants to see the whole module at once
    std::string whole = work + "/whole.o";
    Command link = fill_in(recipe.link_objects, "", whole);
    link.insert(link.end(), objects.begin(), objects.end());
    if (!run_step(link, recipe.directory, request.verbose, error) ||
        !run_step(fill_in(recipe.check_module, "", whole), recipe.directory, request.verbose, error))
      return false;
    objects = {whole};
  }
  Command link = fill_in(recipe.link_module, "", module);
  link.insert(link.end(), objects.begin(), objects.end());
  link.push_back(mod_object);
  for (const std::string &extra : recipe.extra_objects) link.push_back(prepared.directory + "/" + extra);
  return run_step(link, recipe.directory, request.verbose, error) && check_symbols(module, recipe, error) &&
         move_into_place(module, request.output, error);
}

// Embedded C may use any header and any exported symbol: kbuild does it all, but for the runtime. Where it works stays
// out of the module, which is the same each time.
static bool build_by_kbuild(const BuildRequest &request, const PreparedRuntime &prepared, const std::string &work,
                            std::string *error) {
  std::string source, runtime, flags;
  for (const std::string &flag : request.extra_cflags) flags += " " + flag;
  std::string kbuild = "obj-m := " + request.name + ".o\n" + request.name + "-y := script.o runtime.o\n" +
                       "ccflags-y := -I" + request.runtime_dir + "/abi -I" + request.runtime_dir +
                       " -std=gnu11 -g0 -w " + byte_columns + flags + "\nccflags-remove-y := $(CC_FLAGS_FTRACE)\n";
  for (const char *tool :
       {"KASAN_SANITIZE", "KCSAN_SANITIZE", "KMSAN_SANITIZE", "UBSAN_SANITIZE", "KCOV_INSTRUMENT", "GCOV_PROFILE"})
    kbuild += std::string(tool) + " := n\n";
  return read_file(request.c_file, source, error) && write_file(work + "/script.c", source, error) &&
         read_file(prepared.directory + "/" + runtime_object, runtime, error) &&
         write_file(work + "/runtime.o", runtime, error) &&
         write_file(work + "/.runtime.o.cmd", "# prebuilt; modpost wants the file\n", error) &&
         write_file(work + "/Kbuild", kbuild, error) &&
         run_kbuild(find_build_tree(request, error), work, {"KCFLAGS=-ffile-prefix-map=" + work + "=."},
                    request.verbose, error) &&
         move_into_place(work + "/" + request.name + ".ko", request.output, error);
}

bool build_kernel_module(const BuildRequest &given, std::string *error) {
  BuildRequest request = given;
  request.runtime_dir = fs::absolute(given.runtime_dir);
  PreparedRuntime prepared;
  if (!valid_name(request.name, error) || !prepare_runtime(request, prepared, error)) return false;
  WorkDirectory work(request.keep, error);
  if (work.path().empty()) return false;
  return request.embedded_c_needs_kernel_headers ? build_by_kbuild(request, prepared, work.path(), error)
                                                 : replay(request, prepared, work.path(), error);
}

bool prepare_kernel(const BuildRequest &request, std::string *error) {
  PreparedRuntime prepared;
  return prepare_runtime(request, prepared, error);
}

bool build_user_object(const BuildRequest &request, const std::string &host_library, std::string *error) {
  std::string compiler = find_program("gcc").empty() ? "cc" : "gcc";
  std::string temporary = request.output + ".tmp." + std::to_string(getpid());
  Command command = {compiler,
                     "-std=gnu11",
                     "-O2",
                     "-w",
                     byte_columns,
                     "-shared",
                     "-fPIC",
                     "-I" + request.runtime_dir + "/abi",
                     "-I" + request.runtime_dir};
  command.insert(command.end(), request.extra_cflags.begin(), request.extra_cflags.end());
#ifndef __SANITIZE_ADDRESS__         // whose functions the process brings
  command.push_back("-Wl,-z,defs");  // a name that is nowhere is an error here, not when the script is loaded
#endif
  // The host starts itself: all of it is linked, whether the script names it or not.
  for (const std::string &word : {std::string("-o"), temporary, request.c_file, std::string("-Wl,--whole-archive"),
                                  host_library, std::string("-Wl,--no-whole-archive"), std::string("-lpthread")})
    command.push_back(word);
  bool built = run_step(command, "", request.verbose, error) && move_into_place(temporary, request.output, error);
  unlink(temporary.c_str());
  return built;
}
