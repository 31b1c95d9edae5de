// SPDX-License-Identifier: GPL-2.0-or-later
// Fields of the records that the kernel makes of trace events, as target variables: $prev_comm, $__entry->prev_pid.
#pragma once
#include "target/access.h"
#include "target/target.h"

// A field, or the whole record.
struct RecordField {
  TargetObject object;   // of a text of unknown length: its first byte
  Expr *text = nullptr;  // what it is where a script names it without ->, [], $ or &; null: a value of object's type
};

// The field of a name, "__entry" for the record itself, "common_pid" for what every record begins with. None when the
// record has no such field.
std::optional<RecordField> find_field(TargetAccess &access, const TraceRecord &record, const std::string &name);
// All that find_field() finds but the record itself and what every one has, in order: "prev_comm" of type "string".
std::vector<ListedVariable> describe_fields(const TraceRecord &record);
