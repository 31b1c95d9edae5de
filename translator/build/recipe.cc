// SPDX-License-Identifier: GPL-2.0-or-later
// How kbuild makes a module on one kernel build tree, read from the .cmd files it leaves and replayed for each script.
#include "build/recipe.h"

#include "base/files.h"
#include "build/build_error.h"
#include "build/module_image.h"
#include "build/run.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <sstream>
#include <unistd.h>

namespace fs = std::filesystem;

std::string saved_command(const std::string &text) {
  size_t line_end = std::min(text.find('\n'), text.size());
  size_t assign = text.find(":=");
  if (assign == std::string::npos || assign > line_end) return "";
  std::string command;
  for (size_t i = assign + 2; i < line_end; i++) {
    if (text[i] == '$' && i + 1 < line_end && text[i + 1] == '$') i++;  // make's $$
    else if (text.compare(i, 8, "$(pound)") == 0) {
      command += '#';
      i += 7;
      continue;
    } else if (text[i] == '\\' && i + 1 < line_end && text[i + 1] == '#') i++;
    command += text[i];
  }
  return command;
}

std::vector<Command> split_shell(const std::string &text) {
  std::vector<Command> commands(1);
  std::string word;
  bool in_word = false;
  auto end_word = [&] {
    if (in_word) commands.back().push_back(word);
    word.clear();
    in_word = false;
  };
  for (size_t i = 0; i < text.size(); i++) {
    char c = text[i];
    if (c == '\'' || c == '"') {
      in_word = true;
      for (i++; i < text.size() && text[i] != c; i++) {
        if (c == '"' && text[i] == '\\' && i + 1 < text.size()) i++;
        word += text[i];
      }
    } else if (c == '\\' && i + 1 < text.size()) {
      in_word = true;
      word += text[++i];
    } else if (c == ' ' || c == '\t') {
      end_word();
    } else if (c == ';' || c == '\n' || (c == '&' && i + 1 < text.size() && text[i + 1] == '&')) {
      i += c == '&';
      end_word();
      if (!commands.back().empty()) commands.emplace_back();
    } else {
      in_word = true;
      word += c;
    }
  }
  end_word();
  if (commands.back().empty()) commands.pop_back();
  return commands;
}

static std::string base_name(const std::string &path) { return path.substr(path.rfind('/') + 1); }

// Relative paths that exist from where kbuild ran are made absolute: commands then work from anywhere.
static void make_absolute(Command &command, const std::string &directory) {
  for (size_t i = 0; i < command.size(); i++) {
    std::string &word = command[i];
    if (i == 0) {
      if (word.find('/') == std::string::npos) word = find_program(word).empty() ? word : find_program(word);
      else if (word[0] != '/') word = fs::path(directory + "/" + word).lexically_normal();
    } else if (word[0] != '-' && word[0] != '/' && word[0] != '@' && word.find('/') != std::string::npos &&
               fs::exists(directory + "/" + word)) {
      word = fs::path(directory + "/" + word).lexically_normal();
    }
  }
}

// What header-free C does not need, and what belongs to the template alone.
static Command bare_flags(const Command &full) {
  static const char *const with_argument[] = {"-I", "-include", "-isystem", "-idirafter", "-iquote"};
  Command bare;
  for (size_t i = 0; i < full.size(); i++) {
    const std::string &word = full[i];
    bool dropped = false;
    for (const char *option : with_argument)
      if (word == option) {
        i++;
        dropped = true;
      }
    dropped |= word.rfind("-I", 0) == 0 || word.rfind("-Wp,-M", 0) == 0 || word.rfind("-DKBUILD_", 0) == 0 ||
               word.rfind("-D__KBUILD_", 0) == 0 || word.rfind("-g", 0) == 0 ||
               word.rfind("-fmacro-prefix-map", 0) == 0 || word.rfind("-fplugin", 0) == 0;
    if (!dropped) bare.push_back(word);
  }
  return bare;
}

static void replace_word(Command &command, const std::string &what, const std::string &with) {
  for (std::string &word : command)
    if (word == what) word = with;
}

// Makes the words that name `file` (kbuild uses absolute or relative ones) a placeholder.
static void replace_file(Command &command, const std::string &work, const std::string &file, const std::string &with) {
  replace_word(command, work + "/" + file, with);
  replace_word(command, file, with);
  replace_word(command, "./" + file, with);
}

static bool is_objtool(const Command &command) { return base_name(command[0]) == "objtool"; }

// The commands in the .cmd file of an object; there is at least one.
static std::vector<Command> read_commands(const std::string &work, const std::string &object) {
  fs::path path = fs::path(work) / object;
  std::string file = path.parent_path() / fmt::format(".{}.cmd", path.filename().string());
  std::vector<Command> commands = split_shell(saved_command(need(read_file(file))));
  if (commands.empty())
    throw build_error("kbuild-failed", file + ": no saved command: this kernel's makefiles are not understood");
  return commands;
}

static void record_compile(const std::string &work, const std::string &where, Recipe &recipe) {
  for (Command &command : read_commands(work, "script.o")) {
    replace_file(command, work, "script.c", recipe_in);
    replace_file(command, work, "script.o", recipe_out);
    make_absolute(command, where);
    if (is_objtool(command)) recipe.check_object = command;
    else if (recipe.compile.empty() && std::find(command.begin(), command.end(), "-c") != command.end())
      recipe.compile = bare_flags(command);
  }
  if (recipe.compile.empty())
    throw build_error("kbuild-failed", "the compile command of the runtime is not in .script.o.cmd");
  recipe.compiler_stamp = file_stamp(recipe.compile[0]);
}

// The linker's command without the template's files. `objects`, unless null, gets the names of its object files.
static Command link_command(const Command &command, const std::string &work, const std::string &output,
                            std::vector<std::string> *objects) {
  Command link;
  for (size_t i = 0; i < command.size(); i++) {
    const std::string &word = command[i];
    std::string local = word.rfind(work + "/", 0) == 0 ? word.substr(work.size() + 1) : word;
    if (word == "-o" && i + 1 < command.size()) {
      link.insert(link.end(), {"-o", recipe_out});
      i++;
    } else if (local[0] == '@') {
      continue;  // the list of the template's objects
    } else if (local != output && local.size() > 2 && local.compare(local.size() - 2, 2, ".o") == 0) {
      if (objects) objects->push_back(local);
    } else {
      link.push_back(word);
    }
  }
  return link;
}

static void record_links(const std::string &work, const std::string &name, const std::string &where, Recipe &recipe) {
  for (Command &command : read_commands(work, name + ".o")) {
    make_absolute(command, where);
    if (is_objtool(command)) {
      replace_file(command, work, name + ".o", recipe_out);
      recipe.check_module = command;
    } else if (recipe.link_objects.empty()) {
      recipe.link_objects = link_command(command, work, name + ".o", nullptr);
    }
  }
  std::vector<std::string> objects;
  Command link = read_commands(work, name + ".ko")[0];
  make_absolute(link, where);
  recipe.link_module = link_command(link, work, name + ".ko", &objects);
  for (const std::string &object : objects)
    if (object != name + ".o" && object != name + ".mod.o") recipe.extra_objects.push_back(object);
}

Recipe record_recipe(const std::string &build_tree, const std::string &work, const std::string &name) {
  // Since 6.13 kbuild works in the module's directory; before, in the build tree, with absolute names.
  const Command first = read_commands(work, "script.o")[0];
  const bool in_work = std::find(first.begin(), first.end(), "script.o") != first.end();
  const std::string where = in_work ? work : build_tree;
  Recipe recipe;
  recipe.directory = build_tree;
  record_compile(work, where, recipe);
  record_links(work, name, where, recipe);
  auto symbols = undefined_symbols(need(read_file(work + "/" + name + ".ko")));
  if (!symbols) throw build_error("kbuild-failed", name + ".ko: not an ELF object");
  recipe.kernel_symbols = std::move(*symbols);
  return recipe;
}

// --- the cached form: "[section]", then one word a line ---

static void write_section(std::string &text, const char *name, const std::vector<std::string> &words) {
  text += std::string("[") + name + "]\n";
  for (const std::string &word : words) text += word + "\n";
}

std::string write_recipe(const Recipe &r) {
  std::string text;
  write_section(text, "directory", {r.directory});
  write_section(text, "compiler", {r.compiler_stamp});
  write_section(text, "compile", r.compile);
  write_section(text, "check-object", r.check_object);
  write_section(text, "link-objects", r.link_objects);
  write_section(text, "check-module", r.check_module);
  write_section(text, "link-module", r.link_module);
  write_section(text, "extra-objects", r.extra_objects);
  write_section(text, "kernel-symbols", {r.kernel_symbols.begin(), r.kernel_symbols.end()});
  return text;
}

std::optional<Recipe> read_recipe(const std::string &text) {
  Recipe r;
  std::vector<std::string> directory, compiler, symbols, *words = nullptr;
  const std::pair<const char *, std::vector<std::string> *> sections[] = {
      {"[directory]", &directory},         {"[compiler]", &compiler},
      {"[compile]", &r.compile},           {"[check-object]", &r.check_object},
      {"[link-objects]", &r.link_objects}, {"[check-module]", &r.check_module},
      {"[link-module]", &r.link_module},   {"[extra-objects]", &r.extra_objects},
      {"[kernel-symbols]", &symbols}};
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    bool header = false;
    for (auto &[name, list] : sections)
      if (line == name) {
        words = list;
        header = true;
      }
    if (!header && !words) return std::nullopt;
    if (!header) words->push_back(line);
  }
  if (directory.size() != 1 || compiler.size() != 1 || r.compile.empty() || r.link_module.empty()) return std::nullopt;
  r.directory = directory[0];
  r.compiler_stamp = compiler[0];
  r.kernel_symbols.insert(symbols.begin(), symbols.end());
  return r;
}

std::string file_stamp(const std::string &path) {
  const std::string found = path.find('/') == std::string::npos ? find_program(path) : path, stamp = stat_stamp(found);
  return stamp.empty() ? path + " missing" : found + " " + stamp;
}

Command fill_in(const Command &command, const std::string &in, const std::string &out) {
  Command filled = command;
  replace_word(filled, recipe_in, in);
  replace_word(filled, recipe_out, out);
  return filled;
}
