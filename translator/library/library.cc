// SPDX-License-Identifier: GPL-2.0-or-later
// Finds the tapset files, and parses a file when a name that it defines is needed. library_index knows which file that
// is.
#include "library/library.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "arch/arch.h"
#include "base/files.h"
#include "base/glob.h"
#include "base/paths.h"
#include "base/session.h"
#include "library/library_index.h"
#include "library/syscall_table.h"
#include "syntax/parse.h"
#include "syntax/preprocess.h"

namespace fs = std::filesystem;

namespace {

struct TapsetFile {
  SourceFile *source = nullptr;
  ScriptFile *parsed = nullptr;
  bool parsing_done = false;
  bool used = false;
  std::unique_ptr<SyscallTable> table;  // of a table of system calls
  std::vector<ScriptFile *> parts;      // what was made of it so far
};

// Folders below a search directory, most specific first, as stap(1) "PROCESSING" documents:
// 6.1.0-56-amd64 gives "6.1.0-56-amd64", "6.1.0", "6.1", and "" for the directory itself;
// each also with the architecture below it.
std::vector<std::string> version_folders(const std::string &release, const std::string &arch) {
  std::vector<std::string> versions;
  if (!release.empty()) {
    versions.push_back(release);
    std::string base = release.substr(0, release.find('-'));
    while (!base.empty()) {
      if (base != versions.back()) versions.push_back(base);
      size_t dot = base.rfind('.');
      if (dot == std::string::npos || base.find('.') == dot) break;
      base.resize(dot);
    }
  }
  versions.push_back("");
  std::vector<std::string> folders;
  for (const std::string &v : versions) {
    folders.push_back(v.empty() ? arch : v + "/" + arch);
    folders.push_back(v);
  }
  return folders;
}

// SYSTEMTAP_TAPSET is documented in stap(1).
std::string system_tapset_directory() {
  const char *dir = getenv("SYSTEMTAP_TAPSET");
  return dir ? dir : paths().tapset_dir;
}

void add_folder(const std::string &folder, std::set<std::string> &seen, std::vector<std::string> &files) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (const auto &entry : fs::directory_iterator(folder, error)) {
    std::string extension = entry.path().extension();
    if (extension == ".stp" || extension == ".stpm" || is_syscall_table(entry.path().native()))
      entries.push_back(entry.path());
  }
  std::sort(entries.begin(), entries.end());
  for (const fs::path &path : entries)
    if (seen.insert(path.filename()).second) files.push_back(path);
}

}  // namespace

std::vector<std::string> tapset_files(const Session &s) {
  std::vector<std::string> directories = s.options.include_dirs, files;
  directories.push_back(system_tapset_directory());
  for (const std::string &dir : directories) {
    std::set<std::string> seen;  // a file in a more specific folder hides one of the same name in a less specific one
    for (const std::string &folder : version_folders(s.kernel_release, arch_of(s).name))
      add_folder(folder.empty() ? dir : dir + "/" + folder, seen, files);
  }
  return files;
}

struct Library::Impl {
  Session &s;
  LibraryIndex index;
  std::vector<TapsetFile> files;  // in the order of index.files()
  std::map<const SourceFile *, TapsetFile *> by_source;
  std::map<std::string, MacroDecl> macros;

  explicit Impl(Session &session)
      : s(session),
        index(tapset_files(s), s.options.disable_cache ? "" : own_cache_directory()),
        files(index.files().size()) {}

  // Reads the file unless it has been read before.
  const SourceFile *source(size_t number) {
    TapsetFile &f = files[number];
    if (f.source) return f.source;
    const std::string &path = index.files()[number];
    f.source = s.add_source(path, read_file(path).value_or(""));
    f.source->is_tapset = true;
    f.source->privileged = true;  // also of -I directories: stap(1) says that tapset files are processed in guru mode
    by_source[f.source] = &f;
    return f.source;
  }

  ScriptFile *parse(size_t number) {
    TapsetFile &f = files[number];
    if (!f.parsing_done) {
      f.parsing_done = true;
      f.parsed = parse_script(s, source(number));
    }
    return f.parsed;
  }

  // The aliases of a table of system calls that were made of it, and those that match now.
  const std::vector<ScriptFile *> &expand(size_t number, const std::string &first, const std::string &second) {
    TapsetFile &f = files[number];
    const std::string &path = index.files()[number];
    if (!f.table) f.table = std::make_unique<SyscallTable>(read_file(path).value_or(""));
    const std::string text = f.table->aliases(first, second);
    if (!text.empty()) {
      SourceFile *made = s.add_source(path, text);
      made->is_tapset = made->privileged = true;
      if (ScriptFile *parsed = parse_script(s, made)) f.parts.push_back(parsed);
    }
    return f.parts;
  }

  // The files to look for aliases in.
  std::vector<ScriptFile *> parts_of(size_t number, const std::string &first, const std::string &second) {
    if (is_syscall_table(index.files()[number])) return expand(number, first, second);
    ScriptFile *file = parse(number);
    return file ? std::vector<ScriptFile *>{file} : std::vector<ScriptFile *>{};
  }

  void use(TapsetFile &f) {
    if (f.used || !f.parsed) return;
    f.used = true;
    s.used_library_files.push_back(f.parsed);
  }

  void load_macro(const std::string &name) {
    for (size_t number : index.defining(ScannedName::Macro, name)) {
      if (files[number].parsing_done) continue;
      files[number].parsing_done = true;
      parse_macro_file(s, source(number), macros);
    }
  }
};

void open_library(Session &s) {
  if (s.library) return;
  s.library = std::make_shared<Library>(s);
  s.macros = s.library.get();
}

Library::Library(Session &s) : impl_(std::make_unique<Impl>(s)) {}
Library::~Library() = default;

std::vector<FunctionDecl *> Library::functions(const std::string &name) {
  std::vector<FunctionDecl *> found;
  for (size_t number : impl_->index.defining(ScannedName::Function, name)) {
    ScriptFile *file = impl_->parse(number);
    if (!file) continue;
    for (FunctionDecl *f : file->functions) {
      if (f->name != name || f->is_private) continue;
      impl_->use(impl_->files[number]);
      found.push_back(f);
    }
  }
  return found;
}

VarDecl *Library::global(const std::string &name) {
  for (size_t number : impl_->index.defining(ScannedName::Global, name)) {
    ScriptFile *file = impl_->parse(number);
    if (!file) continue;
    for (VarDecl *g : file->globals) {
      if (g->name != name || g->is_private) continue;
      impl_->use(impl_->files[number]);
      return g;
    }
  }
  return nullptr;
}

std::vector<ProbeDecl *> Library::aliases(const std::string &first, const std::string &second) {
  std::vector<ProbeDecl *> found;
  std::set<ProbeDecl *> seen;
  for (size_t number : impl_->index.aliases(first))
    for (const ScriptFile *file : impl_->parts_of(number, first, second))
      for (ProbeDecl *alias : file->aliases)
        for (ProbePoint *name : alias->alias_names)
          if (!alias->is_private && wildcard_match(first, name->components[0].name) && seen.insert(alias).second)
            found.push_back(alias);
  return found;
}

void Library::use(const ProbeDecl *alias) {
  Place p = alias->place;
  while (p.expanded_from) p = *p.expanded_from;
  auto it = impl_->by_source.find(p.file);
  if (it != impl_->by_source.end()) impl_->use(*it->second);
}

const MacroDecl *Library::macro(const std::string &name) {
  impl_->load_macro(name);
  auto it = impl_->macros.find(name);
  return it == impl_->macros.end() ? nullptr : &it->second;
}

std::vector<std::string> Library::function_names() { return impl_->index.names(ScannedName::Function); }

std::vector<std::string> Library::alias_names() { return impl_->index.names(ScannedName::Alias); }

std::vector<std::string> Library::macro_names() { return impl_->index.names(ScannedName::Macro); }

size_t Library::file_count() const { return impl_->files.size(); }

size_t Library::files_read() const {
  return std::max<size_t>(impl_->index.scanned(), std::count_if(impl_->files.begin(), impl_->files.end(),
                                                                [](const TapsetFile &f) { return f.source; }));
}
