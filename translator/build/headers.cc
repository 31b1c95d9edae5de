// SPDX-License-Identifier: GPL-2.0-or-later
// Compiles headers for their types, and finds out what they included, to know when that is stale.
#include "build/headers.h"

#include "base/files.h"
#include "build/build_error.h"
#include "build/recipe.h"
#include "build/run.h"
#include "build/runtime_cache.h"

#include <cstdio>
#include <filesystem>
#include <fmt/core.h>
#include <memory>
#include <optional>
#include <sstream>

namespace fs = std::filesystem;

namespace {

const char *const object_name = "headers.o";
const char *const debug_flags = "-g -fno-eliminate-unused-debug-types";

std::string source_of(const HeaderRequest &request) {
  std::string text;
  for (const std::string &header : request.headers) text += fmt::format("#include <{}>\n", header);
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

// Both compile headers.c in `work` and return the files that were read.
std::vector<std::string> compile_for_process(const HeaderRequest &request, const std::string &work) {
  run_step({c_compiler(), "-g", "-fno-eliminate-unused-debug-types", "-w", "-c", "-MD", "-MF", work + "/headers.d",
            "-o", work + "/" + object_name, work + "/headers.c"},
           work, request.verbose);
  return read_dependencies(need(read_file(work + "/headers.d")), work);
}

std::vector<std::string> compile_for_kernel(const HeaderRequest &request, const std::string &work) {
  BuildRequest build;
  build.kernel_release = request.kernel_release;
  build.build_tree = request.build_tree;
  const std::string tree = find_build_tree(build);
  need(write_file(work + "/Kbuild", fmt::format("obj-m := {}\nccflags-y := -w {}\n", object_name, debug_flags)));
  run_kbuild(tree, work, {}, request.verbose, object_name);
  // kbuild keeps what was included in its .cmd file: "deps_/path/headers.o := \\", then a file a line.
  const std::string text = need(read_file(work + "/." + object_name + ".cmd"));
  const size_t at = text.find("\ndeps_");
  return at == std::string::npos ? std::vector<std::string>() : read_dependencies(text.substr(at), tree);
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

// The object kept under this name, unless a file that it was made of has changed.
std::optional<CompiledHeaders> find_kept(const std::string &entry) {
  const std::string manifest = read_file(entry + ".files").value_or("");
  CompiledHeaders kept = {entry + ".o", {}};
  std::istringstream lines(manifest);
  for (std::string line; std::getline(lines, line);) kept.read.push_back(line.substr(0, line.find('\t')));
  if (manifest.empty() || !fs::exists(kept.object) || manifest_of(kept.read) != manifest) return std::nullopt;
  for (const char *suffix : {".o", ".files"}) {  // what was used long ago is cleaned away first
    std::error_code ec;
    fs::last_write_time(entry + suffix, fs::file_time_type::clock::now(), ec);
  }
  return kept;
}

// Not to keep it is no error: it is made again the next time.
bool keep(const CompiledHeaders &compiled, const std::string &entry) {
  return make_directories(fs::path(entry).parent_path()) && copy_file(compiled.object, entry + ".o") &&
         write_file(entry + ".files", manifest_of(compiled.read));
}

CompiledHeaders compile(const HeaderRequest &request, const std::string &source) {
  // Removed at the end of the process: the object in it is open as long.
  static std::vector<std::unique_ptr<TemporaryDirectory>> work_directories;
  work_directories.push_back(std::make_unique<TemporaryDirectory>());
  const std::string &work = work_directories.back()->path();
  need(write_file(work + "/headers.c", source));
  return {work + "/" + object_name,
          request.for_kernel ? compile_for_kernel(request, work) : compile_for_process(request, work)};
}

}  // namespace

Result<CompiledHeaders> compile_headers(const HeaderRequest &request) {
  const std::string source = source_of(request);
  std::string entry;
  if (!request.cache_dir.empty()) {
    const std::string kernel = request.for_kernel ? request.kernel_release + "\n" + request.build_tree : "";
    entry = request.cache_dir + "/headers/" +
            hex64(hash_bytes(fmt::format("{}\n{}\n{}", source, kernel, file_stamp("gcc"))));
    if (auto kept = find_kept(entry)) return *kept;
  }
  try {
    CompiledHeaders compiled = compile(request, source);
    if (!entry.empty() && keep(compiled, entry)) compiled.object = entry + ".o";
    return compiled;
  } catch (const FatalError &e) {  // the script may have another way to the type
    return Failure{compiler_errors(e.message)};
  }
}
