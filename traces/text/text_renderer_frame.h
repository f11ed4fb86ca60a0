// What comes before and after a run's diagram: the run's facts, and its result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "traces/model/trace.h"
#include "traces/text/text_renderer.h"

namespace warpsim {

constexpr std::size_t kTerminal = 80;  // columns

// Values drawn as letters: what they mean; "" if there are none.
std::string letters_text(const TraceHead& head, Language language);
std::string header_text(const Trace& trace, const TextOptions& options);
std::string result_text(const Trace& trace, const TextOptions& options);

// "9", "9-12", "" of none.
std::string cycle_words(const std::optional<std::uint64_t>& first, const std::optional<std::uint64_t>& last);

}  // namespace warpsim
