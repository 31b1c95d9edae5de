// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's own BTF: found, unpacked out of its image once, and kept in the user's cache.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/session.h"
#include "debuginfo/btf.h"
#include "debuginfo/kallsyms.h"

struct KernelBtf {
  std::string path;              // of the image, or /sys/kernel/btf/vmlinux
  std::string bytes;             // `btf` reads these
  std::string packed_functions;  // and `functions` these
  FunctionTable functions;       // empty when the image's symbol table can't be read
  std::string trace_events;      // lines for parse_trace_events(); "" when they are not known
  std::unique_ptr<Btf> btf;
  // These two are empty when the BTF was read from /sys.
  std::vector<uint8_t> build_id;
  uint64_t notes_offset = 0;  // of the build-id note, from _stext
};

// The BTF of the session's kernel.
Result<std::unique_ptr<KernelBtf>> read_kernel_btf(const Session &s);
// The size of the kernel's struct trace_event_fields; 0 when BTF does not have it.
uint64_t trace_field_size(const Btf &btf);
