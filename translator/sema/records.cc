// SPDX-License-Identifier: GPL-2.0-or-later
// Which tracepoints' handlers read the record of the event: making it costs, so only these have it made.
#include "sema/attach.h"
#include "sema/elaborate.h"
#include "sema/reached.h"

void choose_records(Session &s) {
  for (DerivedProbe *p : s.program.probes) {
    auto *tracepoint = std::get_if<attach::Tracepoint>(&p->attach);
    if (!tracepoint) continue;
    visit_reached(*p, {.statement = {},
                       .expression =
                           [&](const Expr &e) {
                             const EventValue *value = as<EventValue>(&e);
                             if (value && value->part == EventPart::Record) tracepoint->record = 1;
                           },
                       .embedded = {}});
  }
}
