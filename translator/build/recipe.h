// SPDX-License-Identifier: GPL-2.0-or-later
// How kbuild makes a module on one kernel build tree, read from the .cmd files it leaves and replayed for each script.
//
// A kbuild run costs more than a second; the commands it ends up running cost fifty milliseconds. So kbuild compiles
// the runtime with a template script once, and every later script is compiled by the template's own commands
// with the names exchanged. Nothing about flags is known here: what kbuild did is what is done.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

// Raised when the recording or the cached files' layout changes: older cache entries are then never looked at.
constexpr int recipe_version = 1;

using Command = std::vector<std::string>;

// In commands these stand for the script's files.
inline const std::string recipe_in = "@IN@", recipe_out = "@OUT@";

struct Recipe {
  std::string directory;                   // where the commands run: the kernel build tree
  Command compile;                         // header-free C @IN@ -> object @OUT@
  Command check_object;                    // objtool on @OUT@, or empty
  Command link_objects;                    // ld -r -o @OUT@, objects follow
  Command check_module;                    // objtool on the linked @OUT@ (IBT and LTO kernels), or empty
  Command link_module;                     // ld -r -T module.lds -o @OUT@, objects follow
  std::vector<std::string> extra_objects;  // linked into every module besides its own, file names in the cache
  std::set<std::string> kernel_symbols;    // undefined symbols the modpost output covers
  std::string compiler_stamp;              // path, size and time of the compiler; a change makes the recipe stale
};

// Shell words of a command as kbuild saves it, cut at ; and &&. For tests too.
std::vector<Command> split_shell(const std::string &text);
// The saved command in a .cmd file ("cmd_x := ..." or "savedcmd_x := ..."), make's escapes undone; "" when none.
std::string saved_command(const std::string &cmd_file_text);

// Reads what a kbuild run of module `name` in `work` left. Throws FatalError when it is not understood.
Recipe record_recipe(const std::string &build_tree, const std::string &work, const std::string &name);

std::string write_recipe(const Recipe &recipe);
// Nothing when the text is no recipe.
std::optional<Recipe> read_recipe(const std::string &text);

// Identity of a file (or of a program in PATH): changes when it is replaced.
std::string file_stamp(const std::string &path);

// The command with file names put in.
Command fill_in(const Command &command, const std::string &in, const std::string &out);
