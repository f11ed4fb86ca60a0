// What a run did and waited for, as a report of 80 columns, in English or Korean, and as JSON.
//
// Shapes: one report a run. A profile of two bounds has two runs: what differs in cycles is said as "low to high", the
//         rest is the low one's.
// Units:  those of sim/statistics/statistics.h.
// Errors: none.
#pragma once

#include <span>
#include <string>

#include "sim/statistics/statistics.h"
#include "sim/timing/profile.h"
#include "traces/io/translations.h"
#include "traces/model/trace.h"
#include "traces/words/language.h"

namespace warpsim::tools {

struct TimedRun {
  const TimingProfile* profile = nullptr;  // null: lockstep
  const Statistics& statistics;
  const TimingProfile* device = nullptr;  // … whole: a trace has of its profile only names; null: not known
  // Of machine code, where it takes longer: the cycles of a launch whose code no cache has.
  std::uint64_t first_launch = 0;
};

struct StatisticsWording {
  bool ascii = false;
  Language language = Language::English;
  const Translations* translations = nullptr;  // of the program's title
};

// Of one line of a source: warp instructions, and of a timed run the cycles that warps took for them and waited
// before.
struct SourceLineCount {
  const TraceSourcePlace* place = nullptr;
  std::uint64_t instructions = 0, cycles = 0;
};
std::vector<SourceLineCount> count_lines(const TraceHead& head, const Statistics& statistics);  // the most first

// `head` is of the first; of these one or two.
std::string statistics_text(const TraceHead& head, std::span<const TimedRun> runs,
                            const StatisticsWording& wording = {});
std::string run_json(const TraceHead& head, const TimedRun& run);  // of one run
std::string statistics_json(const TraceHead& head, std::span<const TimedRun> runs);

}  // namespace warpsim::tools
