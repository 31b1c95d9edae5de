// SPDX-License-Identifier: GPL-2.0-or-later
// The table of system calls (tapsets/syscalls.table, which says what its lines mean), and the aliases made of it.
//
// A system call has six aliases: syscall.NAME, nd_syscall.NAME and tp_syscall.NAME, each with `.return`. Written out
// they would be 16,000 lines that differ in names only, so that they are made when a script asks for them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "library/library_scan.h"

// Is this library file such a table?
bool is_syscall_table(std::string_view path);

// Is this alias, "syscall.open.return", one that is made of a table?
bool is_syscall_alias(std::string_view name);

// The names of the aliases that a table stands for.
std::vector<ScannedName> scan_syscall_table(std::string_view text);

class SyscallTable {
 public:
  explicit SyscallTable(std::string_view text);
  // Script text: the aliases whose first two components match these patterns and that were not asked for before. ""
  // when there are none.
  std::string aliases(const std::string &family, const std::string &call);

 private:
  // What one kind of parameter sets, and how it is shown in argstr.
  struct Kind {
    std::string name;
    std::vector<std::string> assignments, format_arguments;
    std::string format;     // of sprintf
    bool is_glued = false;  // argstr has no comma before it
  };
  struct Parameter {
    std::string name, set;
    size_t kind = 0;      // index into kinds_
    unsigned number = 0;  // of the argument, from 1
  };
  struct Call {
    std::string number, number32;  // "-" when there is none
    std::string alias, name, entry;
    std::vector<std::string> entries32;
    int return_format = 1;  // of return_str()
    bool is_first = true;   // of its alias's calls
    std::vector<Parameter> parameters;
  };
  void read_kind(std::string_view line);
  void read_call(std::string_view line);
  std::string points(const Call &call, const std::string &suffix) const;
  std::string entry_body(const Call &call) const;
  std::string write(const Call &call, const std::string &family) const;

  std::vector<Kind> kinds_;
  std::vector<Call> calls_;
  std::vector<std::string> written_;  // "FAMILY.ALIAS"
};
