// SPDX-License-Identifier: GPL-2.0-or-later
// The runtime compiled once per kernel build tree, with its recipe, in the user's cache.
#include "build/runtime_cache.h"

#include "base/files.h"
#include "build/module_image.h"
#include "build/run.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

std::string template_name() {
  std::string name = "stap_template_";
  while (name.size() < module_name_max) name += static_cast<char>('a' + name.size() % 26);
  return name;
}

std::string find_build_tree(const BuildRequest &request, std::string *error) {
  std::string tree =
      request.build_tree.empty() ? "/lib/modules/" + request.kernel_release + "/build" : request.build_tree;
  std::error_code ec;
  if (!fs::exists(tree + "/Makefile", ec) || !fs::exists(tree + "/include/generated/autoconf.h", ec)) {
    *error = "no kernel build tree in " + tree + ": install linux-headers-" + request.kernel_release +
             " (Debian) or kernel-devel-" + request.kernel_release + " (Fedora)";
    return "";
  }
  return fs::canonical(tree, ec).string();
}

// The runtime's sources a module is made of, relative to runtime_dir.
static std::vector<std::string> runtime_sources(const std::string &runtime_dir) {
  std::vector<std::string> sources;
  for (const std::string &file : list_files(runtime_dir)) {
    std::string top = file.substr(0, file.find('/'));
    bool source = file.ends_with(".c") || file.ends_with(".h") || file.ends_with("Kbuild");
    if (source && (top == "abi" || top == "core" || top == "kernel" || file == "host.h")) sources.push_back(file);
  }
  return sources;
}

// Names an entry: anything that could change what kbuild makes changes the key.
static std::string cache_key(const BuildRequest &request, const std::string &tree) {
  uint64_t hash = hash_bytes(std::to_string(recipe_version) + "\n" + tree + "\n");
  for (const char *file : {"/include/generated/autoconf.h", "/include/generated/utsrelease.h", "/Module.symvers"})
    hash = hash_bytes(file_stamp(tree + file), hash);
  std::string bytes;
  for (const std::string &file : runtime_sources(request.runtime_dir)) {
    read_file(request.runtime_dir + "/" + file, bytes, nullptr);
    hash = hash_bytes(file + "\n" + bytes, hash);
  }
  return request.kernel_release + "-" + hex64(hash);
}

// --- manifest: "size hash name" a line, "end" last ---

static std::string manifest_line(const std::string &name, const std::string &bytes) {
  return std::to_string(bytes.size()) + " " + hex64(hash_bytes(bytes)) + " " + name + "\n";
}

static bool write_manifest(const std::string &directory, const std::vector<std::string> &names, std::string *error) {
  std::string manifest, bytes;
  for (const std::string &name : names) {
    if (!read_file(directory + "/" + name, bytes, error)) return false;
    manifest += manifest_line(name, bytes);
  }
  return write_file(directory + "/manifest", manifest + "end\n", error);
}

// Is every file of the entry as it was written, and the compiler still the one that made it?
static bool load_entry(const std::string &directory, PreparedRuntime &prepared) {
  std::string manifest, bytes, recipe, expected;
  if (!read_file(directory + "/manifest", manifest, nullptr) || !manifest.ends_with("end\n")) return false;
  for (size_t start = 0, end; (end = manifest.find('\n', start)) != std::string::npos; start = end + 1) {
    std::string line = manifest.substr(start, end - start);
    if (line == "end") break;
    std::string name = line.substr(line.rfind(' ') + 1);
    if (!read_file(directory + "/" + name, bytes, nullptr)) return false;
    expected += manifest_line(name, bytes);
    if (name == "recipe") recipe = bytes;
  }
  if (expected + "end\n" != manifest || !read_recipe(recipe, prepared.recipe)) return false;
  prepared.directory = directory;
  utimensat(AT_FDCWD, (directory + "/manifest").c_str(), nullptr, 0);  // in use: the last to be cleaned away
  return prepared.recipe.compiler_stamp == file_stamp(prepared.recipe.compile[0]);
}

// An entry for all users counts only when root wrote it.
static bool load_system_entry(const BuildRequest &request, const std::string &key, PreparedRuntime &prepared) {
  std::string directory = request.system_cache_dir + "/runtime/" + key;
  struct stat st;
  return !request.system_cache_dir.empty() && !stat(directory.c_str(), &st) && st.st_uid == 0 &&
         !(st.st_mode & S_IWOTH) && load_entry(directory, prepared);
}

// --- making an entry ---

// Debian's headers name the compiler their kernel was built with. Where that one is not installed, the default one
// does.
static std::string other_compiler(const std::string &tree) {
  std::string text;
  size_t at;
  if (!read_file(tree + "/.kernelvariables", text, nullptr) ||
      (at = text.find("$(CROSS_COMPILE)gcc-")) == std::string::npos)
    return "";
  at += sizeof("$(CROSS_COMPILE)") - 1;
  std::string compiler = text.substr(at, text.find_first_of(" \n", at) - at);
  return find_program(compiler).empty() ? "CC=gcc" : "";
}

bool run_kbuild(const std::string &tree, const std::string &work, const std::vector<std::string> &variables,
                int verbose, std::string *error, const std::string &target) {
  Command command = {"make", "-C", tree, "M=" + work, "-j" + std::to_string(sysconf(_SC_NPROCESSORS_ONLN))};
  command.insert(command.end(), variables.begin(), variables.end());
  if (std::string compiler = other_compiler(tree); !compiler.empty()) command.push_back(compiler);
  command.push_back(target);
  if (verbose >= 2) fprintf(stderr, "%s\n", command_text(command).c_str());
  CommandResult result = run_command(command);
  if (verbose >= 3) fputs(result.output.c_str(), stderr);
  if (result.status) *error = "kbuild failed (" + command_text(command) + "):\n" + result.output;
  return result.status == 0;
}

static bool copy_sources(const std::string &runtime_dir, const std::string &work, std::string *error) {
  std::error_code ec;
  for (const std::string &file : runtime_sources(runtime_dir)) {
    fs::create_directories(fs::path(work + "/" + file).parent_path(), ec);
    fs::copy_file(runtime_dir + "/" + file, work + "/" + file, ec);
    if (ec) {
      *error = work + "/" + file + ": " + ec.message();
      return false;
    }
  }
  fs::rename(work + "/kernel/Kbuild", work + "/Kbuild", ec);
  if (!ec) fs::rename(work + "/kernel/template.c", work + "/script.c", ec);
  if (ec) *error = runtime_dir + ": the runtime's sources are not complete: " + ec.message();
  return !ec;
}

// Everything but the script, in one object.
static bool link_runtime(const std::string &work, const std::string &output, const Recipe &recipe, int verbose,
                         std::string *error) {
  Command command = fill_in(recipe.link_objects, "", output);
  for (const std::string &file : list_files(work))
    if ((file.rfind("core/", 0) == 0 || file.rfind("kernel/", 0) == 0) && file.ends_with(".o"))
      command.push_back(work + "/" + file);
  if (verbose >= 2) fprintf(stderr, "%s\n", command_text(command).c_str());
  CommandResult result = run_command(command);
  if (result.status) *error = command_text(command) + "\n" + result.output;
  return result.status == 0;
}

static bool fill_entry(const BuildRequest &request, const std::string &tree, const std::string &work,
                       const std::string &entry, std::string *error) {
  std::string name = template_name();
  if (!copy_sources(request.runtime_dir, work, error) ||
      !run_kbuild(tree, work, {"STAP_MODULE=" + name}, request.verbose, error))
    return false;
  Recipe recipe;
  if (!record_recipe(tree, work, name, recipe, error) ||
      !link_runtime(work, entry + "/" + runtime_object, recipe, request.verbose, error))
    return false;
  std::vector<std::string> files = {"recipe", runtime_object, template_mod_object};
  // Debug information of a list of symbols serves nobody; without strip the modules are only bigger.
  if (!find_program("strip").empty()) run_command({"strip", "-g", work + "/" + name + ".mod.o"});
  std::vector<std::pair<std::string, std::string>> copies = {{work + "/" + name + ".mod.o", template_mod_object}};
  for (std::string &object : recipe.extra_objects) {
    std::string local = fs::path(object).filename();
    copies.emplace_back(object[0] == '/' ? object : work + "/" + object, local);
    files.push_back(local);
    object = local;
  }
  std::string bytes;
  for (auto &[from, to] : copies)
    if (!read_file(from, bytes, error) || !write_file(entry + "/" + to, bytes, error)) return false;
  return write_file(entry + "/recipe", write_recipe(recipe), error) && write_manifest(entry, files, error);
}

static bool make_entry(const BuildRequest &request, const std::string &tree, const std::string &directory,
                       std::string *error) {
  std::string temporary = make_temporary_directory(fs::path(directory).parent_path(), error);
  if (temporary.empty()) return false;
  std::string work = temporary + "/work", entry = temporary + "/entry";
  bool made =
      make_directories(work, error) && make_directories(entry, error) && fill_entry(request, tree, work, entry, error);
  if (made) {
    std::error_code ec;
    if (fs::exists(directory, ec))  // damaged or stale
      fs::rename(directory, temporary + "/old", ec);
    fs::rename(entry, directory, ec);
    if (ec) {
      *error = directory + ": " + ec.message();
      made = false;
    }
  }
  if (request.keep && !made) fprintf(stderr, "Keeping temporary directory \"%s\"\n", temporary.c_str());
  else remove_tree(temporary);
  return made;
}

bool prepare_runtime(const BuildRequest &request, PreparedRuntime &prepared, std::string *error) {
  std::string tree = find_build_tree(request, error);
  if (tree.empty()) return false;
  std::string root = fs::absolute(request.cache_dir).string() + "/runtime", key = cache_key(request, tree);
  std::string directory = root + "/" + key;
  if (load_entry(directory, prepared) || load_system_entry(request, key, prepared)) return true;
  if (!make_directories(root, error)) return false;
  FileLock lock(directory + ".lock");
  if (!lock.held()) {
    *error = directory + ".lock: can't be locked";
    return false;
  }
  if (load_entry(directory, prepared))  // somebody else made it meanwhile
    return true;
  if (request.verbose) fprintf(stderr, "Preparing the runtime for kernel %s, once\n", request.kernel_release.c_str());
  if (!make_entry(request, tree, directory, error)) return false;
  prepared.fresh = true;
  if (load_entry(directory, prepared)) return true;
  *error = directory + ": can't be read back after it was made";
  return false;
}
