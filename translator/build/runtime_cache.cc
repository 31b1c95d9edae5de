// SPDX-License-Identifier: GPL-2.0-or-later
// The runtime compiled once per kernel build tree, with its recipe, in the user's cache.
#include "build/runtime_cache.h"

#include "base/files.h"
#include "base/trust.h"
#include "build/build_error.h"
#include "build/module_image.h"
#include "build/run.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

std::string template_name() {
  std::string name = "stap_template_";
  while (name.size() < module_name_max) name += static_cast<char>('a' + name.size() % 26);
  return name;
}

std::string header_packages(const std::string &release) {
  return fmt::format("linux-headers-{0} (Debian) or kernel-devel-{0} (Fedora)", release);
}

std::string find_build_tree(const BuildRequest &request) {
  std::string tree =
      request.build_tree.empty() ? "/lib/modules/" + request.kernel_release + "/build" : request.build_tree;
  std::error_code ec;
  if (!fs::exists(tree + "/Makefile", ec) || !fs::exists(tree + "/include/generated/autoconf.h", ec))
    throw build_error(
        "no-build-tree",
        fmt::format("no kernel build tree in {}: install {}", tree, header_packages(request.kernel_release)),
        {"-r RELEASE, or -r DIRECTORY, builds for another kernel"});
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
  for (const std::string &file : runtime_sources(request.runtime_dir))
    hash = hash_bytes(file + "\n" + read_file(request.runtime_dir + "/" + file).value_or(""), hash);
  return request.kernel_release + "-" + hex64(hash);
}

// --- manifest: "size hash name" a line, "end" last ---

static std::string manifest_line(const std::string &name, const std::string &bytes) {
  return fmt::format("{} {} {}\n", bytes.size(), hex64(hash_bytes(bytes)), name);
}

static void write_manifest(const std::string &directory, const std::vector<std::string> &names) {
  std::string manifest;
  for (const std::string &name : names) manifest += manifest_line(name, need(read_file(directory + "/" + name)));
  need(write_file(directory + "/manifest", manifest + "end\n"));
}

// The entry, when every file of it is as it was written and the compiler is still the one that made it.
static std::optional<PreparedRuntime> load_entry(const std::string &directory) {
  const std::string manifest = read_file(directory + "/manifest").value_or("");
  std::string text, expected;
  for (size_t start = 0, end; (end = manifest.find('\n', start)) != std::string::npos; start = end + 1) {
    std::string line = manifest.substr(start, end - start);
    if (line == "end") break;
    std::string name = line.substr(line.rfind(' ') + 1);
    const std::string bytes = read_file(directory + "/" + name).value_or("");
    expected += manifest_line(name, bytes);
    if (name == "recipe") text = bytes;
  }
  const std::optional<Recipe> recipe = read_recipe(text);
  if (expected + "end\n" != manifest || !recipe || recipe->compiler_stamp != file_stamp(recipe->compile[0]))
    return std::nullopt;
  utimensat(AT_FDCWD, (directory + "/manifest").c_str(), nullptr, 0);  // in use: the last to be cleaned away
  return PreparedRuntime{directory, *recipe};
}

// An entry for all users counts only when nobody but root can have written it.
static std::optional<PreparedRuntime> load_system_entry(const BuildRequest &request, const std::string &key) {
  const std::string directory = request.system_cache_dir + "/runtime/" + key;
  if (request.system_cache_dir.empty() || !is_trusted_tree(directory)) return std::nullopt;
  return load_entry(directory);
}

// --- making an entry ---

// Debian's headers name the compiler their kernel was built with. Where that one is not installed, the default one
// does.
static std::string other_compiler(const std::string &tree) {
  const std::string text = read_file(tree + "/.kernelvariables").value_or("");
  size_t at = text.find("$(CROSS_COMPILE)gcc-");
  if (at == std::string::npos) return "";
  at += sizeof("$(CROSS_COMPILE)") - 1;
  std::string compiler = text.substr(at, text.find_first_of(" \n", at) - at);
  return find_program(compiler).empty() ? "CC=gcc" : "";
}

void run_kbuild(const std::string &tree, const std::string &work, const std::vector<std::string> &variables,
                int verbose, const std::string &target) {
  Command command = {"make", "-C", tree, "M=" + work, "-j" + std::to_string(sysconf(_SC_NPROCESSORS_ONLN))};
  command.insert(command.end(), variables.begin(), variables.end());
  // Nobody reads BTF of a script's module, and making it takes pahole where vmlinux comes with the headers.
  command.push_back("CONFIG_DEBUG_INFO_BTF_MODULES=");
  if (std::string compiler = other_compiler(tree); !compiler.empty()) command.push_back(compiler);
  command.push_back(target);
  if (verbose >= 2) fprintf(stderr, "%s\n", command_text(command).c_str());
  CommandResult result = run_command(command);
  if (verbose >= 3) fputs(result.output.c_str(), stderr);
  if (result.status)
    throw build_error("kbuild-failed", fmt::format("kbuild failed ({}):\n{}", command_text(command), result.output));
}

static void copy_sources(const std::string &runtime_dir, const std::string &work) {
  std::error_code ec;
  for (const std::string &file : runtime_sources(runtime_dir)) {
    fs::create_directories(fs::path(work + "/" + file).parent_path(), ec);
    fs::copy_file(runtime_dir + "/" + file, work + "/" + file, ec);
    if (ec) throw build_error("cannot-write", work + "/" + file + ": " + ec.message());
  }
  fs::rename(work + "/kernel/Kbuild", work + "/Kbuild", ec);
  if (!ec) fs::rename(work + "/kernel/template.c", work + "/script.c", ec);
  if (ec)
    throw build_error("cannot-read",
                      fmt::format("{}: the runtime's sources are not complete: {}", runtime_dir, ec.message()));
}

// Links the runtime's objects, which is all of the module but the script, into one.
static void link_runtime(const std::string &work, const std::string &output, const Recipe &recipe, int verbose) {
  Command command = fill_in(recipe.link_objects, "", output);
  for (const std::string &file : list_files(work))
    if ((file.rfind("core/", 0) == 0 || file.rfind("kernel/", 0) == 0) && file.ends_with(".o"))
      command.push_back(work + "/" + file);
  run_step(command, "", verbose);
}

static void fill_entry(const BuildRequest &request, const std::string &tree, const std::string &work,
                       const std::string &entry) {
  std::string name = template_name();
  copy_sources(request.runtime_dir, work);
  run_kbuild(tree, work, {"STAP_MODULE=" + name}, request.verbose);
  Recipe recipe = record_recipe(tree, work, name);
  link_runtime(work, entry + "/" + runtime_object, recipe, request.verbose);
  std::vector<std::string> files = {"recipe", runtime_object, template_mod_object};
  // Nobody needs the debugging information of a list of symbols. Where strip is missing the modules are only bigger.
  if (!find_program("strip").empty()) run_command({"strip", "-g", work + "/" + name + ".mod.o"});
  need(copy_file(work + "/" + name + ".mod.o", entry + "/" + template_mod_object));
  for (std::string &object : recipe.extra_objects) {
    std::string local = fs::path(object).filename();
    need(copy_file(object[0] == '/' ? object : work + "/" + object, entry + "/" + local));
    files.push_back(local);
    object = local;
  }
  need(write_file(entry + "/recipe", write_recipe(recipe)));
  write_manifest(entry, files);
}

static void make_entry(const BuildRequest &request, const std::string &tree, const std::string &directory) {
  TemporaryDirectory temporary(fs::path(directory).parent_path());
  const std::string work = temporary.path() + "/work", entry = temporary.path() + "/entry";
  need(make_directories(work));
  need(make_directories(entry));
  try {
    fill_entry(request, tree, work, entry);
  } catch (const FatalError &) {
    if (request.keep) {
      temporary.keep();
      fprintf(stderr, "Keeping temporary directory \"%s\"\n", temporary.path().c_str());
    }
    throw;
  }
  std::error_code ec;
  if (fs::exists(directory, ec))  // damaged or stale
    fs::rename(directory, temporary.path() + "/old", ec);
  fs::rename(entry, directory, ec);
  if (ec) throw build_error("cannot-write", directory + ": " + ec.message());
}

PreparedRuntime prepare_runtime(const BuildRequest &request) {
  const std::string tree = find_build_tree(request), key = cache_key(request, tree),
                    root = fs::absolute(request.cache_dir).string() + "/runtime", directory = root + "/" + key;
  if (auto own = load_entry(directory)) return *own;
  if (auto system = load_system_entry(request, key)) return *system;
  need(make_directories(root));
  FileLock lock(directory + ".lock");
  if (!lock.held()) throw build_error("cannot-write", directory + ".lock: can't be locked");
  if (auto others = load_entry(directory)) return *others;  // made meanwhile
  if (request.verbose) fprintf(stderr, "Preparing the runtime for kernel %s, once\n", request.kernel_release.c_str());
  make_entry(request, tree, directory);
  if (auto made = load_entry(directory)) return *made;
  throw build_error("cannot-read", directory + ": can't be read back after it was made");
}
