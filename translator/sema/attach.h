// SPDX-License-Identifier: GPL-2.0-or-later
// How a derived probe gets its hits: one structure for each kind of the runtime's table (runtime/abi/attach_kinds.h).
//
// A family puts one of them into its probes; the emitter prints it. attach::Timer{.interval_ns = 1000}, for example,
// becomes `.attach = {.kind = STAP_ATTACH_TIMER, .timer = {.interval_ns = 1000ull, .randomize_ns = 0ull}}`.
#pragma once
#include <cstdint>
#include <string>
#include <variant>

#include "abi/attach_kinds.h"
#include "base/attach_kind.h"
#include "debuginfo/binary.h"

namespace attach {

// The types that the table gives to fields.
using u64 = uint64_t;
using s64 = int64_t;
using stap_text = std::string;
struct stap_code_place {
  const TargetBinary *binary = nullptr;
  std::string section;      // of a module
  uint64_t offset = 0;      // from what the binary's load rule says
  std::string symbol;       // not "": the offset is not known, the kernel looks this name up when the script starts
  std::string module = {};  // of a symbol "module:name"
  uint64_t address = 0;     // not 0: that of the running kernel
};
struct stap_file_place {
  std::string path;
  uint64_t offset = 0, address = 0, code = 0, semaphore = 0;  // as in runtime/abi/program.h
  std::string executable;                                     // not "": only processes that run this program
  uint64_t pid = 0;                                           // not 0: only this process
};

// Nothing ever hits the probe.
struct None {
  static constexpr Kind kind = Kind::None;
};

// Each has `visit`, which calls print(name, value) for each field.
#define STAP_FIELD(type, name) type name{};
#define STAP_VISIT(type, name) print(#name, name);
#define STAP_KIND(NAME, Name, name, FIELDS)                       \
  struct Name {                                                   \
    static constexpr Kind kind = Kind::Name;                      \
    static constexpr const char *constant = "STAP_ATTACH_" #NAME; \
    static constexpr const char *member = #name;                  \
    FIELDS(STAP_FIELD)                                            \
    void visit(auto &&print) const { FIELDS(STAP_VISIT) }         \
  };
STAP_ATTACH_KINDS(STAP_KIND)
#undef STAP_KIND
#undef STAP_VISIT
#undef STAP_FIELD

#define STAP_KIND(NAME, Name, name, FIELDS) , Name
using Description = std::variant<None STAP_ATTACH_KINDS(STAP_KIND)>;
#undef STAP_KIND

inline Kind kind_of(const Description &d) {
  return std::visit([](const auto &described) { return described.kind; }, d);
}

}  // namespace attach
