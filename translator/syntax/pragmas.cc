// SPDX-License-Identifier: GPL-2.0-or-later
// What comments of embedded C say to the translator: `/* pure */`, `/* pragma:read:NAME */`.
#include <utility>

#include "syntax/ast.h"

namespace {

// stap(1), "EMBEDDED C"; anywhere, stable, reader, user and abi are the tapset library's (doc/architecture.md).
constexpr std::pair<const char *, bool Pragmas::*> flags[] = {
    {"/* abi */", &Pragmas::abi},
    {"/* anywhere */", &Pragmas::anywhere},
    {"/* guru */", &Pragmas::guru},
    {"/* match */", &Pragmas::match},
    {"/* myproc-unprivileged */", &Pragmas::myproc_unprivileged},
    {"/* pragma:suffix */", &Pragmas::suffix},
    {"/* pure */", &Pragmas::pure},
    {"/* stable */", &Pragmas::stable},
    {"/* string */", &Pragmas::string},
    {"/* unmangled */", &Pragmas::unmangled},
    {"/* unprivileged */", &Pragmas::unprivileged},
    {"/* user:symbols */", &Pragmas::user_symbols},
    {"/* user:unwinding */", &Pragmas::user_unwinding},
};

std::vector<std::string> names_behind(const std::string &mark, const std::string &code) {
  std::vector<std::string> names;
  for (size_t at = code.find(mark); at != std::string::npos; at = code.find(mark, at)) {
    at += mark.size();
    size_t end = code.find_first_of(" */\n", at);
    if (end == std::string::npos) break;
    names.push_back(code.substr(at, end - at));
    at = end;
  }
  return names;
}

}  // namespace

Pragmas parse_pragmas(const std::string &code) {
  Pragmas pragmas;
  for (auto &[mark, flag] : flags) pragmas.*flag = code.find(mark) != std::string::npos;
  pragmas.passes_on = code.find("STAP_NEXT") != std::string::npos;
  for (const std::string &name : names_behind("/* reader:", code)) pragmas.reader = name;
  pragmas.reads = names_behind("/* pragma:read:", code);
  pragmas.writes = names_behind("/* pragma:write:", code);
  return pragmas;
}
