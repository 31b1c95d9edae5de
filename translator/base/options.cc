// SPDX-License-Identifier: GPL-2.0-or-later
// The command line, read with getopt_long.
#include "base/options.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <getopt.h>
#include <unistd.h>

#include "base/diag.h"

namespace {

// clang-format off
enum LongOnly {
  VmOption = 1000, VmRunOption, RuntimeOption, ColorOption, DisableCacheOption, PoisonCacheOption, CleanCacheOption,
  PrepareOption, PassVerbosityOption, TmpdirOption, NoGlobalDisplayOption, CompatibleOption, CheckVersionOption,
  DumpTypesOption, DumpAliasesOption, DumpFunctionsOption, SkipBadvarsOption, SuppressErrorsOption,
  SuppressLimitsOption, LibrariesOption, AllModulesOption, FormatOption, HelpTapsetOption, ExampleOption, ShowOption,
  Documented
};

const option long_options[] = {
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, 'V'},
    {"vm", optional_argument, nullptr, VmOption},
    {"vm-run", required_argument, nullptr, VmRunOption},
    {"runtime", required_argument, nullptr, RuntimeOption},
    {"color", optional_argument, nullptr, ColorOption},
    {"colour", optional_argument, nullptr, ColorOption},
    {"disable-cache", no_argument, nullptr, DisableCacheOption},
    {"poison-cache", no_argument, nullptr, PoisonCacheOption},
    {"clean-cache", no_argument, nullptr, CleanCacheOption},
    {"prepare", optional_argument, nullptr, PrepareOption},
    {"vp", required_argument, nullptr, PassVerbosityOption},
    {"tmpdir", required_argument, nullptr, TmpdirOption},
    {"no-global-var-display", no_argument, nullptr, NoGlobalDisplayOption},
    {"compatible", required_argument, nullptr, CompatibleOption},
    {"check-version", no_argument, nullptr, CheckVersionOption},
    {"dump-probe-types", no_argument, nullptr, DumpTypesOption},
    {"dump-probe-aliases", no_argument, nullptr, DumpAliasesOption},
    {"dump-functions", no_argument, nullptr, DumpFunctionsOption},
    {"skip-badvars", no_argument, nullptr, SkipBadvarsOption},
    {"suppress-handler-errors", no_argument, nullptr, SuppressErrorsOption},
    {"suppress-time-limits", no_argument, nullptr, SuppressLimitsOption},
    {"help-tapset", no_argument, nullptr, HelpTapsetOption},
    {"example", no_argument, nullptr, ExampleOption},
    {"show", no_argument, nullptr, ShowOption},
    {"format", required_argument, nullptr, FormatOption},
    {"ldd", no_argument, nullptr, LibrariesOption},
    {"all-modules", no_argument, nullptr, AllModulesOption},
    // Options that the SystemTap manual documents and stap does not have yet. The error says so.
#define LATER(name) {name, optional_argument, nullptr, Documented}
    LATER("bpf"), LATER("build-as"), LATER("debug"), LATER("download-debuginfo"),
    LATER("dyninst"), LATER("interactive"), LATER("language-server"),
    LATER("list-servers"), LATER("modinfo"), LATER("monitor"), LATER("privilege"), LATER("prologue-searching"),
    LATER("remote"), LATER("remote-prefix"), LATER("rlimit-as"), LATER("rlimit-cpu"), LATER("rlimit-fsize"),
    LATER("rlimit-nproc"), LATER("rlimit-stack"), LATER("save-uprobes"), LATER("semantic-keep-going"),
    LATER("sign-module"), LATER("sysenv"), LATER("sysroot"), LATER("target-namespaces"), LATER("trust-servers"),
    LATER("unprivileged"), LATER("use-server"), LATER("use-server-on-error"),
#undef LATER
    {nullptr, 0, nullptr, 0}};
// clang-format on

// The `+` makes getopt leave the words in their order, the `:` makes it leave the report of a missing value to us.
constexpr const char *short_options =
    "+:hVp:vkguwWtI:D:G:r:m:s:o:c:x:T:e:E:l:L:d:"
    "PbiB:a:R:FS:";

[[noreturn]] void fail(const char *id, const std::string &message, const std::string &hint = "") {
  throw FatalError{id, message, hint.empty() ? std::vector<std::string>{} : std::vector<std::string>{hint}};
}

// A whole number between low and high.
int64_t number(const std::string &option, const char *text, int64_t low, int64_t high) {
  char *end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text, &end, 10);
  if (errno || end == text || *end || value < low || value > high)
    fail("bad-option-value", fmt::format("{} takes a number from {} to {}, not '{}'", option, low, high, text));
  return value;
}

// Splits NAME=VALUE. Without a `=` the value is `otherwise`, and an error when that is null.
void assignment(const std::string &option, const std::string &text, const char *otherwise,
                std::map<std::string, std::string> &into) {
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (name.empty() ||
      name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$") != std::string::npos)
    fail("bad-option-value", fmt::format("{} takes NAME=VALUE, not '{}'", option, text));
  if (equals == std::string::npos && !otherwise)
    fail("bad-option-value", fmt::format("{} takes NAME=VALUE; '{}' has no value", option, text));
  into[name] = equals == std::string::npos ? otherwise : text.substr(equals + 1);
}

// The long options whose names begin with the word, or with what precedes the `=` in it.
std::vector<std::string> long_options_like(const std::string &word) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const option *o = long_options; o->name; o++)
    if (const std::string full = std::string("--") + o->name; full.compare(0, name.size(), name) == 0)
      names.push_back(full);
  return names;
}

[[noreturn]] void unknown_option(const std::string &word) {
  fail("unknown-option", fmt::format("no option is named '{}'", word.substr(0, word.find('='))), near_option(word));
}

[[noreturn]] void not_yet(const std::string &name) {
  fail("option-not-supported", fmt::format("option {} is not supported", name), only_in_manual);
}

void set_listing(Options &o, bool with_variables, const char *pattern) {
  if (o.list) fail("option-conflict", "only one -l or -L can be given");
  o.list = true;
  o.list_vars = with_variables;
  o.list_pattern = pattern;
}

void set_long(Options &o, int which, int index) {
  const std::string value = optarg ? optarg : "";
  switch (which) {
    case VmOption:
      o.vm = true;
      o.vm_release = value;
      return;
    case VmRunOption: o.vm_command = value; return;
    case RuntimeOption:
      o.runtime = find_runtime(value);
      if (!o.runtime) fail("bad-option-value", fmt::format("--runtime takes kernel or user, not '{}'", value));
      return;
    case ColorOption:
      o.color = optarg ? value : "always";
      if (o.color != "auto" && o.color != "always" && o.color != "never")
        fail("bad-option-value", fmt::format("--color takes auto, always or never, not '{}'", value));
      return;
    case DisableCacheOption: o.disable_cache = true; return;
    case PoisonCacheOption: o.poison_cache = true; return;
    case CleanCacheOption: o.clean_cache = true; return;
    case PrepareOption:
      o.prepare = true;
      if (optarg) o.release = value;
      return;
    case PassVerbosityOption:
      if (value.empty() || value.size() > 5 || value.find_first_not_of("0123456789") != std::string::npos)
        fail("bad-option-value", fmt::format("--vp takes up to 5 digits, one for each pass, not '{}'", value));
      o.pass_verbosity = value;
      return;
    case TmpdirOption: o.tmpdir = value; return;
    case NoGlobalDisplayOption: o.print_unread_globals = false; return;
    case CompatibleOption:
      if (value.empty() || value.find_first_not_of("0123456789.") != std::string::npos)
        fail("bad-option-value", fmt::format("--compatible takes a version such as 4.2, not '{}'", value));
      o.compatible = value;
      return;
    case CheckVersionOption: o.check_version = true; return;
    case DumpTypesOption: o.dump_probe_types = true; return;
    case DumpAliasesOption: o.dump_probe_aliases = true; return;
    case DumpFunctionsOption: o.dump_functions = true; return;
    case SkipBadvarsOption: o.skip_bad_variables = true; return;
    case SuppressErrorsOption: o.defines["STAP_SUPPRESS_HANDLER_ERRORS"] = "1"; return;
    case SuppressLimitsOption: o.suppress_time_limits = true; return;
    case FormatOption:
      if (value != "text" && value != "json" && value != "man")
        fail("bad-option-value", fmt::format("--format takes text, json or man, not '{}'", value));
      o.format = value;
      return;
    case HelpTapsetOption: o.help_tapset = true; return;
    case ExampleOption: o.example = true; return;
    case ShowOption: o.show_example = true; return;
    case LibrariesOption: o.with_libraries = true; return;
    case AllModulesOption: o.kept_symbols.push_back("kernel"); return;
    default: not_yet(std::string("--") + long_options[index].name);
  }
}

void check_module_name(const std::string &name) {
  constexpr size_t longest = 55;  // of a name in struct module on 64-bit kernels, without the NUL
  const bool letters =
      name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
  if (name.empty() || !letters || name.size() > longest)
    fail("bad-option-value", fmt::format("-m takes up to 55 letters, digits and '_', not '{}'", name));
}

// What -d names: a file by its real path, which mappings have too, or a module.
std::string symbol_file(const std::string &name) {
  if (name.empty() || (name.find('/') != std::string::npos && access(name.c_str(), R_OK)))
    fail("bad-option-value", fmt::format("-d takes a kernel module's name or the path of a program, not '{}'", name));
  return name.find('/') == std::string::npos ? name : std::filesystem::canonical(name).string();
}

void set_short(Options &o, int c) {
  switch (c) {
    case 'h': o.help = true; return;
    case 'V': o.version = true; return;
    case 'p': o.last_pass = static_cast<int>(number("-p", optarg, 1, 5)); return;
    case 'v': o.verbose++; return;
    case 'k': o.keep_tmpdir = true; return;
    case 'g': o.guru = true; return;
    case 'u': o.unoptimized = true; return;
    case 'w': o.suppress_warnings = true; return;
    case 'W': o.warnings_are_errors = true; return;
    case 't': o.timing = true; return;
    case 'I': o.include_dirs.push_back(optarg); return;
    case 'D': assignment("-D", optarg, "1", o.defines); return;
    case 'G': assignment("-G", optarg, nullptr, o.global_values); return;
    case 'r': o.release = optarg; return;
    case 'm':
      check_module_name(optarg);
      o.module_name = optarg;
      return;
    case 's': o.buffer_mb = static_cast<int>(number("-s", optarg, 1, 4095)); return;
    case 'o': o.output = optarg; return;
    case 'c': o.command = optarg; return;
    case 'x': o.target_pid = static_cast<int>(number("-x", optarg, 1, INT_MAX)); return;
    case 'T': o.timeout_ms = number("-T", optarg, 1, 1000000000) * 1000; return;
    case 'e': o.inline_scripts.push_back(optarg); return;
    case 'E':
      if (!*optarg) fail("bad-option-value", "-E takes a script, not an empty text");
      o.extra_scripts.push_back(optarg);
      return;
    case 'd': o.kept_symbols.push_back(symbol_file(optarg)); return;
    case 'l': set_listing(o, false, optarg); return;
    case 'L': set_listing(o, true, optarg); return;
    default: not_yet(std::string("-") + static_cast<char>(c));
  }
}

bool is_global_number(const std::string &text) {
  int64_t ignored;
  return read_global_number(text, ignored);
}

// Notes an option that can change what is compiled, for the script cache. An option that is not known here counts as
// one: it is better to compile a script once more than to run a wrong result from the cache.
void note_compile_option(Options &o, int c, const char *long_name) {
  static const std::string running = "vkpoxTd";
  if (c < 1000 && running.find(static_cast<char>(c)) != std::string::npos) return;
  if (c == VmRunOption || c == DisableCacheOption || c == PoisonCacheOption || c == PassVerbosityOption ||
      c == TmpdirOption || c == LibrariesOption || c == AllModulesOption || c == ExampleOption)
    return;
  std::string value = optarg ? optarg : "";
  // The value is set when the script runs. The translator only learns from it which type the global has.
  if (const size_t equals = value.find('='); c == 'G')
    value.replace(equals, std::string::npos, is_global_number(value.substr(equals + 1)) ? "=0" : "=text");
  o.compile_options.push_back((c < 1000 ? std::string(1, static_cast<char>(c)) : long_name) + " " + value);
}

void check_directories(const Options &o) {
  std::error_code error;
  for (const std::string &directory : o.include_dirs)
    if (std::filesystem::directory_iterator(directory, error); error)
      fail("no-tapset-directory", fmt::format("-I '{}' can't be searched: {}", directory, error.message()),
           "-I names a directory of tapset files; -E adds a script");
  const char *temporary = std::getenv("TMPDIR");
  if (temporary && *temporary && o.tmpdir.empty() && !std::filesystem::is_directory(temporary, error))
    fail("no-tmpdir", fmt::format("TMPDIR is '{}', which is no directory", temporary), "set TMPDIR, or use --tmpdir");
}

// Checks the options against each other, and that the directories they name exist.
void check(const Options &o) {
  check_directories(o);
  if (o.inline_scripts.size() > 1) fail("option-conflict", "only one -e can be given", "-E adds further scripts");
  if (o.list && (!o.inline_scripts.empty()))
    fail("option-conflict", "-l and -L list probe points; they run no -e script");
  const bool dumps = o.dump_probe_types || o.dump_probe_aliases || o.dump_functions || o.help_tapset;
  if (o.format == "json" && !o.list) fail("option-conflict", "--format=json is for the lists of -l and -L");
  if (o.format == "man" && (!dumps || o.dump_probe_types || (o.help_tapset && o.script_args.empty())))
    fail("option-conflict", "--format=man is for --help-tapset NAME, --dump-functions and --dump-probe-aliases");
  if (o.show_example && !o.example) fail("option-conflict", "--show is for --example NAME");
  if (o.example && (o.list || dumps || !o.inline_scripts.empty()))
    fail("option-conflict", "--example names a script; it can't go with -e, -l or another list");
  if (o.vm && o.runtime == &user_runtime)
    fail("option-conflict", "--vm runs the kernel runtime; it cannot go with --runtime=user");
  if (!o.vm_command.empty() && !o.vm) fail("option-conflict", "--vm-run needs --vm");
  if (!o.vm_command.empty() && !o.command.empty())
    fail("option-conflict", "--vm-run and -c both name the command; give one of them");
  if (o.vm && o.target_pid)
    fail("option-conflict", "-x names a process of this machine, which --vm's guest does not have",
         "-c CMD starts one in the guest");
  if (!o.vm_release.empty() && !o.release.empty() && o.vm_release != o.release)
    fail("option-conflict", fmt::format("--vm={} and -r {} name different kernels", o.vm_release, o.release));
  if (!o.command.empty() && o.target_pid) fail("option-conflict", "-c and -x both set the target; give one of them");
  if (o.suppress_time_limits && !o.guru) fail("option-conflict", "--suppress-time-limits needs guru mode", "add -g");
  if (o.script_file.empty() && o.inline_scripts.empty() && !o.list && !dumps && !o.example && o.extra_scripts.empty())
    fail("no-script", "no script was given", "stap FILE, stap -e 'probe ...', or stap --help");
}

// Reads the option at argv[optind], or the next letter of that word.
void take_option(int argc, char **argv, Options &o) {
  const std::string word = argv[optind];
  int index = 0;
  const int c = getopt_long(argc, argv, short_options, long_options, &index);
  const std::string letter = std::string("-") + static_cast<char>(optopt);
  if (c == ':')
    fail("missing-option-value", fmt::format("option {} needs a value", optopt >= 1000 || !optopt ? word : letter));
  if (c == '?') unknown_option(optopt && optopt < 1000 && word.compare(0, 2, "--") != 0 ? letter : word);
  if (c >= 1000) set_long(o, c, index);
  else set_short(o, c);
  note_compile_option(o, c, long_options[index].name);
}

}  // namespace

bool is_option(const std::string &word) {
  if (word.compare(0, 2, "--") == 0) return !long_options_like(word).empty();
  return word.size() > 1 && word[0] == '-' && isalpha(static_cast<unsigned char>(word[1])) &&
         std::strchr(short_options, word[1]) != nullptr;
}

std::string near_option(const std::string &word) {
  const std::string name = word.substr(0, word.find('='));
  if (name.compare(0, 2, "--") != 0) return "stap --help lists them";
  std::vector<std::string> names = long_options_like("--");
  // Long names that users try, for options which have only a letter here.
  static const std::map<std::string, std::string> letters = {
      {"--verbose", "-v"}, {"--output", "-o"}, {"--command", "-c"}, {"--pid", "-x"},
      {"--timeout", "-T"}, {"--guru", "-g"},   {"--include", "-I"}, {"--define", "-D"},
      {"--list", "-l"},    {"--eval", "-e"},   {"--module", "-m"},  {"--keep", "-k"}};
  for (const auto &[word, letter] : letters) names.push_back(word);
  std::string near = nearest_name(name, names), begins_like;
  if (name.size() > 3)
    for (const std::string &full : long_options_like(name)) begins_like += (begins_like.empty() ? "" : ", ") + full;
  if (letters.count(name)) near = name;
  if (auto letter = letters.find(near); letter != letters.end()) near = letter->second;
  return !begins_like.empty() ? "it could be " + begins_like
         : near.empty()       ? "stap --help lists them"
                              : fmt::format("did you mean '{}'?", near);
}

void parse_command_line(int argc, char **argv, Options &o) {
  std::vector<std::string> operands;  // the script, unless -e or -l is there, and its arguments
  opterr = 0;
  optind = 1;
  while (optind < argc) {
    const int index = optind;
    const std::string word = argv[index];
    if (word == "--") {
      operands.insert(operands.end(), argv + index + 1, argv + argc);
      break;
    }
    // A word behind the script that is no option of stap is an argument of the script, even if it begins with `-`.
    const bool has_script = !operands.empty() || !o.inline_scripts.empty() || o.list;
    if (word.size() < 2 || word[0] != '-' || (has_script && !is_option(word))) {
      operands.push_back(word);
      optind++;
    } else {
      do take_option(argc, argv, o);
      while (optind == index);  // -vk: more letters in this word
    }
  }
  if (o.help || o.version || o.clean_cache || o.prepare) return;
  if (o.inline_scripts.empty() && !o.list && !o.example && !o.help_tapset && !operands.empty()) {
    o.script_file = operands[0];
    operands.erase(operands.begin());
  }
  o.script_args = std::move(operands);
  check(o);
}

bool read_global_number(const std::string &text, int64_t &value) {
  char *end = nullptr;
  errno = 0;
  value = std::strtoll(text.c_str(), &end, 0);
  return !errno && !text.empty() && !*end;
}

std::string help_text() {
  return R"(usage: stap [OPTION]... FILE [ARGUMENT]...      run a script (-: standard input)
       stap [OPTION]... -e SCRIPT [ARGUMENT]...
       stap [OPTION]... -l POINT | -L POINT     list probe points (-L: with their variables)
Options may stand behind the script, too; what follows -- is the script's argument whatever it looks like.

What to run
  -e SCRIPT            the script itself
  -E SCRIPT            one more script beside it (repeatable)
  -l POINT, -L POINT   list what a probe point matches
  --format=text|json   how: a line of text, or a JSON object a line
  --help-tapset [NAME]...
                       what the library has: its subjects, or subjects, functions,
                       probe points or macros by name (--format=man: a subject's manual page)
  --example [WORD]...  the example scripts, or those that have the words
  --example NAME [ARGUMENT]...
                       run one of them
  --show               print it instead
  --dump-probe-types, --dump-probe-aliases, --dump-functions
                       list what a script can use
  -p N                 stop after pass N: 1 parse, 2 elaborate, 3 translate, 4 compile, 5 run
  -I DIR               look for tapsets in DIR first (repeatable)
  -D NAME[=VALUE]      set a limit, such as MAXACTION=2000
  -G NAME=VALUE        set a global variable
  -g                   guru mode: embedded C, writing target variables
  -u                   no optimization
  --compatible=VERSION the language as it was then
  --check-version      warn of what depends on that
  --no-global-var-display
                       do not print at the end what globals hold that nothing reads
  --skip-badvars       target variables that can't be had are 0
  -d MODULE, --ldd, --all-modules
                       whose names are kept, whatever becomes of it: a module or
                       program, all libraries of the programs, the kernel's modules
  --suppress-handler-errors, --suppress-time-limits
                       errors do not end the script; no limits of time (guru mode)
Where
  --runtime=kernel|user  a kernel module, or a process of this user
  --vm[=RELEASE]       in a throw-away virtual machine
  --vm-run COMMAND     the workload there, while the script runs
  -r RELEASE|DIR       build for that kernel, or for that build tree
  -m NAME              name the module; it is left in the current directory
Running
  -c COMMAND           run COMMAND, target() is its pid, and end with it
  -x PID               target() is PID
  -T SECONDS           end after that time
  -o FILE              write the output to FILE
  -s MB                buffer of each CPU
  -t                   count and time the probes
Messages
  -v                   more about what is done (repeatable)
  --vp=DIGITS          more about single passes: 0002 adds 2 to pass 4
  -w, -W               no warnings; warnings are errors
  --color[=WHEN]       auto, always or never
  -h, --help           this help
  -V, --version        the version
Files
  -k                   keep the temporary directory
  --tmpdir=DIR         work in DIR and leave it
  --disable-cache      neither read nor write the cache
  --poison-cache       write the cache only
  --clean-cache        shrink the cache to its limit, and nothing else
  --prepare[=RELEASE]  compile the runtime for a kernel, and nothing else; root does it for all users
Manual pages: stap(1), staprun(8), stapprobes(3), stapaliases(3), stapfuncs(3), stapvars(3).
)";
}
