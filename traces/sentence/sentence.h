// What one step did, as one sentence: "Cycle 42: shuffle_xor(max_val, 8): lane 0 receives 120 from lane 8; 32 lanes
// active".
//
// Shapes: made from the head and the event alone, so that a page, a terminal and an export say the same. It names one
//         lane: of a shuffle the lowest whose value comes from another lane, of a scan the second, else the lowest;
//         where all hold the same, all of them. Then what is out of the ordinary, then how many lanes were active, and
//         of a timed run what it waited for before. The reader of a trace has checked it; a sentence holds whatever
//         text the trace does.
// Units:  machine cycles; lanes; lines of the program's text.
// Errors: none.
// Source: traces/FORMAT.md, "Events".
#pragma once

#include <cstddef>
#include <string>

#include "traces/model/trace.h"
#include "traces/words/language.h"

namespace warpsim {

std::string sentence(const TraceHead& head, const TraceEvent& event, Language language = Language::English);
// The same of one of a trace's events, and of the last one that the run stopped there, if it trapped: "Cycle 7:
// st.global(…): stopped here: lane 8 writes output[8], …; 9 lanes active".
std::string sentence(const Trace& trace, std::size_t event, Language language = Language::English);

// An instruction in Mojo's words: "shuffle_xor(max_val, 8)", "max(max_val, other)". What all lanes of a
// shuffle share of its distance stands there as a number.
std::string call_text(const TraceHead& head, const TraceEvent& event);

}  // namespace warpsim
