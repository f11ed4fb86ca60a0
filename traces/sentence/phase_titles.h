// The titles of a trace's phases in another language, filled in as they are in the trace.
//
// Shapes: one title for each event that begins a phase whose title has a translation; the event's number beside it.
// Units:  events from 0.
// Errors: none.
// Source: traces/FORMAT.md, "Languages".
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "traces/io/translations.h"
#include "traces/model/trace.h"
#include "traces/words/language.h"

namespace warpsim {

std::vector<std::pair<std::size_t, std::string>> phase_titles(const Trace& trace, Language language,
                                                              const Translations& translations);

}  // namespace warpsim
