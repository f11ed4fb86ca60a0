// What a run was, in words: its case, lanes, blocks, profile, and whether its collectives are shown as one step.
//
// Errors: none.
#pragma once

#include <string>

#include "traces/model/trace.h"
#include "traces/words/language.h"

namespace warpsim {

// What ran: "case test, 8 lanes, 1 block of 8 threads", "…, 4x2 blocks of 8x8 threads, collectives as
// shuffles".
std::string launch_text(const TraceHead& head, Language language = Language::English);
// The profile's name, without the scheduler that the head adds where it is not the profile's own.
std::string profile_name(const TraceHead& head);
// "profile h200, scheduler gto" for a timed run, else "".
std::string timing_text(const TraceHead& head, Language language = Language::English);
}  // namespace warpsim
