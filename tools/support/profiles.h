// The timing profiles that there are, by the names that people use, and cycles as text.
//
// Shapes: lockstep has no profile; what has one has it once, or by its two bounds.
// Units:  cycles.
// Errors: none.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/timing/profile.h"
#include "traces/profile/profile_json.h"

namespace warpsim::tools {

using Timing = std::shared_ptr<const TimingProfile>;  // null: lockstep

struct ChosenProfile {
  std::string name = "lockstep";
  std::vector<Timing> bounds{nullptr};  // one, or low and high
  bool has_bounds() const { return bounds.size() == 2; }
};

inline constexpr std::string_view kAllProfiles = "all";  // where a verb takes that
inline constexpr std::string_view kLow = ":low", kHigh = ":high";

ChosenProfile as_chosen(ProfileFile file);
// lockstep and the built-in ones, each whole.
std::vector<ChosenProfile> all_profiles();
// As --profile takes them: with their bounds.
std::vector<std::string> profile_names();
// "documents:low" → "documents" and 0; -1 if it has no bound.
std::pair<std::string, int> split_bound(const std::string& word);
bool is_file_name(std::string_view word);
// Is it meant as a profile: a name, a file's, or -?
bool is_profile_word(std::string_view word);
// With a scheduler that is not its own, which its name then says.
Timing with_scheduler(const Timing& timing, std::string_view word);
// With another number of SMs, which its name then says.
inline constexpr unsigned kMostSms = 4096;
Timing with_sms(const Timing& timing, unsigned sms);
// As a trace's head calls it; nothing for lockstep and for what is not built in.
Timing timing_called(std::string_view name);

// "12 cycles", or of two bounds "5 to 10 cycles".
std::string cycles_text(const std::vector<std::uint64_t>& cycles);
// In tables: 12, 5-10, or - if there is nothing.
std::string cycles_cell(const std::vector<std::uint64_t>& cycles);
// 12, or [5, 10].
std::string cycles_json(const std::vector<std::uint64_t>& cycles);

}  // namespace warpsim::tools
