// What a page shows beside a trace, ready made: the sentences of its events, and what its instructions read and write.
//
// Shapes: one JSON object: {"sentences": {"en": [one an event], "ko": […]},
//         "name": {"ko": the program's title}, "titles": {"ko": {"<event>": "…"}},
//         "faults": {"ko": [of each finding, then of the trap {"message", "hint", "steps": [the text of each],
//         "places": [what the lanes of each wait for]}]},
//         "collectives": whether reductions and scans are one "step" each, or "shuffles"; "" of a program without,
//         "sources": [{"text", "address"}]: where the program comes from, and the public page that has it,
//         "window": null, or of a trace that is not the whole run {"first", "last", "of", "events", "all"}: its cycles,
//         or where there are none the numbers of its events, and how many events of all these are, "flow": [one a pc:
//         {"kind": "scan" …, "exclusive", "overwrites", "guard": "%p" or null, "negated", "value", "exchanged",
//         "address", "writes", "members"}]}; see InsnFlow.
// Units:  events and pcs from 0.
// Errors: none.
// Source: traces/sentence/sentence.h, traces/sentence/phase_titles.h, traces/replay/dataflow.h.
#pragma once

#include <string>

#include "traces/io/translations.h"
#include "traces/model/trace.h"

namespace warpsim {

// `korean`: of the program's own texts, for the titles; without, there are none.
std::string notes_json(const Trace& trace, const Translations* korean = nullptr);

}  // namespace warpsim
