// SPDX-License-Identifier: GPL-2.0-or-later
// Compiles headers for their types, and finds out what they included, to know when that is stale.
#include "build/headers.h"

#include "base/files.h"
#include "build/recipe.h"
#include "build/run.h"
#include "build/runtime_cache.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>

namespace fs = std::filesystem;

namespace {

const char *const object_name = "headers.o";
const char *const debug_flags = "-g -fno-eliminate-unused-debug-types";

std::string source_of(const HeaderRequest &request) {
  std::string text;
  for (const std::string &header : request.headers) text += "#include <" + header + ">\n";
  return text;
}

// Files behind the first colon of make's "target: file \\".
std::vector<std::string> read_dependencies(const std::string &text, const std::string &directory) {
  std::vector<std::string> files;
  std::istringstream words(text.substr(std::min(text.find(':'), text.size() - 1) + 1));
  for (std::string word; words >> word;) {
    const fs::path file = fs::path(word).is_absolute() ? fs::path(word) : fs::path(directory) / word;
    std::error_code ec;
    if (word != "\\" && !word.starts_with("$(") && file.extension() != ".c" && fs::is_regular_file(file, ec))
      files.push_back(file.lexically_normal().string());
  }
  return files;
}

bool compile_for_process(const std::string &work, int verbose, std::vector<std::string> &read, std::string *error) {
  Command command = {find_program("gcc").empty() ? "cc" : "gcc",
                     "-g",
                     "-fno-eliminate-unused-debug-types",
                     "-w",
                     "-c",
                     "-MD",
                     "-MF",
                     work + "/headers.d",
                     "-o",
                     work + "/" + object_name,
                     work + "/headers.c"};
  if (verbose >= 2) fprintf(stderr, "%s\n", command_text(command).c_str());
  CommandResult result = run_command(command, work);
  if (result.status) {
    *error = result.output;
    return false;
  }
  std::string text;
  if (!read_file(work + "/headers.d", text, error)) return false;
  read = read_dependencies(text, work);
  return true;
}

bool compile_for_kernel(const HeaderRequest &request, const std::string &work, std::vector<std::string> &read,
                        std::string *error) {
  BuildRequest build;
  build.kernel_release = request.kernel_release;
  build.build_tree = request.build_tree;
  const std::string tree = find_build_tree(build, error);
  const std::string kbuild = "obj-m := " + std::string(object_name) + "\nccflags-y := -w " + debug_flags + "\n";
  if (tree.empty() || !write_file(work + "/Kbuild", kbuild, error) ||
      !run_kbuild(tree, work, {}, request.verbose, error, object_name))
    return false;
  // kbuild keeps what was included in its .cmd file: "deps_/path/headers.o := \\", then a file a line.
  std::string text;
  if (!read_file(work + "/." + object_name + ".cmd", text, error)) return false;
  size_t at = text.find("\ndeps_");
  if (at != std::string::npos) read = read_dependencies(text.substr(at), tree);
  return true;
}

// What the compiler found wrong, without where it is in files that the user never wrote; all it said when that is
// nothing.
std::string compiler_errors(const std::string &output) {
  std::string errors;
  std::istringstream lines(output);
  int count = 0;
  for (std::string line; std::getline(lines, line) && count < 3;)
    if (size_t at = line.find("error: "); at != std::string::npos) {
      errors += (count++ ? "; " : "") + line.substr(at + 7);
    }
  return errors.empty() ? output : errors;
}

// What every use compares: a line for each file that was read.
std::string manifest_of(const std::vector<std::string> &files) {
  std::string text;
  for (const std::string &file : files) text += file + "\t" + file_stamp(file) + "\n";
  return text;
}

bool is_current(const std::string &entry, CompiledHeaders &compiled) {
  std::string text;
  if (!fs::exists(entry + ".o") || !read_file(entry + ".files", text, nullptr)) return false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) compiled.read.push_back(line.substr(0, line.find('\t')));
  if (manifest_of(compiled.read) == text) {
    compiled.object = entry + ".o";
    for (const char *suffix : {".o", ".files"}) {  // what was used long ago is cleaned away first
      std::error_code ec;
      fs::last_write_time(entry + suffix, fs::file_time_type::clock::now(), ec);
    }
    return true;
  }
  compiled.read.clear();
  return false;
}

// Removes the directory at the end of the process: the object in it is open as long.
struct WorkDirectory {
  std::string path;
  ~WorkDirectory() {
    if (!path.empty()) remove_tree(path);
  }
};

}  // namespace

bool compile_headers(const HeaderRequest &request, CompiledHeaders &compiled, std::string *error) {
  const std::string source = source_of(request);
  std::string entry;
  if (!request.cache_dir.empty()) {
    const std::string kernel = request.for_kernel ? request.kernel_release + "\n" + request.build_tree : "";
    entry = request.cache_dir + "/headers/" + hex64(hash_bytes(source + "\n" + kernel + "\n" + file_stamp("gcc")));
    if (is_current(entry, compiled)) return true;
  }
  static std::vector<std::unique_ptr<WorkDirectory>> work_directories;
  work_directories.push_back(std::make_unique<WorkDirectory>());
  const std::string &work = work_directories.back()->path = make_temporary_directory("", error);
  if (work.empty() || !write_file(work + "/headers.c", source, error)) return false;
  if (!(request.for_kernel ? compile_for_kernel(request, work, compiled.read, error)
                           : compile_for_process(work, request.verbose, compiled.read, error))) {
    *error = compiler_errors(*error);
    return false;
  }
  compiled.object = work + "/" + object_name;
  std::string bytes;
  // Not to keep it is no error: it is made again the next time.
  if (!entry.empty() && make_directories(request.cache_dir + "/headers", nullptr) &&
      read_file(compiled.object, bytes, nullptr) && write_file(entry + ".o", bytes, nullptr) &&
      write_file(entry + ".files", manifest_of(compiled.read), nullptr))
    compiled.object = entry + ".o";
  return true;
}
