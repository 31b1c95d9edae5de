// SPDX-License-Identifier: GPL-2.0-or-later
// Compiled scripts kept for the next time: entries, found and written.
#include "build/script_cache.h"

#include "base/files.h"
#include "build/recipe.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

// Raised when the meta file's layout changes.
static constexpr const char *meta_magic = "stap script cache 1\n";

ScriptCache::ScriptCache(std::string directory, std::string inputs, std::string suffix)
    : directory_(std::move(directory)),
      inputs_(std::move(inputs)),
      suffix_(std::move(suffix)),
      name_("stap_" + hex64(hash_bytes(inputs_))) {
  directory_ += "/scripts/" + name_.substr(5, 2);
}

// "NAME LENGTH\nBYTES\n"
static std::string block(const std::string &name, const std::string &bytes) {
  return fmt::format("{} {}\n{}\n", name, bytes.size(), bytes);
}

// Takes a block off the front of `text`. False when it does not start with one of that name.
static bool take_block(std::string_view &text, const std::string &name, std::string &bytes) {
  if (!text.starts_with(name + " ")) return false;
  size_t line = text.find('\n');
  if (line == text.npos) return false;
  size_t size = strtoull(text.data() + name.size() + 1, nullptr, 10);
  if (size > text.size() - line - 1 || text.size() - line - 1 - size < 1 || text[line + 1 + size] != '\n') return false;
  bytes = text.substr(line + 1, size);
  text.remove_prefix(line + 2 + size);
  return true;
}

static std::string object_line(const std::string &bytes) {
  return std::to_string(bytes.size()) + " " + hex64(hash_bytes(bytes));
}

// "PATH\tSTAMP\n" for each. A file that is not there has a stamp too, which changes when the file comes.
static std::string stamps(const std::set<std::string> &files) {
  std::string text;
  for (const std::string &file : files) text += file + "\t" + file_stamp(file) + "\n";
  return text;
}

static bool stamps_hold(const std::string &text) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    size_t tab = line.find('\t');
    if (tab == line.npos || file_stamp(line.substr(0, tab)) != line.substr(tab + 1)) return false;
  }
  return true;
}

std::optional<CachedScript> ScriptCache::find() const {
  const std::string path = directory_ + "/" + name_, text = read_file(path + ".meta").value_or("");
  std::string inputs, files, messages, object;
  if (!text.starts_with(meta_magic)) return std::nullopt;
  std::string_view rest = std::string_view(text).substr(std::string_view(meta_magic).size());
  if (!take_block(rest, "inputs", inputs) || !take_block(rest, "files", files) ||
      !take_block(rest, "messages", messages) || !take_block(rest, "object", object) || !rest.empty())
    return std::nullopt;
  if (inputs != inputs_ || !stamps_hold(files)) return std::nullopt;
  if (object_line(read_file(path + suffix_).value_or("")) != object) return std::nullopt;
  utimensat(AT_FDCWD, (path + ".meta").c_str(), nullptr, 0);  // in use: the last to be cleaned away
  return CachedScript{path + suffix_, messages};
}

Result<CachedScript> ScriptCache::keep(const std::string &object, const std::string &code,
                                       const std::set<std::string> &files, const std::string &messages) const {
  const std::string path = directory_ + "/" + name_;
  const Result<std::string> bytes = read_file(object);
  if (!bytes) return bytes.failure();
  const std::string meta = meta_magic + block("inputs", inputs_) + block("files", stamps(files)) +
                           block("messages", messages) + block("object", object_line(*bytes));
  Result<void> written = make_directories(directory_);
  for (const auto &[suffix, content] : {std::pair(suffix_, *bytes), {".c", code}, {".meta", meta}})
    if (written) written = write_file(path + suffix, content);
  if (!written) return written.failure();
  return CachedScript{path + suffix_, messages};
}
