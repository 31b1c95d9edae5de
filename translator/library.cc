// SPDX-License-Identifier: GPL-2.0-or-later
// Finds tapset files, learns which names each defines from a quick scan, and parses a file when a name of it is needed.
#include "library.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "library_scan.h"
#include "match.h"
#include "paths.h"
#include "preprocess.h"
#include "session.h"

namespace fs = std::filesystem;

namespace {

struct TapsetFile {
  std::string path;
  bool privileged = false;
  bool is_macros = false;   // .stpm
  SourceFile *source = nullptr;
  ScriptFile *parsed = nullptr;
  bool parsing_done = false;
  bool used = false;
};

std::string read_file(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

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
    if (extension == ".stp" || extension == ".stpm") entries.push_back(entry.path());
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
    for (const std::string &folder : version_folders(s.kernel_release, s.arch))
      add_folder(folder.empty() ? dir : dir + "/" + folder, seen, files);
  }
  return files;
}

struct Library::Impl {
  Session &s;
  std::vector<std::unique_ptr<TapsetFile>> files;
  std::multimap<std::string, TapsetFile *> functions, globals;
  std::vector<std::pair<std::string, TapsetFile *>> aliases;  // by dotted name, in file order
  std::map<const SourceFile *, TapsetFile *> by_source;
  std::map<std::string, MacroDecl> macros;
  bool macros_loaded = false;

  explicit Impl(Session &session) : s(session) {
    for (const std::string &path : tapset_files(s)) {
      auto file = std::make_unique<TapsetFile>();
      file->path = path;
      file->privileged = true;  // -I directories too: "each processed in guru mode"
      file->is_macros = path.ends_with(".stpm");
      scan(file.get());
      files.push_back(std::move(file));
    }
  }

  void scan(TapsetFile *f) {
    std::string text = read_file(f->path);
    f->source = s.add_source(f->path, text);
    f->source->is_tapset = true;
    f->source->privileged = f->privileged;
    by_source[f->source] = f;
    if (f->is_macros) return;
    for (const ScannedName &n : scan_names(f->source->text)) {
      if (n.is_private) continue;
      if (n.kind == ScannedName::Function) functions.emplace(n.name, f);
      if (n.kind == ScannedName::Global) globals.emplace(n.name, f);
      if (n.kind == ScannedName::Alias) aliases.emplace_back(n.name, f);
    }
  }

  ScriptFile *parse(TapsetFile *f) {
    if (f->parsing_done) return f->parsed;
    f->parsing_done = true;
    f->parsed = parse_script(s, f->source);
    return f->parsed;
  }

  void use(TapsetFile *f) {
    if (f->used || !f->parsed) return;
    f->used = true;
    s.used_library_files.push_back(f->parsed);
  }

  void load_macros() {
    if (macros_loaded) return;
    macros_loaded = true;
    for (auto &f : files) {
      if (f->is_macros) parse_macro_file(s, f->source, macros);
    }
  }
};

Library::Library(Session &s) : impl_(std::make_unique<Impl>(s)) {}
Library::~Library() = default;

std::vector<FunctionDecl *> Library::functions(const std::string &name) {
  std::vector<FunctionDecl *> found;
  auto [begin, end] = impl_->functions.equal_range(name);
  std::set<TapsetFile *> seen;
  for (auto it = begin; it != end; ++it) {
    if (!seen.insert(it->second).second) continue;
    ScriptFile *file = impl_->parse(it->second);
    if (!file) continue;
    for (FunctionDecl *f : file->functions) {
      if (f->name != name || f->is_private) continue;
      impl_->use(it->second);
      found.push_back(f);
    }
  }
  return found;
}

VarDecl *Library::global(const std::string &name) {
  auto [begin, end] = impl_->globals.equal_range(name);
  for (auto it = begin; it != end; ++it) {
    ScriptFile *file = impl_->parse(it->second);
    if (!file) continue;
    for (VarDecl *g : file->globals) {
      if (g->name != name || g->is_private) continue;
      impl_->use(it->second);
      return g;
    }
  }
  return nullptr;
}

std::vector<ProbeDecl *> Library::aliases(const std::string &first) {
  std::vector<ProbeDecl *> found;
  std::set<ProbeDecl *> seen;
  for (auto &[dotted, tapset] : impl_->aliases) {
    if (!wildcard_match(first, dotted.substr(0, dotted.find('.')))) continue;
    ScriptFile *file = impl_->parse(tapset);
    if (!file) continue;
    for (ProbeDecl *alias : file->aliases)
      for (ProbePoint *name : alias->alias_names)
        if (!alias->is_private && wildcard_match(first, name->components[0].name) && seen.insert(alias).second)
          found.push_back(alias);
  }
  return found;
}

void Library::use(const ProbeDecl *alias) {
  Place p = alias->place;
  while (p.expanded_from) p = *p.expanded_from;
  auto it = impl_->by_source.find(p.file);
  if (it != impl_->by_source.end()) impl_->use(it->second);
}

const MacroDecl *Library::macro(const std::string &name) {
  impl_->load_macros();
  auto it = impl_->macros.find(name);
  return it == impl_->macros.end() ? nullptr : &it->second;
}

std::vector<std::string> Library::function_names() {
  std::vector<std::string> names;
  for (auto &[name, file] : impl_->functions)
    if (names.empty() || names.back() != name) names.push_back(name);
  return names;
}

std::vector<std::string> Library::alias_names() {
  std::vector<std::string> names;
  for (auto &[dotted, file] : impl_->aliases) names.push_back(dotted);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}
