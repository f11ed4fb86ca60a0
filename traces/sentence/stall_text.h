// What a warp of a timed run waited for, in words: "waited 20 cycles for %other (line 14: shfl.bfly)".
//
// Shapes: made from the head and the event alone.
// Units:  cycles; lines of the program's text.
// Errors: none: a reason that is not known is shown as in the trace.
// Source: traces/FORMAT.md, "Time".
#pragma once

#include <string>
#include <string_view>

#include "sim/event/observer.h"
#include "traces/model/trace.h"
#include "traces/words/language.h"

namespace warpsim {

// Of all that an event waited for; "" if for nothing.
std::string waited_text(const TraceHead& head, const TraceEvent& event, Language language = Language::English);
// A reason alone: "연산 결과". Its English name is the trace's: name(reason).
std::string_view korean_name(Stall::Reason reason);
// "for %other (line 14: shfl.bfly)", in Korean "%other (14행: shfl.bfly)".
std::string stall_text(const TraceHead& head, const TraceStall& stall, Language language = Language::English);

}  // namespace warpsim
