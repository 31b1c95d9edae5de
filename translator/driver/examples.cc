// SPDX-License-Identifier: GPL-2.0-or-later
// The example library: TOPIC/NAME.stp with its description, TOPIC/NAME.meta (examples/README.md says what that is).
#include "driver/examples.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <sstream>

#include "base/diag.h"
#include "base/files.h"
#include "base/options.h"
#include "base/paths.h"

namespace fs = std::filesystem;

namespace {

struct Example {
  std::string topic, name, path;
};

// The values of TOPIC/NAME.meta by their keys. Its lines are `key: value`; those that begin with two spaces continue
// the value above.
std::map<std::string, std::string> read_description(const Example &e) {
  std::map<std::string, std::string> description;
  std::istringstream lines(read_file(fs::path(e.path).replace_extension("meta")).value_or(""));
  std::string *value = nullptr;
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(':');
    if (line.starts_with("  ") && value) {
      *value += (value->empty() ? "" : "\n") + line.substr(2);
    } else if (colon != std::string::npos) {
      value = &description[line.substr(0, colon)];
      *value = line.substr(std::min(line.find_first_not_of(' ', colon + 1), line.size()));
    }
  }
  return description;
}

std::vector<Example> find_examples() {
  std::vector<Example> examples;
  for (const std::string &file : list_files(paths().examples_dir)) {
    const fs::path path(file);
    if (path.extension() != ".stp") continue;
    examples.push_back({path.parent_path(), path.stem(), paths().examples_dir + "/" + file});
  }
  return examples;
}

// `word` may have the topic before the name and the suffix behind it.
bool has_name(const Example &e, const std::string &word) {
  return word == e.name || word == e.name + ".stp" || word == e.topic + "/" + e.name ||
         word == e.topic + "/" + e.name + ".stp";
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

const Example *find_example(const std::vector<Example> &examples, const std::vector<std::string> &words) {
  if (words.empty()) return nullptr;
  auto found = std::find_if(examples.begin(), examples.end(), [&](auto &e) { return has_name(e, words[0]); });
  return found == examples.end() ? nullptr : &*found;
}

[[noreturn]] void not_found(const std::vector<Example> &examples, const std::string &word) {
  std::vector<std::string> names;
  for (const Example &e : examples) names.push_back(e.name);
  const std::string near = nearest_name(word, names);
  throw FatalError{"no-such-example",
                   fmt::format("no example is named '{}', or described with that", word),
                   {near.empty() ? "stap --example lists them all" : fmt::format("did you mean '{}'?", near)}};
}

}  // namespace

std::string list_examples(const std::vector<std::string> &words) {
  const std::vector<Example> examples = find_examples();
  size_t width = 0;
  std::string text, joined;
  for (const Example &e : examples) width = std::max(width, e.name.size());
  for (const std::string &word : words) joined += (joined.empty() ? "" : " ") + word;
  for (const Example &e : examples) {
    std::map<std::string, std::string> description = read_description(e);
    const std::string about = lower(e.name + "\n" + description["title"] + "\n" + description["keywords"]);
    if (std::all_of(words.begin(), words.end(), [&](auto &w) { return about.find(lower(w)) != std::string::npos; }))
      text += fmt::format("{:{}}  {:12}  {}\n", e.name, width, e.topic, description["title"]);
  }
  if (text.empty()) not_found(examples, joined);
  return text;
}

std::string show_example(const Options &o) {
  const std::vector<Example> examples = find_examples();
  const Example *e = find_example(examples, o.script_args);
  if (!e) not_found(examples, o.script_args.empty() ? "" : o.script_args[0]);
  const Result<std::string> script = read_file(e->path);
  if (!script) throw FatalError{"cannot-read", "an example can't be read: " + script.reason(), {}};
  std::string text = *script;
  const std::map<std::string, std::string> description = read_description(*e);
  for (const char *key : {"title", "shows", "run", "output"}) {
    const auto value = description.find(key);
    if (value == description.end()) continue;
    text += fmt::format("\n// {}:\n", key);
    // The command of the description is for whoever has the source.
    const std::string as_file = fmt::format("examples/{}/{}.stp", e->topic, e->name);
    std::string described = value->second;
    if (const size_t at = described.find(as_file); at != std::string::npos)
      described.replace(at, as_file.size(), "--example " + e->name);
    std::istringstream lines(described);
    for (std::string line; std::getline(lines, line);) text += line.empty() ? "//\n" : "//   " + line + "\n";
  }
  return text;
}

bool choose_example(Options &o) {
  const std::vector<Example> examples = find_examples();
  const Example *e = find_example(examples, o.script_args);
  if (!e) return false;
  o.script_file = e->path;
  std::istringstream limits(read_description(*e)["limits"]);
  for (std::string limit; limits >> limit;) {
    const size_t equals = limit.find('=');
    if (equals != std::string::npos) o.defines.emplace(limit.substr(0, equals), limit.substr(equals + 1));
  }
  o.script_args.erase(o.script_args.begin());
  return true;
}
