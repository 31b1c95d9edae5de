// SPDX-License-Identifier: GPL-2.0-or-later
// Types that headers declare: a C file that includes them is compiled with debugging information, and the object is
// kept in the cache.
#include "base/paths.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/dwarf_module.h"
#include "debuginfo/headers.h"

namespace {

// "<a.h> <b.h>" to {"a.h", "b.h"}; false for anything else.
bool split_headers(const std::string &list, std::vector<std::string> &headers) {
  for (size_t at = 0; at < list.size();) {
    if (list[at] == ' ') {
      at++;
      continue;
    }
    size_t end = list.find('>', at);
    if (list[at] != '<' || end == list.npos || end == at + 1) return false;
    headers.push_back(list.substr(at + 1, end - at - 1));
    // The name goes into an #include line, which it must not be able to end.
    if (headers.back().find_first_of("\n\"<\\") != std::string::npos) return false;
    at = end + 1;
  }
  return !headers.empty();
}

}  // namespace

Result<DebugModule *> DebugInfoSet::headers(const std::string &list) {
  auto known = headers_.find(list);
  if (known == headers_.end()) known = headers_.emplace(list, open_headers(list)).first;
  if (!known->second) return known->second.failure();
  return known->second->get();
}

Result<std::unique_ptr<DebugModule>> DebugInfoSet::open_headers(const std::string &list) {
  if (!session_.compile_headers) return Failure{"headers are not compiled here"};  // the fuzzer starts no compiler
  HeaderRequest request;
  request.for_kernel = list.starts_with("kernel<");
  if (!split_headers(request.for_kernel ? list.substr(6) : list, request.headers))
    return Failure{"write \"<header.h>\", or \"kernel<header.h>\" for one of the kernel's"};
  request.kernel_release = session_.kernel_release;
  request.build_tree = session_.build_tree;
  request.cache_dir = session_.options.disable_cache ? "" : own_cache_directory();
  request.verbose = session_.options.verbose;
  const Result<CompiledHeaders> compiled = session_.compile_headers(request);
  if (!compiled) return compiled.failure();
  for (const std::string &file : compiled->read) session_.looked_at.insert(file);
  // The object was compiled like those of a module or those of a program, and is opened as such.
  TargetBinary object;
  object.kind = request.for_kernel ? TargetBinary::Kind::Module : TargetBinary::Kind::File;
  object.name = object.path = compiled->object;
  auto module = DwarfModule::open(object);
  if (!module) return module.failure();
  return std::move(*module);
}
